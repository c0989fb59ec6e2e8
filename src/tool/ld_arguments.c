/* ld_arguments.c - what each option of `offgrid ld` does, and where -l finds its archives. */
#include "tool/ld.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static void add(struct ld_arguments *a, ld_names *names, const char *name) { *OG_PUSH(a->arena, names) = name; }

void ld_add_file(struct ld_arguments *a, const char *path) {
  *OG_PUSH(a->arena, &a->files) = (struct ld_file){path, false, a->whole, a->lazy};
}

static const char *const *ended(struct ld_arguments *a, ld_names *names) {
  add(a, names, NULL);
  return names->items;
}

void ld_finish_lists(struct ld_arguments *a) {
  a->options.keep = ended(a, &a->keep);
  a->options.wrap = ended(a, &a->wrap);
  a->options.exclude_libs = ended(a, &a->exclude);
  a->options.definitions = ended(a, &a->definitions);
}

const char *ld_find_library(const struct ld_arguments *a, const char *name) {
  for (uint32_t i = 0; i < a->search.count; i++) {
    const char *path = name[0] == ':' ? og_arena_printf(a->arena, "%s/%s", a->search.items[i], name + 1)
                                      : og_arena_printf(a->arena, "%s/lib%s.a", a->search.items[i], name);
    if (access(path, R_OK) == 0)
      return path;
  }
  og_error_in(a->diagnostics, NULL, "unable to find library -l%s: no %s%s%s in the folders that -L names", name,
              name[0] == ':' ? "" : "lib", name[0] == ':' ? name + 1 : name, name[0] == ':' ? "" : ".a");
  return NULL;
}

/* Reads "0x" and hexadecimal digits, with '-' and ':' allowed between them; false: it is something else. */
static bool given_id(struct ld_arguments *a, const char *digits) {
  uint8_t *id = og_arena_alloc(a->arena, strlen(digits) / 2 + 1);
  size_t size = 0;
  for (const char *d = digits; *d;) {
    if (*d == '-' || *d == ':') {
      d++;
      continue;
    }
    if (!isxdigit((unsigned char)d[0]) || !isxdigit((unsigned char)d[1]))
      return false;
    char byte[3] = {d[0], d[1], 0};
    id[size++] = (uint8_t)strtoul(byte, NULL, 16);
    d += 2;
  }
  a->options.build_id = OG_BUILD_ID_GIVEN;
  a->options.given_id = id;
  a->options.given_id_size = size;
  return true;
}

static int build_id(struct ld_arguments *a, const char *kind) {
  static const struct {
    const char *name;
    enum og_build_id id;
  } kinds[] = {{"none", OG_BUILD_ID_NONE}, {"sha1", OG_BUILD_ID_SHA1}, {"tree", OG_BUILD_ID_SHA1},
               {"md5", OG_BUILD_ID_MD5},   {"fast", OG_BUILD_ID_FAST}, {"", OG_BUILD_ID_SHA1}};
  for (size_t i = 0; i < OG_COUNT(kinds); i++)
    if (strcmp(kind, kinds[i].name) == 0)
      return a->options.build_id = kinds[i].id, OG_EXIT_OK;
  if (strcmp(kind, "uuid") == 0) {
    enum { SIZE = 16 };
    uint8_t *id = og_arena_alloc(a->arena, SIZE);
    if (getrandom(id, SIZE, 0) != SIZE)
      return og_usage_error("ld", "--build-id=uuid: the system gives no random numbers");
    a->options.build_id = OG_BUILD_ID_GIVEN;
    a->options.given_id = id;
    a->options.given_id_size = SIZE;
    return OG_EXIT_OK;
  }
  if (strncmp(kind, "0x", 2) == 0 && given_id(a, kind + 2))
    return OG_EXIT_OK;
  return og_usage_error("ld", "--build-id=%s: expected none, fast, md5, sha1, uuid or 0x and hexadecimal digits", kind);
}

static int exclude(struct ld_arguments *a, const char *names) {
  for (const char *end; *names; names = *end ? end + 1 : end) {
    end = names + strcspn(names, ",:");
    add(a, &a->exclude, og_arena_copy(a->arena, names, (size_t)(end - names)));
  }
  return OG_EXIT_OK;
}

static int one_of(const char *given, const char *value, const char *allowed) {
  for (const char *at = allowed; *at; at += strcspn(at, " "), at += *at == ' ')
    if (strlen(value) == strcspn(at, " ") && strncmp(value, at, strlen(value)) == 0)
      return OG_EXIT_OK;
  return og_usage_error("ld", "%s: '%s' is not done here; one of these is: %s", given, value, allowed);
}

static int page_size(struct ld_arguments *a, const char *value) {
  enum { LARGEST = 1 << 20 };
  char *end;
  a->options.page_size = strtoull(value, &end, 0);
  uint64_t page = a->options.page_size;
  if (*end || end == value || !page || page & (page - 1) || page > LARGEST)
    return og_usage_error("ld", "-z max-page-size=%s: expected a power of two up to %d", value, LARGEST);
  return OG_EXIT_OK;
}

static int hash_style(struct ld_arguments *a, const char *given, const char *value) {
  a->options.no_gnu_hash = strcmp(value, "sysv") == 0;
  a->options.no_sysv_hash = strcmp(value, "gnu") == 0;
  return one_of(given, value, "sysv gnu both");
}

static int say_undefined(struct ld_arguments *a, enum og_link_undefined what) {
  a->options.undefined = what;
  a->undefined_said = true;
  return OG_EXIT_OK;
}

static int unresolved(struct ld_arguments *a, const char *given, const char *value) {
  bool ignored = strncmp(value, "ignore", 6) == 0;
  say_undefined(a, ignored ? OG_UNDEFINED_ALLOWED : OG_UNDEFINED_ERROR);
  return one_of(given, value, "report-all ignore-all ignore-in-object-files ignore-in-shared-libs");
}

