/* object.h - code objects: the ELF file in memory, kernel descriptors, metadata, notes, and what a loader needs. */
#ifndef OG_OBJECT_H
#define OG_OBJECT_H

#include <elf.h>

#include "base/base.h"
#include "target/initial_state.h"

/* ---- the ELF file in memory: what `as` fills, `ld` and the loader read ------------------------------------------- */

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
/* The header's parts that hang on the code object version. */
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
/* Index of the first at or behind the place. */
size_t og_relocations_from(const struct og_relocations *all, uint32_t section, uint64_t offset);
size_t og_code_size(const struct og_object *object); /* of all sections of instructions */
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

/* ---- kernel descriptor: `.amdhsa_*` directives to its 64 bytes and back ------------------------------------------- */

enum { OG_KD_REQUIRED = -1, OG_KD_BY_TARGET = -2, OG_KD_COMPUTED = -3 };

/* directives.def: OG_KDD_NEXT_FREE_VGPR and so on. */
#define SAME(id, ...) OG_KDD_##id,
#define LIMITED(id, ...) OG_KDD_##id,
#define COUNTED(id, ...) OG_KDD_##id,
enum og_kd_directive {
#include "object/directives.def"
  OG_KDD_COUNT
};
#undef SAME
#undef LIMITED
#undef COUNTED

struct og_kd_directive_info {
  const char *name; /* without ".amdhsa_" */
  uint8_t field;    /* enum og_kd_field that it sets; OG_KD_FIELD_COUNT where that takes counting */
  uint8_t bits;     /* without a field */
  int8_t default_value;
  uint32_t where;   /* 0: where the field exists */
};
extern const struct og_kd_directive_info og_kd_directives[OG_KDD_COUNT];
int og_find_kd_directive(struct og_text name); /* ".amdhsa_x" or "x"; -1 if there is none */
bool og_kd_exists(const struct og_target *target, enum og_kd_directive directive);
const char *og_kd_refusal(const struct og_target *target,
                          enum og_kd_directive directive); /* what LLVM says where it does not exist */
unsigned og_kd_directive_bits(const struct og_target *target, enum og_kd_directive directive); /* of its value */

/* What the source said between .amdhsa_kernel and .end_amdhsa_kernel. */
struct og_kd_values {
  uint64_t value[OG_KDD_COUNT];
  bool given[OG_KDD_COUNT];
  struct og_range range[OG_KDD_COUNT]; /* of the value, for errors about combinations */
};

/* Defaults of the target for all that is not given; required ones stay as they are. */
void og_kd_defaults(const struct og_target *target, struct og_kd_values *values);
/* Values -> the 64 bytes, granulated counts included; kernel_code_entry_byte_offset is left 0 (a REL64
 * relocation at byte 16). `end` is the place of .end_amdhsa_kernel, where what is missing is reported. Not
 * given values take their defaults. */
bool og_kd_encode(const struct og_target *target, const struct og_kd_values *values,
                  struct og_range end, uint8_t *descriptor, struct og_diagnostics *diagnostics);
/* The 64 bytes -> values that encode to the same bytes, for printing; false where reserved
 * bits are set (name says which). */
bool og_kd_decode(const struct og_target *target, const uint8_t *descriptor, struct og_kd_values *values,
                  const char **bad_field);
/* Lines "\t\t.amdhsa_x value\n", as LLVM's assembler prints them. False as og_kd_decode. */
bool og_kd_print(const struct og_target *target, const char *name, const uint8_t *descriptor, struct og_buffer *out);
/* The same as llvm-objdump prints it, which need not encode to the same bytes. */
bool og_kd_dump(const struct og_target *target, int version, const char *name, const uint8_t *descriptor,
                struct og_buffer *out);

/* ---- amd_kernel_code_t: 256 bytes before a kernel's code, code object V2 (compute ABI, "AMD Kernel Code") -------- */

enum { OG_KERNEL_CODE_SIZE = 256 };

