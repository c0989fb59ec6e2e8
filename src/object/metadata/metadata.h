/* metadata.h - metadata: a document tree, of which YAML text and MessagePack are the two files; notes that hold it. */
#ifndef OG_METADATA_H
#define OG_METADATA_H

#include "base/base.h"

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
    struct og_text text; /* STRING, BINARY; a NUL stands after */
    struct {
      struct og_node *items; /* LIST: count items; MAP: count pairs, key before value */
      uint32_t count;
    };
  };
  struct og_range range; /* in the YAML text, if it came from there */
};

/* Tells most keys and words of metadata apart, such as ".sgpr_spill_count" and ".vgpr_spill_count". */
static inline unsigned og_word_hash(struct og_text word) {
  const uint8_t *c = (const uint8_t *)word.data;
  return word.size ? (unsigned)word.size * 5 + c[word.size - 1] * 7u + c[word.size / 2] * 3u + c[word.size > 1] * 11u
                   : 0;
}

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
/* The YAML of a document that is valid and as compilers write it, which YAML gives back byte for byte: plain strings,
 * whole numbers, known keys that ascend, each value in the fewest bytes that hold it. False, and nothing: it is
 * none. */
bool og_metadata_print_direct(const void *bytes, size_t size, int code_object_version, struct og_buffer *out);
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
bool og_metadata_note(struct og_text yaml, struct og_range within, int code_object_version, struct og_buffer *out,
                      struct og_diagnostics *diagnostics);
/* Steps through the notes of a section or segment: *offset from 0; false at the end, or where a record is cut short. */
bool og_note_next(const uint8_t *bytes, size_t size, uint64_t alignment, size_t *offset, struct og_note *note);
/* 2 for a note with V2's metadata, 3 for one of V3 and later, 0 for all others. */
int og_note_metadata_version(const struct og_note *note);
struct og_node *og_note_read_metadata(struct og_arena *arena, const char *name, const struct og_note *note,
                                      struct og_diagnostics *diagnostics);
/* The first document with the kernels and printf formats of the others after its own: linkers
 * put several notes into one file. */
struct og_node *og_metadata_merge(struct og_arena *arena, struct og_node *const *documents, uint32_t count, bool v2);

struct og_value_kind {
  const char *name; /* "by_value" */
  uint8_t size;     /* of the name */
  const char *name_v2;        /* "ByValue" */
  int since;                  /* code object version */
};
extern const struct og_value_kind og_value_kinds[]; /* ends in NULL */

/* A value kind of any version in V3's spelling; unknown ones as they are. */
const char *og_value_kind_name(const char *kind);

/* Puts V2's keys in the order in which LLVM writes them. */
void og_metadata_order_v2(struct og_node *root);

#endif
