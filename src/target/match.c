/* match.c - whether one target's code runs on a processor that is set up as another. */
#include <string.h>

#include "target/target.h"

/* Which processors a generic one stands for (LLVM's AMDGPU user guide, "Generic processor code object versioning"). */
static const struct {
  const char *generic, *processors;
} generics[] = {
    {"gfx9-generic", "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c"},
    {"gfx9-4-generic", "gfx940 gfx941 gfx942 gfx950"},
    {"gfx10-1-generic", "gfx1010 gfx1011 gfx1012 gfx1013"},
    {"gfx10-3-generic", "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036"},
    {"gfx11-generic", "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153"},
    {"gfx12-generic", "gfx1200 gfx1201"},
};

static bool is_word_of(const char *words, const char *word) {
  size_t size = strlen(word);
  for (const char *at = words; (at = strstr(at, word)) != NULL; at += size)
    if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0))
      return true;
  return false;
}

static bool is_made_for(const struct og_processor *agent, const struct og_processor *code) {
  if (agent == code)
    return true;
  for (size_t i = 0; i < OG_COUNT(generics); i++)
    if (strcmp(generics[i].generic, code->name) == 0)
      return is_word_of(generics[i].processors, agent->name);
  return false;
}

static bool setting_fits(enum og_setting agent, enum og_setting code) {
  return code == OG_ANY || code == OG_UNSUPPORTED || agent == OG_ANY || agent == code;
}

bool og_target_runs(const struct og_target *agent, const struct og_target *code, const char **differs) {
  if (!is_made_for(agent->processor, code->processor))
    return *differs = "processor", false;
  if (!setting_fits(agent->xnack, code->xnack))
    return *differs = "xnack", false;
  return *differs = "sramecc", setting_fits(agent->sramecc, code->sramecc);
}
