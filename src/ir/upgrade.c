/* upgrade.c - rewrites IR of older versions as newer ones write it: names of intrinsics; removes declarations of debug
 * intrinsics, whose calls are records. */
#include "ir/ir.h"

#include <string.h>

static bool starts(struct og_text text, const char *with) {
  size_t size = strlen(with);
  return text.size >= size && memcmp(text.data, with, size) == 0;
}

/* llvm.memcpy.p0i8.p1i8.i64 becomes llvm.memcpy.p0.p1.i64: the pointee's type behind .pN is removed. */
static struct og_text without_pointees(struct og_ir_module *m, struct og_text name) {
  char *copy = og_arena_copy(m->arena, name.data, name.size);
  size_t size = 0;
  for (size_t i = 0; i < name.size;) {
    bool part = name.data[i] == '.' && i + 2 < name.size && name.data[i + 1] == 'p';
    size_t digits = i + 2;
    while (part && digits < name.size && name.data[digits] >= '0' && name.data[digits] <= '9')
      digits++;
    size_t end = digits;
    while (part && digits > i + 2 && end < name.size && name.data[end] != '.')
      end++;
    if (end > digits && memchr("ifsavpb", name.data[digits], 7)) {
      memcpy(copy + size, name.data + i, digits - i);
      size += digits - i;
      i = end;
    } else {
      copy[size++] = name.data[i++];
    }
  }
  return (struct og_text){copy, size};
}

/* Names to which types were added. */
static const char *const renamed[][2] = {
    {"llvm.amdgcn.ldexp.f16", "llvm.ldexp.f16.i32"},
    {"llvm.amdgcn.ldexp.f32", "llvm.ldexp.f32.i32"},
    {"llvm.amdgcn.ldexp.f64", "llvm.ldexp.f64.i32"},
    {"llvm.amdgcn.readfirstlane", "llvm.amdgcn.readfirstlane.i32"},
    {"llvm.amdgcn.readlane", "llvm.amdgcn.readlane.i32"},
    {"llvm.amdgcn.writelane", "llvm.amdgcn.writelane.i32"},
    {"llvm.amdgcn.permlane16", "llvm.amdgcn.permlane16.i32"},
    {"llvm.amdgcn.permlanex16", "llvm.amdgcn.permlanex16.i32"},
};

void og_ir_upgrade(struct og_ir_module *m) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < m->functions.count; i++) {
    struct og_ir_global *g = &m->globals.items[m->functions.items[i]];
    struct og_text name = m->names.items[g->name];
    bool declared = !g->function->blocks.count;
    if (declared && (og_text_is(name, "llvm.dbg.value") || og_text_is(name, "llvm.dbg.declare") ||
                     og_text_is(name, "llvm.dbg.assign") || og_text_is(name, "llvm.dbg.label")))
      continue;
    if (starts(name, "llvm.") && memmem(name.data, name.size, ".p", 2)) {
      struct og_text now = without_pointees(m, name);
      if (!og_text_equal(now, name))
        g->name = og_ir_name(m, now);
    }
    for (unsigned k = 0; k < OG_COUNT(renamed) && declared; k++)
      if (og_text_is(name, renamed[k][0]))
        g->name = og_ir_name(m, og_text(renamed[k][1]));
    m->functions.items[kept++] = m->functions.items[i];
  }
  m->functions.count = kept;
}
