/* elf.h - an ELF file in memory: what `as` fills, `ld` and the loader read; reading and writing it. */
#ifndef OG_ELF_H
#define OG_ELF_H

#include <elf.h>

#include "base/base.h"
#include "target/target.h"

enum {
  OG_EM_AMDGPU = 224,
  OG_OSABI_NONE = 0, OG_OSABI_HSA = 64, OG_OSABI_PAL = 65, OG_OSABI_MESA3D = 66,
  OG_SHN_AMDGPU_LDS = 0xff00, /* st_shndx in the file */
  OG_STT_AMDGPU_HSA_KERNEL = 10,
  OG_SHT_LLVM_ADDRSIG = 0x6fff4c03,
};

/* Where a symbol lives, besides index into og_object.sections. */
#define OG_SECTION_UNDEFINED 0u
#define OG_SECTION_ABSOLUTE 0xfffffff1u
#define OG_SECTION_COMMON 0xfffffff2u /* value = alignment */
#define OG_SECTION_LDS 0xfffffff3u    /* SHN_AMDGPU_LDS: value = alignment */
#define OG_SECTION_OTHER 0xffffffffu  /* a reserved index that means nothing here */

struct og_section {
  const char *name;
  uint32_t type;  /* SHT_* */
  uint64_t flags; /* SHF_* */
  uint64_t address;
  const uint8_t *data; /* NULL where type is SHT_NOBITS */
  uint64_t size;
  uint64_t alignment; /* a power of two; 0 and 1 mean none */
  uint64_t entry_size;
  uint32_t link, info; /* as read; the writer makes its own for what it generates. SHF_LINK_ORDER: link is an index
                          into sections */
  uint64_t offset;     /* in the file, as read */
  const char *group;   /* signature of the group it belongs to, or NULL */
  bool plain_group;    /* the writer's: that is no COMDAT group */
};

/* Symbols of which one calls the other, and how often. */
struct og_calls {
  uint32_t caller, callee;
  uint64_t count;
};

struct og_symbol {
  const char *name; /* "" for none */
  uint64_t value, size;
  uint32_t section;   /* index into sections or OG_SECTION_* */
  uint8_t binding;    /* STB_* */
  uint8_t type;       /* STT_*, OG_STT_AMDGPU_HSA_KERNEL */
  uint8_t visibility; /* STV_* */
};

#define OG_RELOCATIONS(X)                                                                                            \
  X(NONE, 0) X(ABS32_LO, 1) X(ABS32_HI, 2) X(ABS64, 3) X(REL32, 4) X(REL64, 5) X(ABS32, 6) X(GOTPCREL, 7)            \
  X(GOTPCREL32_LO, 8) X(GOTPCREL32_HI, 9) X(REL32_LO, 10) X(REL32_HI, 11) X(RELATIVE64, 13) X(REL16, 14)
#define OG_RELOCATION_ENUM(name, value) OG_R_AMDGPU_##name = value,
enum og_relocation_type { OG_RELOCATIONS(OG_RELOCATION_ENUM) };
const char *og_relocation_name(uint32_t type); /* "R_AMDGPU_ABS64"; NULL if there is none */
unsigned og_relocation_size(uint32_t type);    /* bytes that it fills; 0 if there is none */
/* Where a relocation's value comes from (S + A, S + A - P, G + GOT + A - P, B + A of the user guide), how many bytes of
 * it are stored, and from which bit on. */
enum og_relocation_origin { OG_FROM_ADDRESS, OG_FROM_DISTANCE, OG_FROM_GOT, OG_FROM_BASE };
struct og_relocation_formula {
  uint8_t origin, bytes, shift, range;
};
const struct og_relocation_formula *og_relocation_formula(uint32_t type); /* NULL: nothing is stored for it */
/* Stores it; yields NULL, or what the value should have been ("a 32-bit number"). */
const char *og_relocation_store(const struct og_relocation_formula *formula, uint8_t *place, uint64_t value);

struct og_relocation {
  uint32_t section; /* that it patches: index; 0 for those of a dynamic section, whose offset is an address */
  uint64_t offset;
  uint32_t type;
  uint32_t symbol; /* index into symbols (into dynamic_symbols for dynamic ones); 0 is none */
  int64_t addend;
  bool in_place; /* as read: the addend stood in the patched bytes, not in the table */
};

struct og_segment {
  uint32_t type, flags; /* PT_*, PF_* */
  uint64_t offset, address, file_size, memory_size, alignment;
};