/* Options that apply to the files after them. */
static int change_state(struct ld_arguments *a, enum ld_action action) {
  switch (action) {
  case LD_WHOLE: a->whole = true; break;
  case LD_NOT_WHOLE: a->whole = false; break;
  case LD_START_LIB:
    if (a->lazy)
      return og_usage_error("ld", "--start-lib within another");
    a->lazy = true;
    break;
  case LD_END_LIB:
    if (!a->lazy)
      return og_usage_error("ld", "--end-lib without --start-lib");
    a->lazy = false;
    break;
  case LD_PUSH_STATE: *OG_PUSH(a->arena, &a->states) = a->whole; break;
  default:
    if (!a->states.count)
      return og_usage_error("ld", "--pop-state without --push-state");
    a->whole = a->states.items[--a->states.count];
  }
  return OG_EXIT_OK;
}

/* Prints the version in lld's form, because build tools look for its name. */
static int say_version(struct ld_arguments *a, bool only) {
  a->only_version |= only;
  puts("offgrid " OG_VERSION " (compatible with LLD 22)");
  return OG_EXIT_OK;
}

int ld_act(struct ld_arguments *a, enum ld_action action, const char *given, const char *value) {
  struct og_link_options *o = &a->options;
  switch (action) {
  case LD_HARMLESS: break;
  case LD_REFUSED: case LD_KEYWORD: break; /* ld.c handles these */
  case LD_FLAVOR: return one_of(given, value, "gnu ld ld.lld");
  case LD_MCPU: a->mcpu = value; break;
  case LD_OUTPUT: a->output = value; break;
  case LD_SEARCH: add(a, &a->search, value); break;
  case LD_LIBRARY: *OG_PUSH(a->arena, &a->files) = (struct ld_file){value, true, a->whole, a->lazy}; break;
  case LD_KEEP: add(a, &a->keep, value); break;
  case LD_ENTRY: o->entry = value; break;
  case LD_SONAME: o->soname = value; break;
  case LD_RUN_PATH: o->run_path = value; break;
  case LD_WHOLE: case LD_NOT_WHOLE: case LD_START_LIB: case LD_END_LIB: case LD_PUSH_STATE: case LD_POP_STATE:
    return change_state(a, action);
  case LD_GC: o->gc_sections = true; break;
  case LD_NO_GC: o->gc_sections = false; break;
  case LD_PRINT_GC: a->removed = "-"; break;
  case LD_PRINT_GC_TO: a->removed = value; break;
  case LD_NO_PRINT_GC: a->removed = NULL; break;
  case LD_BUILD_ID: return build_id(a, "");
  case LD_BUILD_ID_AS: return build_id(a, value);
  case LD_WRAP: add(a, &a->wrap, value); break;
  case LD_DEFINE: add(a, &a->definitions, value); break;
  case LD_VERSION_SCRIPT: a->version_script = value; break;
  case LD_DYNAMIC_LIST: add(a, &a->dynamic_lists, value); break;
  case LD_UNDEFINED_VERSION: o->undefined_version = true; break;
  case LD_NO_UNDEFINED_VERSION: o->undefined_version = false; break;
  case LD_EXCLUDE: return exclude(a, value);
  case LD_MAP: a->map = value; break;
  case LD_MAP_OUT: a->map = "-"; break;
  case LD_RELOCATABLE: o->relocatable = true; break;
  case LD_EMIT: o->emit_relocations = true; break;
  case LD_STRIP_ALL: o->strip_all = true; break;
  case LD_STRIP_DEBUG: o->strip_debug = true; break;
  case LD_DISCARD_ALL: o->discard_locals = true; break;
  case LD_DISCARD_TEMPORARIES: o->discard_temporaries = true; break;
  case LD_DISCARD_NONE: o->discard_locals = o->discard_temporaries = false; break;
  case LD_HASH_STYLE: return hash_style(a, given, value);
  case LD_MULTIPLE: o->allow_multiple = true; break;
  case LD_NOT_MULTIPLE: o->allow_multiple = false; break;
  case LD_SHARED: a->shared = true; break;
  case LD_NO_UNDEFINED: return say_undefined(a, OG_UNDEFINED_ERROR);
  case LD_ALLOW_UNDEFINED: return say_undefined(a, OG_UNDEFINED_ALLOWED);
  case LD_WARN_UNDEFINED: return say_undefined(a, OG_UNDEFINED_WARNING);
  case LD_UNRESOLVED: return unresolved(a, given, value);
  case LD_TRACE: a->trace = true; break;
  case LD_FATAL_WARNINGS: og_diagnostics_warnings(a->diagnostics, OG_WARNINGS_ARE_ERRORS); break;
  case LD_NO_WARNINGS: og_diagnostics_warnings(a->diagnostics, OG_WARNINGS_DROPPED); break;
  case LD_VERSION: return say_version(a, true);
  case LD_SAY_VERSION: return say_version(a, false);
  case LD_DEPENDENCIES: a->dependencies = value; break;
  case LD_NONE_ONLY: return one_of(given, value, "none");
  case LD_ELF_ONLY: return one_of(given, value, "elf default");
  case LD_POSIX_ONLY: return one_of(given, value, "posix");
  case LD_EMULATION: return one_of(given, value, "elf64_amdgpu");
  case LD_PAGE: return page_size(a, value);
  case LD_RELRO: o->no_relro = false; break;
  case LD_NO_RELRO: o->no_relro = true; break;
  case LD_NO_STACK: o->no_stack_note = true; break;
  }
  return OG_EXIT_OK;
}
