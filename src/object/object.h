/* object.h - all of this folder that layers above need but debug information, PAL and archives. */
#ifndef OG_OBJECT_H
#define OG_OBJECT_H

#include "object/code/code_object.h"
#include "object/elf/elf.h"
#include "object/kernel/kernel.h"
#include "object/link/link.h"
#include "object/metadata/metadata.h"

#endif
