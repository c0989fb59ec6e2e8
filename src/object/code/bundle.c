/* bundle.c - code objects inside other files: Clang offload bundles (plain or compressed), LLVM offload binaries, and
 * host ELF files that carry them. Layouts: Clang's documentation, "Clang Offload Bundler"; LLVM's OffloadBinary. */
#include "object/code/code_object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { BUNDLE_MAGIC_SIZE = sizeof OG_BUNDLE_MAGIC - 1, STEP = 8 };
enum { MOST_OF_NAME = 512 }; /* bytes of a section's: names may overlap, and are copied */
enum { UNPACKED_RATIO = 16, UNPACKED_ALWAYS = 16 << 20 };

struct finder {
  struct og_arena *arena;
  const char *name;
  struct og_bundle *bundle;
  struct og_diagnostics *diagnostics;
  uint64_t budget; /* bytes that compressed bundles may still unpack to */
};

#define FAIL(f, ...) og_error_in((f)->diagnostics, (f)->name, __VA_ARGS__)

static bool starts(const uint8_t *bytes, size_t size, const char *magic, size_t magic_size) {
  return size >= magic_size && memcmp(bytes, magic, magic_size) == 0;
}

static void add_entry(struct finder *f, const char *id, const uint8_t *data, size_t size) {
  *OG_PUSH(f->arena, &f->bundle->entries) = (struct og_bundle_entry){id, data, size};
}

/* ---- plain bundles ----------------------------------------------------------------------------------------------- */

/* *used: bytes from the start to the end of the last entry. */
static bool read_plain(struct finder *f, const uint8_t *bytes, size_t size, size_t *used) {
  if (size < BUNDLE_MAGIC_SIZE + 8)
    return FAIL(f, "offload bundle cut short in its header");
  uint64_t count = og_load64(bytes + BUNDLE_MAGIC_SIZE), at = BUNDLE_MAGIC_SIZE + 8;
  *used = at;
  for (uint64_t i = 0; i < count; i++) {
    if (size - at < 24)
      return FAIL(f, "offload bundle: entry %" PRIu64 " of %" PRIu64 " is outside the file", i, count);
    uint64_t offset = og_load64(bytes + at), length = og_load64(bytes + at + 8), id_size = og_load64(bytes + at + 16);
    at += 24;
    if (id_size > size - at || offset > size || length > size - offset)
      return FAIL(f, "offload bundle: entry %" PRIu64 " (offset 0x%" PRIx64 ", %" PRIu64 " bytes) is outside the file",
                  i, offset, length);
    add_entry(f, og_arena_copy(f->arena, (const char *)bytes + at, id_size), bytes + offset, length);
    at += id_size;
    *used = OG_MAX(*used, OG_MAX(at, offset + length));
  }
  return true;
}

/* ---- compressed bundles ------------------------------------------------------------------------------------------ */

enum { METHOD_ZLIB, METHOD_ZSTD };

/* Bytes made of *size packed ones, of which *size become those of the first stream; 0 where it is damaged. */
static size_t unpack_zlib(uint8_t *out, size_t room, const uint8_t *bytes, size_t *size) {
  z_stream z = {.next_in = (uint8_t *)(uintptr_t)bytes, .next_out = out};
  int status = inflateInit(&z);
  while (status == Z_OK) { /* in steps, since zlib counts in 32 bits */
    z.avail_in = (uInt)OG_MIN(*size - z.total_in, UINT32_MAX);
    z.avail_out = (uInt)OG_MIN(room - z.total_out, UINT32_MAX);
    status = inflate(&z, Z_NO_FLUSH);
  }
  inflateEnd(&z);
  *size = z.total_in;
  return status == Z_STREAM_END ? z.total_out : 0;
}

/* The same. In one step: streaming would allocate the window that the data asks for. */
static size_t unpack_zstd(uint8_t *out, size_t room, const uint8_t *bytes, size_t *size) {
  size_t taken = ZSTD_findFrameCompressedSize(bytes, *size);
  size_t made = ZSTD_isError(taken) ? taken : ZSTD_decompress(out, room, bytes, taken);
  *size = taken;
  return ZSTD_isError(made) ? 0 : made;
}

