/* find.c - looks for the real libamd_comgr.so.2 and into its list of functions. */
#include "comgr/find.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "amd_comgr_"
#define MARK "offgrid_comgr_cache" /* what caches export, and no real library does */

static const char *const functions[] = {
#define FUNCTION(name) #name,
#include "comgr/functions.def"
#undef FUNCTION
};

static const char *const system_folders[] = {
    "/usr/local/lib", "/lib/" OG_LIBRARY_ARCHITECTURE, "/usr/lib/" OG_LIBRARY_ARCHITECTURE, "/lib64", "/usr/lib64", "/lib",
    "/usr/lib", "/opt/rocm/lib",
};

/* A library's names: its dynamic symbols and their strings, within a mapped file. */
struct symbols {
  const char *file;
  size_t size;
  const Elf64_Sym *symbols;
  size_t count;
  const char *strings;
  size_t strings_size; /* the last one ends there, with a zero */
};

static bool is_within(const struct symbols *in, const Elf64_Shdr *section) {
  return section->sh_offset <= in->size && section->sh_size <= in->size - section->sh_offset;
}

static bool find_symbols(struct symbols *in) {
  const Elf64_Ehdr *header = (const void *)in->file;
  if (in->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64 ||
      header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % sizeof(uint64_t) != 0 ||
      header->e_shoff > in->size || header->e_shnum > (in->size - header->e_shoff) / sizeof(Elf64_Shdr))
    return false;
  const Elf64_Shdr *sections = (const void *)(in->file + header->e_shoff);
  for (size_t i = 0; i < header->e_shnum; i++) {
    const Elf64_Shdr *section = &sections[i];
    if (section->sh_type != SHT_DYNSYM)
      continue;
    const Elf64_Shdr *strings = &sections[section->sh_link < header->e_shnum ? section->sh_link : i];
    if (strings->sh_type != SHT_STRTAB || !is_within(in, section) || !is_within(in, strings) ||
        section->sh_offset % sizeof(uint64_t) != 0 || strings->sh_size == 0)
      return false;
    in->symbols = (const void *)(in->file + section->sh_offset);
    in->count = section->sh_size / sizeof *in->symbols;
    in->strings = in->file + strings->sh_offset;
    in->strings_size = strings->sh_size;
    return in->strings[in->strings_size - 1] == 0;
  }
  return false;
}

/* Maps a library; in->file is to be unmapped if this succeeds. Only the pages that are looked at are read. */
static bool open_symbols(struct symbols *in, const char *path) {
  *in = (struct symbols){0};
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return false;
  void *mapped = MAP_FAILED;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED)
    return false;
  in->file = mapped;
  in->size = (size_t)status.st_size;
  if (find_symbols(in))
    return true;
  munmap(mapped, in->size);
  return false;
}

/* The name of a symbol that is defined, "" for others. */
static const char *defined(const struct symbols *in, size_t index) {
  const Elf64_Sym *symbol = &in->symbols[index];
  return symbol->st_shndx != SHN_UNDEF && symbol->st_name < in->strings_size ? in->strings + symbol->st_name : "";
}

static bool is_cache(const struct symbols *in) {
  for (size_t i = 0; i < in->count; i++)
    if (strcmp(defined(in, i), MARK) == 0)
      return true;
  return false;
}

static bool is_function(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i], name) == 0)
      return true;
  return false;
}

bool og_comgr_is_known(const char *path) {
  struct symbols in;
  if (!open_symbols(&in, path))
    return false;
  bool known = true;
  for (size_t i = 0; known && i < in.count; i++) {
    const char *name = defined(&in, i);
    /* Versions stand among the symbols as well, as objects without a place. */
    if (strncmp(name, PREFIX, strlen(PREFIX)) == 0 && in.symbols[i].st_shndx != SHN_ABS)
      known = is_function(name);
  }
  munmap((void *)in.file, in.size);
  return known;
}

static bool find_in(const char *folder, size_t length, char path[PATH_MAX]) {
  int size = snprintf(path, PATH_MAX, "%.*s/" OG_COMGR_LIBRARY, length ? (int)length : 1, length ? folder : ".");
  struct symbols in;
  if (size >= PATH_MAX || !open_symbols(&in, path))
    return false;
  bool real = !is_cache(&in);
  munmap((void *)in.file, in.size);
  return real;
}

bool og_comgr_find(const char *hip_folder, char path[PATH_MAX]) {
  const char *list = getenv("LD_LIBRARY_PATH");
  for (const char *end; list && *list; list = *end ? end + 1 : NULL) {
    end = list + strcspn(list, ":;");
    if (find_in(list, (size_t)(end - list), path))
      return true;
  }
  if (hip_folder && find_in(hip_folder, strlen(hip_folder), path))
    return true;
  for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
    if (find_in(system_folders[i], strlen(system_folders[i]), path))
      return true;
  return false;
}
