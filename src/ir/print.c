/* print.c - a module as `opt -S` of LLVM 22 writes it. */
#include "ir/printer.h"

void og_ir_put_body(struct og_ir_printer *p, const struct og_ir_type_record *type);

void og_ir_put_head(struct og_ir_printer *p, const struct og_ir_global *g) {
  static const char *const visibilities[] = {"", "hidden ", "protected "};
  static const char *const dlls[] = {"", "dllimport ", "dllexport "};
  if (g->linkage != OG_IR_EXTERNAL) {
    og_ir_put_word(p, OG_IR_W_LINKAGE, g->linkage);
    og_ir_put(p, " ");
  }
  bool local = g->linkage == OG_IR_INTERNAL || g->linkage == OG_IR_PRIVATE;
  bool implied = local || (g->visibility != OG_IR_DEFAULT && g->linkage != OG_IR_EXTERN_WEAK);
  og_ir_put(p, g->dso_local && !implied ? "dso_local " : "");
  og_ir_put(p, visibilities[g->visibility]);
  og_ir_put(p, dlls[g->dll]);
}

static void put_thread_local(struct og_ir_printer *p, uint8_t mode) {
  static const char *const modes[] = {"", "thread_local ", "thread_local(localdynamic) ", "thread_local(initialexec) ",
                                      "thread_local(localexec) "};
  og_ir_put(p, modes[mode]);
}

static void put_named(struct og_ir_printer *p, const char *what, uint32_t name) {
  if (!name)
    return;
  og_ir_put(p, what);
  og_ir_put_string(p, p->m->names.items[name]);
}

static void put_sanitizers(struct og_ir_printer *p, uint32_t bits) {
  static const char *const names[] = {", no_sanitize_address", ", no_sanitize_hwaddress", ", sanitize_memtag",
                                      ", sanitize_address_dyninit"};
  for (size_t i = 0; i < OG_COUNT(names); i++)
    og_ir_put(p, bits >> i & 1 ? names[i] : "");
}

static void put_comdat(struct og_ir_printer *p, const struct og_ir_global *g) {
  if (!g->comdat)
    return;
  struct og_text name = p->m->names.items[p->m->comdats.items[g->comdat - 1].name];
  og_ir_put(p, ", comdat");
  if (og_text_equal(name, p->m->names.items[g->name]))
    return;
  og_ir_put(p, "(");
  og_ir_put_name(p, '$', name);
  og_ir_put(p, ")");
}

static void put_variable(struct og_ir_printer *p, const struct og_ir_global *g) {
  og_ir_put_constant(p, g->self);
  og_ir_put(p, " = ");
  bool declaration = g->value == OG_IR_NONE;
  og_ir_put(p, declaration && g->linkage == OG_IR_EXTERNAL ? "external " : "");
  og_ir_put_head(p, g);
  put_thread_local(p, g->thread_local_mode);
  og_ir_put(p, g->unnamed == 1 ? "unnamed_addr " : g->unnamed ? "local_unnamed_addr " : "");
  if (g->address_space) {
    og_ir_put(p, "addrspace(");
    og_ir_put_number(p, g->address_space);
    og_ir_put(p, ") ");
  }
  og_ir_put(p, g->externally_initialized ? "externally_initialized " : "");
  og_ir_put(p, g->constant ? "constant " : "global ");
  og_ir_put_type(p, g->type);
  if (!declaration) {
    og_ir_put(p, " ");
    og_ir_put_constant(p, g->value);
  }
  put_named(p, ", section ", g->section);
  put_named(p, ", partition ", g->partition);
  if (g->code_model) {
    og_ir_put(p, ", code_model \"");
    og_ir_put_word(p, OG_IR_W_CODE_MODEL, g->code_model);
    og_ir_put(p, "\"");
  }
  put_sanitizers(p, g->sanitizers);
  put_comdat(p, g);
  if (g->align) {
    og_ir_put(p, ", align ");
    og_ir_put_number(p, (uint64_t)1 << (g->align - 1));
  }
  og_ir_put_attachments(p, g->attachments, ", ");
  uint32_t set = g->attributes ? p->m->pool.items[g->attributes] : 0;
  if (set) {
    og_ir_put(p, " #");
    og_ir_put_number(p, p->set_numbers[set] - 1);
  }
  og_ir_put(p, "\n");
}

static void put_alias(struct og_ir_printer *p, const struct og_ir_global *g) {
  og_ir_put_constant(p, g->self);
  og_ir_put(p, " = ");
  og_ir_put_head(p, g);
  put_thread_local(p, g->thread_local_mode);
  og_ir_put(p, g->unnamed == 1 ? "unnamed_addr " : g->unnamed ? "local_unnamed_addr " : "");
  og_ir_put(p, g->kind == OG_IR_IFUNC ? "ifunc " : "alias ");
  og_ir_put_type(p, g->type);
  og_ir_put(p, ", ");
  og_ir_put_typed(p, g->value);
  put_named(p, ", partition ", g->partition);
  og_ir_put(p, "\n");
}