struct compressed_header {
  uint16_t version, method;
  uint64_t total, unpacked;
  bool sized; /* else total is all that follows, since version 1 does not tell */
  size_t size;
};

static bool read_compressed_header(const uint8_t *bytes, size_t size, struct compressed_header *h) {
  if (size < 20)
    return false;
  *h = (struct compressed_header){.version = og_load16(bytes + 4), .method = og_load16(bytes + 6)};
  switch (h->version) {
  case 1: h->unpacked = og_load32(bytes + 8), h->size = 20; break;
  case 2: h->total = og_load32(bytes + 8), h->unpacked = og_load32(bytes + 12), h->size = 24; break;
  case 3:
    if (size < 32)
      return false;
    h->total = og_load64(bytes + 8), h->unpacked = og_load64(bytes + 16), h->size = 32;
    break;
  default: return false;
  }
  h->sized = h->total;
  if (!h->sized)
    h->total = size;
  return h->size <= h->total && h->total <= size;
}

/* A stream of zeros packs thousandfold: what a file may unpack to, all its bundles together, is bounded. */
static bool spend(struct finder *f, uint64_t unpacked) {
  if (unpacked > f->budget)
    return FAIL(f, "compressed offload bundle: %" PRIu64 " bytes unpacked are more than %u times the file and %u MB",
                unpacked, UNPACKED_RATIO, UNPACKED_ALWAYS >> 20);
  f->budget -= unpacked;
  return true;
}

static bool read_compressed(struct finder *f, const uint8_t *bytes, size_t size, size_t *used) {
  struct compressed_header h;
  if (!read_compressed_header(bytes, size, &h))
    return FAIL(f, "compressed offload bundle: header of unknown version, or cut short");
  if (h.method > METHOD_ZSTD)
    return FAIL(f, "compressed offload bundle: unknown compression method %u", h.method);
  if (!spend(f, h.unpacked))
    return false;
  uint8_t *data = og_arena_alloc(f->arena, h.unpacked);
  size_t packed = h.total - h.size;
  size_t made = (h.method == METHOD_ZLIB ? unpack_zlib : unpack_zstd)(data, h.unpacked, bytes + h.size, &packed);
  if (!made || made != h.unpacked)
    return FAIL(f, "compressed offload bundle: %s data is damaged (%zu of %" PRIu64 " bytes)",
                h.method == METHOD_ZLIB ? "zlib" : "zstd", made, h.unpacked);
  *used = h.sized ? h.total : h.size + packed;
  size_t inner;
  if (!starts(data, made, OG_BUNDLE_MAGIC, BUNDLE_MAGIC_SIZE))
    return FAIL(f, "compressed offload bundle: no bundle inside");
  return read_plain(f, data, made, &inner);
}

/* ---- LLVM's offload binaries ------------------------------------------------------------------------------------- */

static const char *string_at(const uint8_t *bytes, size_t size, uint64_t offset) {
  return offset < size && memchr(bytes + offset, 0, size - offset) ? (const char *)bytes + offset : "";
}

static bool read_offload_binary(struct finder *f, const uint8_t *bytes, size_t size, size_t *used) {
  uint64_t total = size >= 32 ? og_load64(bytes + 8) : 0, entry = size >= 32 ? og_load64(bytes + 16) : 0;
  if (total > size || total < 32 || entry > total || total - entry < 40)
    return FAIL(f, "offload binary: header is outside the file");
  const uint8_t *e = bytes + entry;
  uint64_t strings = og_load64(e + 8), count = og_load64(e + 16), image = og_load64(e + 24),
           image_size = og_load64(e + 32);
  if (image > total || image_size > total - image || strings > total || count > (total - strings) / 16)
    return FAIL(f, "offload binary: image or strings are outside the file");
  const char *triple = "", *arch = "";
  for (uint64_t i = 0; i < count; i++) {
    const char *key = string_at(bytes, total, og_load64(bytes + strings + 16 * i));
    const char *value = string_at(bytes, total, og_load64(bytes + strings + 16 * i + 8));
    if (strcmp(key, "triple") == 0)
      triple = value;
    else if (strcmp(key, "arch") == 0)
      arch = value;
  }
  add_entry(f, og_arena_printf(f->arena, "%s--%s", triple, arch), bytes + image, image_size);
  *used = total;
  return true;
}

