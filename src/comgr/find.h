/* find.h - where the real libamd_comgr.so.2 is, and whether the cache can stand before it. */
#pragma once

#include <limits.h>
#include <stdbool.h>

#define OG_COMGR_LIBRARY "libamd_comgr.so.2"

/* The first library of that name that is no cache, in the order in which HIP would find it: in LD_LIBRARY_PATH, in the
 * folder of HIP's own library (may be NULL), and in the system's folders. */
bool og_comgr_find(const char *hip_folder, char path[PATH_MAX]);

/* Whether a library exports no function of comgr's that the cache does not: HIP looks its functions up by name, and a
 * missing one keeps it from starting. */
bool og_comgr_is_known(const char *path);
