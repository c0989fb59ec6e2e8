/* store.h - keys and values in files of one folder. */
#pragma once

#include "comgr/bytes.h"

struct comgr_entry {
  struct comgr_rest value;
  char *file; /* what holds it */
};

/* Whether there is an entry with this key. Its value can be read until it is unloaded. */
bool og_comgr_load(struct comgr_entry *entry, const struct comgr_bytes *key);
void og_comgr_unload(struct comgr_entry *entry);

/* Keeps a value, where that can be done, and removes the oldest entries where there are too many. */
void og_comgr_save(const struct comgr_bytes *key, const struct comgr_bytes *value);