/* ---- host files -------------------------------------------------------------------------------------------------- */

/* Size of an AMDGPU ELF at the start of the bytes, by where its section headers end; 0 if there is none. */
static size_t amdgpu_elf_size(const uint8_t *bytes, size_t size) {
  if (!og_is_elf(bytes, size) || size < sizeof(Elf64_Ehdr) || bytes[EI_CLASS] != ELFCLASS64 ||
      og_load16(bytes + 18) != OG_EM_AMDGPU)
    return 0;
  Elf64_Ehdr e;
  memcpy(&e, bytes, sizeof e);
  uint64_t headers = (uint64_t)e.e_shnum * e.e_shentsize;
  return e.e_shoff <= size && headers <= size - e.e_shoff ? e.e_shoff + headers : 0;
}

static const char *elf_id(struct finder *f, const uint8_t *bytes) {
  struct og_target target;
  struct og_buffer id = {0};
  if (!og_target_from_e_flags(&target, bytes[EI_OSABI], bytes[EI_ABIVERSION], og_load32(bytes + 48)))
    return "amdgcn";
  og_target_print_id(&target, bytes[EI_OSABI] == OG_OSABI_HSA ? bytes[EI_ABIVERSION] + 2 : 3, &id);
  const char *copy = og_arena_copy(f->arena, (const char *)id.data, id.size);
  og_buffer_free(&id);
  return copy;
}

/* Recognizes the start of the bytes; *used is 0 if it is of no known kind. */
static bool read_one(struct finder *f, const uint8_t *bytes, size_t size, size_t *used) {
  *used = 0;
  if (starts(bytes, size, OG_BUNDLE_MAGIC, BUNDLE_MAGIC_SIZE))
    return read_plain(f, bytes, size, used);
  if (starts(bytes, size, OG_OFFLOAD_MAGIC, 4) && size >= 8 && og_load32(bytes + 4) <= 2)
    return read_offload_binary(f, bytes, size, used);
  struct compressed_header h;
  if (starts(bytes, size, OG_COMPRESSED_MAGIC, 4) && read_compressed_header(bytes, size, &h))
    return read_compressed(f, bytes, size, used);
  *used = amdgpu_elf_size(bytes, size);
  if (*used)
    add_entry(f, elf_id(f, bytes), bytes, *used);
  return true;
}

/* Everything that carries code objects is aligned to 8 bytes at least: one pass finds all. */
static bool scan(struct finder *f, const uint8_t *bytes, size_t size) {
  for (size_t at = 0; size >= 8 && at <= size - 8;) {
    uint32_t first = og_load32(bytes + at);
    size_t used = 0;
    /* "__CL", "CCOB", 10 ff 10 ad, 7f "ELF" */
    bool known = first == 0x4c435f5f || first == 0x424f4343 || first == 0xad10ff10 || first == 0x464c457f;
    if (known && !read_one(f, bytes + at, size - at, &used))
      return false;
    at = og_align_up(at + OG_MAX(used, 1), STEP);
  }
  return true;
}

/* The next section of a host file, from *index up, whose name begins so. */
static bool next_host_section(const uint8_t *bytes, size_t size, const char *prefix, uint32_t *index,
                              struct og_text *name, const uint8_t **data, size_t *data_size) {
  Elf64_Ehdr e;
  Elf64_Shdr names, s;
  size_t length = strlen(prefix);
  if (size < sizeof e || bytes[EI_CLASS] != ELFCLASS64)
    return false;
  memcpy(&e, bytes, sizeof e);
  if (e.e_shentsize != sizeof s || e.e_shoff > size || (uint64_t)e.e_shnum * sizeof s > size - e.e_shoff ||
      e.e_shstrndx >= e.e_shnum)
    return false;
  memcpy(&names, bytes + e.e_shoff + (uint64_t)e.e_shstrndx * sizeof s, sizeof s);
  if (names.sh_offset > size || names.sh_size > size - names.sh_offset)
    return false;
  while (*index < e.e_shnum) {
    memcpy(&s, bytes + e.e_shoff + (uint64_t)(*index)++ * sizeof s, sizeof s);
    if (s.sh_type == SHT_NOBITS || s.sh_name >= names.sh_size || names.sh_size - s.sh_name < length + 1 ||
        s.sh_offset > size || s.sh_size > size - s.sh_offset)
      continue;
    const char *start = (const char *)bytes + names.sh_offset + s.sh_name;
    *name = (struct og_text){start, strnlen(start, names.sh_size - s.sh_name)};
    if (memcmp(start, prefix, length) == 0)
      return *data = bytes + s.sh_offset, *data_size = s.sh_size, true;
  }
  return false;
}