static void put_types(struct og_ir_printer *p) {
  uint32_t count = p->type_order.count + p->named_types.count;
  og_ir_put(p, count ? "\n" : "");
  for (uint32_t i = 0; i < count; i++) {
    bool numbered = i < p->type_order.count;
    og_ir_type type = numbered ? p->type_order.items[i] : p->named_types.items[i - p->type_order.count];
    og_ir_put_type(p, type);
    og_ir_put(p, " = type ");
    og_ir_put_body(p, og_ir_type_of(p->m, type));
    og_ir_put(p, "\n");
  }
}

static void put_comdats(struct og_ir_printer *p) {
  const struct og_ir_module *m = p->m;
  og_ir_put(p, m->comdats.count ? "\n" : "");
  for (uint32_t i = 0; i < m->comdats.count; i++) {
    og_ir_put_name(p, '$', m->names.items[m->comdats.items[i].name]);
    og_ir_put(p, " = comdat ");
    og_ir_put_word(p, OG_IR_W_COMDAT, m->comdats.items[i].selection);
    og_ir_put(p, "\n");
    og_ir_put(p, i + 1 < m->comdats.count ? "\n" : "");
  }
}

static void put_header(struct og_ir_printer *p) {
  const struct og_ir_module *m = p->m;
  og_buffer_printf(p->out, "; ModuleID = '%s'\n", m->file);
  og_ir_put(p, "source_filename = ");
  og_ir_put_string(p, m->has_source_name ? m->source_name : og_text(m->file));
  og_ir_put(p, "\n");
  if (m->layout.size) {
    og_ir_put(p, "target datalayout = ");
    og_ir_put_string(p, m->layout);
    og_ir_put(p, "\n");
  }
  if (m->triple.size) {
    og_ir_put(p, "target triple = ");
    og_ir_put_string(p, m->triple);
    og_ir_put(p, "\n");
  }
  og_ir_put(p, m->assembly.count ? "\n" : "");
  for (uint32_t i = 0; i < m->assembly.count; i++) {
    og_ir_put(p, "module asm ");
    og_ir_put_string(p, m->assembly.items[i]);
    og_ir_put(p, "\n");
  }
}

static void put_metadata(struct og_ir_printer *p) {
  const struct og_ir_module *m = p->m;
  og_ir_put(p, m->named_metadata.count ? "\n" : "");
  for (uint32_t i = 0; i < m->named_metadata.count; i++) {
    const struct og_ir_named_metadata *named = &m->named_metadata.items[i];
    og_ir_put(p, "!");
    og_ir_put_kind(p, m->names.items[named->name]);
    og_ir_put(p, " = !{");
    for (uint32_t k = 0; k < named->parts; k++) {
      og_ir_put(p, k ? ", " : "");
      og_ir_put_metadata(p, m->pool.items[named->first + k]);
    }
    og_ir_put(p, "}\n");
  }
  og_ir_put(p, p->metadata_order.count ? "\n" : "");
  for (uint32_t i = 0; i < p->metadata_order.count; i++) {
    og_ir_put(p, "!");
    og_ir_put_number(p, i);
    og_ir_put(p, " = ");
    og_ir_put_node(p, p->metadata_order.items[i]);
    og_ir_put(p, "\n");
  }
}

void og_ir_print(const struct og_ir_module *m, struct og_buffer *out) {
  struct og_ir_printer printer = {.m = m, .out = out, .arena = og_arena_new()}, *p = &printer;
  og_ir_number_module(p);
  og_ir_find_types(p);
  put_header(p);
  put_types(p);
  put_comdats(p);
  og_ir_put(p, m->variables.count ? "\n" : "");
  for (uint32_t i = 0; i < m->variables.count; i++)
    put_variable(p, &m->globals.items[m->variables.items[i]]);
  for (unsigned kind = OG_IR_ALIAS; kind <= OG_IR_IFUNC; kind++) {
    bool first = true;
    for (uint32_t i = 0; i < m->aliases.count; i++) {
      const struct og_ir_global *g = &m->globals.items[m->aliases.items[i]];
      if (g->kind != kind)
        continue;
      og_ir_put(p, first ? "\n" : "");
      put_alias(p, g);
      first = false;
    }
  }
  for (uint32_t i = 0; i < m->functions.count; i++)
    og_ir_put_function(p, &m->globals.items[m->functions.items[i]]);
  if (p->set_order.count) {
    og_ir_put(p, "\n");
    for (uint32_t i = 0; i < p->set_order.count; i++) {
      og_ir_put(p, "attributes #");
      og_ir_put_number(p, i);
      og_ir_put(p, " = { ");
      og_ir_put_set(p, p->set_order.items[i], true);
      og_ir_put(p, " }\n");
    }
  }
  put_metadata(p);
  og_arena_free(p->arena);
}
