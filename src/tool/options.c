/* options.c - how the verbs read their options, and the error for an unknown one. */
#include "tool/tool.h"

#include <string.h>

bool og_option_value(int argc, char **argv, int *index, const char *name, const char **value) {
  const char *arg = argv[*index];
  if (arg[0] != '-' || !arg[1])
    return false;
  bool letter = !name[1] && arg[1] != '-';
  arg += arg[1] == '-' ? 2 : 1;
  size_t size = strlen(name);
  if (strncmp(arg, name, size) != 0)
    return false;
  if (arg[size] && (arg[size] == '=' || letter)) { /* a letter's value may follow without a blank: -oFILE */
    *value = arg + size + (arg[size] == '=');
    return true;
  }
  if (arg[size] || *index + 1 >= argc)
    return false;
  *value = argv[++*index];
  return true;
}

bool og_option_flag(char **argv, int index, const char *name) {
  const char *arg = argv[index];
  return arg[0] == '-' && strcmp(arg + (arg[1] == '-' ? 2 : 1), name) == 0;
}

size_t og_option_flags(char **argv, int index, const struct og_flag *flags, size_t count,
                       unsigned whats[OG_FLAGS_MOST]) {
  for (size_t i = 0; i < count; i++)
    if (og_option_flag(argv, index, flags[i].name))
      return whats[0] = flags[i].what, 1;
  const char *arg = argv[index];
  size_t letters = 0;
  if (arg[0] != '-' || arg[1] == '-' || strlen(arg) > OG_FLAGS_MOST)
    return 0;
  for (const char *c = arg + 1; *c; c++) {
    size_t i = 0;
    while (i < count && flags[i].letter != *c)
      i++;
    if (i == count)
      return 0;
    whats[letters++] = flags[i].what;
  }
  return letters;
}

/* ---- an option that nothing took --------------------------------------------------------------------------------- */

/* The part between an option's dashes and its value. */
static struct og_text option_name(const char *arg) {
  const char *name = arg + strspn(arg, "-");
  return (struct og_text){name, strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")};
}

/* The number of edits from one name to the other, or more than `limit`. */
static unsigned distance_of(struct og_text written, struct og_text name, unsigned limit) {
  char text[32];
  if (name.size >= sizeof text)
    return limit + 1;
  memcpy(text, name.data, name.size);
  text[name.size] = 0;
  return og_text_distance(written, text, limit);
}

/* The name of the next option in a usage text, from *at on; empty if none is left. */
static struct og_text next_option(const char **at) {
  for (const char *dash = strchr(*at, '-'); dash; dash = strchr(dash + 1, '-'))
    if (strchr(" [(|,/\n", dash[-1])) {
      struct og_text name = option_name(dash);
      *at = name.data + name.size;
      if (name.size)
        return name;
      dash = name.data - 1;
    }
  return (struct og_text){0};
}

int og_unknown_option(const char *verb, int argc, char **argv, int index) {
  const char *arg = argv[index], *value = strchr(arg, '='), *at = og_find_verb(verb)->usage;
  struct og_text written = option_name(arg), near = {0};
  unsigned best = written.size > 3 ? 2 : 1; /* most edits away; short names are near to many others */
  for (struct og_text name = next_option(&at); name.size; name = next_option(&at)) {
    unsigned distance = distance_of(written, name, best);
    if (distance == 0 && value)
      return og_usage_error(verb, "option '%.*s' does not take '%s'", (int)(value - arg), arg, value + 1);
    if (distance == 0 && index + 1 == argc)
      return og_usage_error(verb, "option '%s': its value is missing", arg);
    if (distance > 0 && distance <= best && name.size > 1)
      near = name, best = distance;
  }
  if (!near.size || written.size < 2)
    return og_usage_error(verb, "unknown option '%s'", arg);
  const char *dashes = near.data[-1] == '-' && near.data[-2] == '-' ? "--" : "-";
  return og_usage_error(verb, "unknown option '%s', did you mean: %s%.*s?", arg, dashes, (int)near.size, near.data);
}