/* Relocatable host objects (clang's -fgpu-rdc) have a section per target, whose name ends in its id. */
static void read_object_bundle(struct finder *f, const uint8_t *bytes, size_t size) {
  struct og_text name;
  const uint8_t *data;
  size_t data_size;
  for (uint32_t i = 0; next_host_section(bytes, size, OG_BUNDLE_MAGIC, &i, &name, &data, &data_size);)
    add_entry(f, og_arena_copy(f->arena, name.data + BUNDLE_MAGIC_SIZE,
                               OG_MIN(name.size - BUNDLE_MAGIC_SIZE, (size_t)MOST_OF_NAME)),
              data, data_size);
}

/* The fat binary of a host file alone, as its other bytes may look like anything. */
static void find_fat_binary(const uint8_t **bytes, size_t *size) {
  struct og_text name;
  const uint8_t *data;
  size_t data_size;
  for (uint32_t i = 0; next_host_section(*bytes, *size, ".hip_fatbin", &i, &name, &data, &data_size);)
    if (og_text_is(name, ".hip_fatbin")) {
      *bytes = data, *size = data_size;
      return;
    }
}

bool og_bundle_read(struct og_arena *arena, const char *name, const void *bytes, size_t size, struct og_bundle *bundle,
                    struct og_diagnostics *diagnostics) {
  struct finder f = {arena, name, bundle, diagnostics, OG_MAX((uint64_t)size * UNPACKED_RATIO, UNPACKED_ALWAYS)};
  const uint8_t *data = bytes;
  *bundle = (struct og_bundle){0};
  if (og_is_elf(bytes, size) && !amdgpu_elf_size(bytes, size)) {
    read_object_bundle(&f, bytes, size);
    if (bundle->entries.count)
      return true;
    find_fat_binary(&data, &size);
  } else if (!og_is_bundle(bytes, size) && !amdgpu_elf_size(bytes, size)) {
    return memchr(bytes, 0, size) || !size
               ? FAIL(&f, "no offload bundle, and no ELF file that could carry one")
               : FAIL(&f, "this is text; expected a code object or a file that contains one ('offgrid as' assembles)");
  }
  if (!scan(&f, data, size))
    return false;
  return bundle->entries.count || FAIL(&f, "no device code inside");
}

static bool open_one(struct finder *f, const char *name, const uint8_t *bytes, size_t size,
                     struct og_code_objects *objects) {
  struct og_code_object *code = og_code_object_open(f->arena, name, bytes, size, f->diagnostics);
  if (code)
    *OG_PUSH(f->arena, &objects->items) = code;
  return code;
}

bool og_open_code_objects(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                          struct og_code_objects *objects, struct og_diagnostics *diagnostics) {
  struct og_bundle bundle;
  struct finder f = {.arena = arena, .name = name, .diagnostics = diagnostics};
  *objects = (struct og_code_objects){0};
  if (og_is_code_object(bytes, size))
    return open_one(&f, name, bytes, size, objects);
  if (!og_bundle_read(arena, name, bytes, size, &bundle, diagnostics))
    return false;
  bool good = true;
  for (uint32_t i = 0; i < bundle.entries.count; i++) {
    const struct og_bundle_entry *entry = &bundle.entries.items[i];
    if (og_is_code_object(entry->data, entry->size))
      good &= open_one(&f, og_arena_printf(arena, "%s(%s)", name, entry->id), entry->data, entry->size, objects);
  }
  return good;
}