struct og_kernel_code_field {
  const char *key;        /* "amd_code_version_major", "compute_pgm_rsrc1_vgprs" ... as in .amd_kernel_code_t */
  const char *alias;      /* other accepted spelling, or NULL */
  uint8_t byte, size;     /* word */
  uint8_t bit, bits;      /* within the word */
  bool printed;           /* others are parts or wholes of printed ones */
};
extern const struct og_kernel_code_field og_kernel_code_fields[];
extern const size_t og_kernel_code_field_count;

const struct og_kernel_code_field *og_find_kernel_code_field(struct og_text key);
uint64_t og_kernel_code_get(const uint8_t *kernel_code, const struct og_kernel_code_field *field);
bool og_kernel_code_set(uint8_t *kernel_code, const struct og_kernel_code_field *field,
                        uint64_t value); /* false: does not fit */
void og_kernel_code_defaults(const struct og_target *target, uint8_t *kernel_code);
/* Lines "\t\tkey = value\n" for all that the assembler takes. */
void og_kernel_code_print(const uint8_t *kernel_code, struct og_buffer *out);
bool og_kernel_code_is_said(const uint8_t *kernel_code); /* these lines give the same bytes back */
/* The 64-byte descriptor that asks for the same (entry offset relative to the
 * amd_kernel_code_t): one form for the executor. */
void og_kernel_code_to_descriptor(const uint8_t *kernel_code, uint8_t *descriptor);

/* ---- metadata: a document tree; YAML text and MessagePack are its two files -------------------------------------- */

enum og_node_kind {
  OG_NODE_NIL,
  OG_NODE_BOOL,
  OG_NODE_INT,
  OG_NODE_UINT,
  OG_NODE_FLOAT,
  OG_NODE_STRING,
  OG_NODE_BINARY,
  OG_NODE_LIST,
  OG_NODE_MAP
};

struct og_node {
  enum og_node_kind kind;
  union {
    bool boolean;
    int64_t integer;
    uint64_t unsigned_integer;
    double real;
    struct og_text text; /* STRING, BINARY; a NUL stands behind */
    struct {
      struct og_node *items; /* LIST: count items; MAP: count pairs, key before value */
      uint32_t count;
    };
  };
  struct og_range range; /* in the YAML text, if it came from there */
};

struct og_node *og_node_get(const struct og_node *map, const char *key); /* NULL if it is no map or has no such key */
/* Its value, NIL if the key is new. */
struct og_node *og_node_add(struct og_arena *arena, struct og_node *map, const char *key);
const char *og_node_string(const struct og_node *node, const char *otherwise); /* of a string node; NUL-terminated */
/* Value of an integer node of either sign; false if it is none. */
bool og_node_uint(const struct og_node *node, uint64_t *value);

/* `within` is where `text` stands in its source, for errors. */
struct og_node *og_metadata_from_yaml(struct og_arena *arena, struct og_text text, struct og_range within,
                                      struct og_diagnostics *diagnostics);
/* "---\n" ... "...\n", as LLVM prints it; V2 puts lists of numbers on one line. */
void og_metadata_to_yaml(const struct og_node *root, int code_object_version, struct og_buffer *out);
/* The same with numbers in hexadecimal digits, as LLVM prints PAL metadata. */
void og_metadata_to_hex_yaml(const struct og_node *root, struct og_buffer *out);
struct og_node *og_metadata_from_msgpack(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                                         struct og_diagnostics *diagnostics);
void og_metadata_to_msgpack(const struct og_node *root, struct og_buffer *out); /* maps sorted by key, as LLVM writes */
/* The key sets of V2 (YAML, capitalised keys) and of V3 to V6; errors name the key and its
 * kernel. Unknown vendor keys pass. */
bool og_metadata_verify(const struct og_node *root, int code_object_version, const char *name,
                        struct og_diagnostics *diagnostics);

