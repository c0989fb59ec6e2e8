/* key.c - writes down what an action depends on: what it is told, its data, the compiler, and where that looks. */
#include "comgr/key.h"

#include <link.h>
#include <string.h>
#include <sys/stat.h>

#include "comgr/infos.h"
#include "comgr/rules.h"
#include "comgr/sets.h"

/* Up to this version everything that an action is told can be read back: 2.8 added lists that change what is linked. */
enum { MAJOR = 2, LAST_MINOR = 7 };

/* What is told of files instead of their bytes. */
static void identity(struct comgr_bytes *key, const char *path) {
  struct stat status;
  og_comgr_block(key, path, strlen(path) + 1);
  bool exists = stat(path, &status) == 0;
  og_comgr_number(key, exists);
  if (!exists)
    return;
  og_comgr_number(key, status.st_dev);
  og_comgr_number(key, status.st_ino);
  og_comgr_number(key, (uint64_t)status.st_size);
  og_comgr_number(key, (uint64_t)status.st_mtim.tv_sec);
  og_comgr_number(key, (uint64_t)status.st_mtim.tv_nsec);
}

/* The compiler is whatever is loaded of comgr, LLVM, clang and lld. This library is among them: a new one trusts
 * nothing that an older one kept. */
static int add_library(struct dl_phdr_info *object, size_t size, void *key) {
  static const char *const parts[] = {"comgr", "LLVM", "clang", "lld"};
  (void)size;
  const char *slash = strrchr(object->dlpi_name, '/');
  for (size_t i = 0; slash && i < sizeof parts / sizeof *parts; i++)
    if (strstr(slash, parts[i])) {
      identity(key, object->dlpi_name);
      break;
    }
  return 0;
}

static void add_compiler(struct comgr_bytes *key) {
  /* Where clang looks for its device library; a folder's time changes with the names in it. */
  static const char *const folders[] = {"/opt", "/opt/rocm", "/opt/rocm/amdgcn/bitcode", "/opt/rocm/lib"};
  dl_iterate_phdr(add_library, key);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    identity(key, folders[i]);
}

/* Texts are told in two calls: the first gives the size. */
#define ADD_TEXT(key, get, ...) \
  ({ \
    size_t size_ = 0; \
    char *text_ = NULL; \
    if (get(__VA_ARGS__, &size_, NULL) == COMGR_SUCCESS) \
      text_ = og_comgr_new_block(key, size_); \
    text_ && get(__VA_ARGS__, &size_, text_) == COMGR_SUCCESS && size_ && text_[size_ - 1] == 0 ? text_ : NULL; \
  })

static bool add_options(struct comgr_bytes *key, amd_comgr_action_info_t info) {
  size_t count = 0, size = 0;
  if (amd_comgr_action_info_get_option_list_count(info, &count) != COMGR_SUCCESS &&
      (amd_comgr_action_info_get_options(info, &size, NULL) != COMGR_SUCCESS || size > 1))
    return false; /* options in one text, which hardly anyone gives */
  og_comgr_number(key, count);
  for (size_t i = 0; i < count; i++)
    if (!ADD_TEXT(key, amd_comgr_action_info_get_option_list_item, info, i))
      return false;
  return true;
}

static bool add_info(struct comgr_bytes *key, amd_comgr_action_info_t info) {
  int language;
  bool logging;
  if (amd_comgr_action_info_get_language(info, &language) != COMGR_SUCCESS ||
      amd_comgr_action_info_get_logging(info, &logging) != COMGR_SUCCESS)
    return false;
  og_comgr_number(key, (uint64_t)language);
  og_comgr_number(key, logging);
  return og_comgr_texts(info) == COMGR_HAS_ISA_NAME && ADD_TEXT(key, amd_comgr_action_info_get_isa_name, info);
}

bool og_comgr_key(struct comgr_bytes *key, int kind, amd_comgr_action_info_t info, amd_comgr_data_set_t input) {
  size_t major = 0, minor = 0;
  amd_comgr_get_version(&major, &minor);
  if (major != MAJOR || minor > LAST_MINOR || !og_comgr_is_worth_it(kind) || !og_comgr_is_plain_surrounding())
    return false;
  og_comgr_number(key, minor);
  og_comgr_number(key, (uint64_t)kind);
  add_compiler(key);
  if (!add_info(key, info))
    return false;
  size_t options = key->size;
  if (!add_options(key, info))
    return false;
  size_t set = key->size;
  if (!og_comgr_set_to_bytes(input, key))
    return false;
  struct comgr_rest its_options = {key->bytes + options + sizeof(uint64_t), set - options - sizeof(uint64_t)};
  struct comgr_rest its_set = {key->bytes + set, key->size - set};
  return og_comgr_are_plain_options(its_options, its_set) && og_comgr_are_plain_objects(kind, its_set);
}