/* Everything in it belongs to `arena`, or to the bytes it was read from. */
struct og_object {
  struct og_arena *arena;
  const char *name; /* for messages */
  bool elf32;       /* r600 */
  uint8_t os_abi, abi_version;
  uint16_t type, machine; /* ET_REL, ET_DYN */
  uint32_t flags;
  uint64_t entry;
  OG_VECTOR(struct og_section) sections;         /* [0] is the null section */
  OG_VECTOR(struct og_symbol) symbols;           /* [0] is the null symbol */
  OG_VECTOR(struct og_symbol) dynamic_symbols;   /* [0] is the null symbol */
  OG_VECTOR(struct og_relocation) relocations;
  OG_VECTOR(struct og_relocation) dynamic_relocations;
  OG_VECTOR(struct og_relocation) applied_relocations; /* kept in a linked file: offsets are addresses */
  OG_VECTOR(struct og_segment) segments;
  bool has_address_table;              /* .addrsig was said: the writer adds .llvm_addrsig */
  OG_VECTOR(struct og_calls) calls;    /* .cg_profile: the writer adds .llvm.call-graph-profile */
  OG_VECTOR(uint32_t) address_symbols; /* .addrsig_sym: symbols whose addresses matter */
  const uint8_t *bytes; /* the file it was read from, or NULL */
  size_t size;
};

/* An empty ET_REL with null section and null symbol; header from the target and code object version (2..6). */
struct og_object *og_object_new(struct og_arena *arena, const struct og_target *target, int code_object_version);
/* The header's parts that depend on the code object version. */
void og_object_set_version(struct og_object *object, const struct og_target *target, int code_object_version);
/* Appends and yields the index. Strings and data are not copied. */
uint32_t og_object_add_section(struct og_object *object, const char *name, uint32_t type, uint64_t flags,
                               uint64_t alignment);
uint32_t og_object_add_symbol(struct og_object *object, struct og_symbol symbol);
void og_object_add_relocation(struct og_object *object, struct og_relocation relocation);
/* Relocations by section and offset, those of one place as they stand in the table. */
struct og_relocations {
  const struct og_relocation **items;
  size_t count;
};
struct og_relocations og_relocations_by_place(struct og_arena *arena, const struct og_object *object);
struct og_relocations og_relocations_of(const struct og_relocations *all, uint32_t section);
/* Index of the first at or after the place. */
size_t og_relocations_from(const struct og_relocations *all, uint32_t section, uint64_t offset);
uint32_t og_object_find_section(const struct og_object *object, const char *name); /* 0 if there is none */
const struct og_symbol *og_object_find_symbol(const struct og_object *object,
                                              struct og_text name); /* dynamic ones too; NULL */

/* A C++ name in words, in the arena; `name` itself where it is none. */
const char *og_demangle(struct og_arena *arena, const char *name);

/* Relocatable file; string, symbol and relocation tables are made here. Local symbols go first, otherwise order is
 * kept. A section whose `group` is set gets a group, a COMDAT one unless the first member says otherwise. False with a
 * diagnostic where it cannot be said in ELF. */
bool og_object_write(const struct og_object *object, struct og_buffer *out, struct og_diagnostics *diagnostics);
/* Reads ELF32 or ELF64, little endian, EM_AMDGPU. Every offset is checked; NULL with a
 * diagnostic. The bytes must outlive it. */
struct og_object *og_object_read(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                                 struct og_diagnostics *diagnostics);
bool og_is_elf(const void *bytes, size_t size);

/* How bundles of code objects begin: clang's, compressed ones, LLVM's offload binaries. */
#define OG_BUNDLE_MAGIC "__CLANG_OFFLOAD_BUNDLE__"
#define OG_COMPRESSED_MAGIC "CCOB"
#define OG_OFFLOAD_MAGIC "\x10\xff\x10\xad"
bool og_is_bundle(const void *bytes, size_t size);

/* Relocations by section: those of section i are index[start[i]] to index[start[i + 1] - 1]. */
struct og_relocation_order {
  uint32_t *start, *index;
};
struct og_relocation_order og_order_relocations(struct og_arena *arena, const struct og_object *object);

/* Whether its relocation tables hold addends: LLVM writes them for HSA alone; elsewhere they stand in the patched
 * bytes. */
bool og_has_addends(const struct og_object *object);

#endif
