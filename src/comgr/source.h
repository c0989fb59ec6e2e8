/* source.h - what a source reads beside itself. */
#pragma once

#include "comgr/bytes.h"

/* Whether a set (object.h) has a file of this name for sources to include. */
bool og_comgr_is_included(const char *name, size_t length, struct comgr_rest set);

/* Whether a source reads no files but those of the set, and no clock. Careful, not exact: comments count, too. */
bool og_comgr_is_plain_source(struct comgr_rest text, struct comgr_rest set);
