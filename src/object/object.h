/* object.h - all of this folder that layers above need but debug information, PAL and archives. */
#ifndef OG_OBJECT_H
#define OG_OBJECT_H

#include "object/code_object.h"
#include "object/elf.h"
#include "object/kernel.h"
#include "object/link.h"
#include "object/metadata.h"


#endif