/* Appends one ELF note record: name and description padded to 4 bytes. */
void og_note_append(struct og_buffer *out, const char *name, uint32_t type, const void *description, size_t size);
/* Appends the note that holds metadata: YAML for version 2, MessagePack later. */
void og_metadata_append(const struct og_node *root, int code_object_version, struct og_buffer *out);
enum {
  OG_NT_AMD_HSA_CODE_OBJECT_VERSION = 1,
  OG_NT_AMD_HSA_HSAIL = 2,
  OG_NT_AMD_HSA_ISA_VERSION = 3,
  OG_NT_AMD_HSA_METADATA = 10,
  OG_NT_AMD_HSA_ISA_NAME = 11,
  OG_NT_AMD_PAL_METADATA = 12,
  OG_NT_AMDGPU_METADATA = 32,
};
struct og_note {
  const char *name;
  uint32_t type;
  const uint8_t *description;
  size_t size;
};
/* Text of `.amdgpu_metadata` (V3 up) or `.amd_amdgpu_hsa_metadata` (V2) -> the note record, appended; verified. */
bool og_metadata_note(struct og_arena *arena, struct og_text yaml, struct og_range within, int code_object_version,
                      struct og_buffer *out, struct og_diagnostics *diagnostics);
/* Steps through the notes of a section or segment: *offset from 0; false at the end, or where a record is cut short. */
bool og_note_next(const uint8_t *bytes, size_t size, uint64_t alignment, size_t *offset, struct og_note *note);
/* 2 for a note with V2's metadata, 3 for one of V3 and later, 0 for all others. */
int og_note_metadata_version(const struct og_note *note);
struct og_node *og_note_read_metadata(struct og_arena *arena, const char *name, const struct og_note *note,
                                      struct og_diagnostics *diagnostics);
/* The first document with the kernels and printf formats of the others behind its own: linkers
 * put several notes into one file. */
struct og_node *og_metadata_merge(struct og_arena *arena, struct og_node *const *documents, uint32_t count, bool v2);

/* ---- code object: what a loader needs ---------------------------------------------------------------------------- */

struct og_kernel_arg {
  const char *name;       /* or "" */
  const char *type_name;  /* or "" */
  const char *value_kind; /* V3 spelling: "by_value", "global_buffer", "hidden_global_offset_x" ... */
  const char *address_space; /* or "" */
  const char *access;        /* or "" */
  uint32_t offset, size, pointee_align;
};

struct og_kernel {
  const char *name;   /* as users call it */
  const char *symbol; /* "name.kd", or the kernel's own symbol in V2 */
  uint64_t object;    /* address, before loading, of descriptor or amd_kernel_code_t: what an AQL packet names */
  uint64_t entry;     /* address of the first instruction */
  uint64_t code_size; /* of the function symbol; 0 unknown */
  bool is_kernel_code; /* V2: amd_kernel_code_t stands at `object` */
  uint8_t descriptor[OG_DESCRIPTOR_SIZE]; /* V2: converted */
  struct og_initial_state start;          /* what it says */
  const struct og_node *metadata; /* its map, or NULL */
  uint32_t kernarg_size, kernarg_align;
  uint32_t group_size, private_size; /* fixed, bytes */
  uint32_t wavefront_size;
  uint32_t max_flat_workgroup_size;   /* 0 unknown */
  uint32_t reqd_workgroup_size[3];    /* 0 if not required */
  uint32_t sgpr_count, vgpr_count, agpr_count; /* of the metadata; 0 unknown */
  bool uses_dynamic_stack;
  const struct og_kernel_arg *args;
  uint32_t arg_count;
};

struct og_code_object {
  struct og_object *elf;
  struct og_target target;
  int version; /* 2..6 */
  uint64_t load_size; /* bytes from address 0 to the end of the last PT_LOAD */
  uint64_t load_align;
  const struct og_node *metadata; /* root, or NULL */
  const struct og_kernel *kernels;
  uint32_t kernel_count;
};

/* Opens ET_DYN (loadable) or ET_REL (for inspection only: addresses are offsets then). NULL with a diagnostic. */
struct og_code_object *og_code_object_open(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                                           struct og_diagnostics *diagnostics);
const struct og_kernel *og_code_object_kernel(const struct og_code_object *code,
                                              struct og_text name); /* with or without ".kd" */

/* What a symbol that the code object leaves open resolves to; false if unknown. */
typedef bool (*og_resolve_symbol)(void *context, const struct og_symbol *symbol, uint64_t *address);
/* Copies the segments to `memory` (load_size bytes, zeroed, aligned to load_align) and applies dynamic
 * relocations as if it stood at `address`. */
bool og_code_object_load(const struct og_code_object *code, void *memory, uint64_t address, og_resolve_symbol resolve,
                         void *context, struct og_diagnostics *diagnostics);

/* ---- linking ----------------------------------------------------------------------------------------------------- */

enum og_build_id { OG_BUILD_ID_NONE, OG_BUILD_ID_SHA1, OG_BUILD_ID_MD5, OG_BUILD_ID_FAST, OG_BUILD_ID_GIVEN };
enum og_link_undefined { OG_UNDEFINED_ERROR, OG_UNDEFINED_WARNING, OG_UNDEFINED_ALLOWED };

/* What the options of ld.lld say; all zero is the usual link. Lists of names end with NULL, and may be NULL. */
struct og_link_options {
  bool relocatable; /* -r: another relocatable object */
  bool gc_sections;
  enum og_link_undefined undefined; /* allowed or warned of: symbols are left to the loader */
  bool allow_multiple;              /* the first definition is taken */
  bool undefined_version;           /* a version script may name what is not there */
  bool no_sysv_hash, no_gnu_hash, no_relro, no_stack_note;
  bool strip_all, strip_debug, discard_temporaries, discard_locals, emit_relocations;
  uint64_t page_size;        /* 0: 4096 */
  enum og_build_id build_id; /* a NT_GNU_BUILD_ID note over the output */
  const uint8_t *given_id;
  size_t given_id_size;
  const char *entry, *soname, *run_path; /* or NULL */
  const char *const *keep;               /* taken from archives, and kept by gc */
  const char *const *wrap;               /* references to NAME mean __wrap_NAME, those to __real_NAME mean NAME */
  const char *const *exclude_libs;       /* archives whose symbols are not exported; "ALL" */
  const char *const *definitions;        /* "NAME=EXPRESSION" */
  const struct og_source *version_script;
  const struct og_source *const *dynamic_lists;
  struct og_buffer *map, *removed; /* or NULL: the link map; a line for each section that gc_sections drops */
};

struct og_link_input {
  const char *name;
  const void *bytes; /* a relocatable object or an archive of them */
  size_t size;
  bool whole_archive; /* each member is taken, needed or not */
  bool lazy;          /* an object that is taken only for what it defines (--start-lib) */
};

/* Relocatable objects -> one loadable ET_DYN code object, or one relocatable object. */
bool og_link(struct og_arena *arena, const struct og_link_input *inputs, size_t count,
             const struct og_link_options *options, struct og_buffer *out, struct og_diagnostics *diagnostics);

/* ---- offload bundles --------------------------------------------------------------------------------------------- */

struct og_bundle_entry {
  const char *id; /* "hipv4-amdgcn-amd-amdhsa--gfx900", "host-x86_64-unknown-linux-gnu" ... */
  const uint8_t *data;
  size_t size;
};
struct og_bundle {
  OG_VECTOR(struct og_bundle_entry) entries;
};

bool og_is_bundle(const void *bytes, size_t size); /* plain or compressed (CCOB) */
/* A bundle, several one behind the other, or a host ELF that carries them in .hip_fatbin (or GCC's
 * and LLVM's offload sections). */
bool og_bundle_read(struct og_arena *arena, const char *name, const void *bytes, size_t size, struct og_bundle *bundle,
                    struct og_diagnostics *diagnostics);

struct og_code_objects {
  OG_VECTOR(struct og_code_object *) items;
};
/* A code object, or each one that a bundle or host file carries, named "file(id)". False
 * where one could not be opened. */
bool og_open_code_objects(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                          struct og_code_objects *objects, struct og_diagnostics *diagnostics);

#endif
