/* source_notes.c - directives about the source: its origin, messages to the user, and those without meaning here. */
#include "asm/internal.h"

#include <string.h>

OG_DIRECTIVE(ident) {
  struct og_text text;
  if (!og_asm_plain_string(as, &text) || !og_asm_end_of_directive(as))
    return false;
  og_asm_list(as, "\t.ident\t\"%s\"\n", og_asm_escaped(as, text));
  struct og_chunk *back = as->chunk;
  struct og_asm_section *comment = og_asm_section(as, ".comment", SHT_PROGBITS, SHF_MERGE | SHF_STRINGS);
  comment->entry_size = 1;
  as->chunk = comment->chunks;
  bool ok = (as->chunk->bytes.size || og_asm_emit(as, NULL, 1)) && og_asm_emit(as, text.data, text.size) &&
            og_asm_emit(as, NULL, 1);
  as->chunk = back;
  return ok;
}

/* .file "name" means nothing to AMDGPU's assembler; .file N ... numbers one for .loc. */
OG_DIRECTIVE(file) {
  struct og_text name;
  return *og_asm_at(as) == '"' ? og_asm_string(as, &name) : og_asm_numbered_file(as, at);
}

/* Directives without effect on an object without debug information. */
OG_DIRECTIVE(ignore) {
  as->p += strcspn(as->p, "\n");
  return true;
}

OG_DIRECTIVE(line) {
  int64_t number;
  og_asm_space(as);
  return og_asm_at_end(as) || og_asm_parse_absolute(as, &number);
}

OG_DIRECTIVE(abort_here) {
  struct og_text why = {og_asm_at(as), strcspn(as->p, "\n\r")};
  as->p += why.size;
  return og_asm_error(as, at, 6,
                      why.size ? ".abort '%.*s' detected. Assembly stopping" : ".abort detected. Assembly stopping",
                      OG_TEXT_ARGS(why));
}

OG_DIRECTIVE(no_mode) {
  return og_asm_error(as, as->p, 0, "%.*s not currently supported for this target", (int)strcspn(at, " \t\n"), at);
}

OG_DIRECTIVE(no_stabs) {
  return og_asm_error(as, og_asm_at(as), 0, "unsupported directive '.stabs'");
}

/* A note without an owner. */
OG_DIRECTIVE(version) {
  struct og_text text;
  if (!og_asm_plain_string(as, &text))
    return false;
  struct og_chunk *back = as->chunk;
  struct og_asm_section *notes = og_asm_section(as, ".note", SHT_NOTE, 0);
  uint8_t head[12] = {0};
  og_store32(head, (uint32_t)text.size + 1);
  og_store32(head + 8, 1); /* NT_VERSION */
  notes->alignment = OG_MAX(notes->alignment, 4u);
  if (og_asm_listing(as)) {
    struct og_chunk *before = as->chunk;
    as->chunk = notes->chunks;
    og_asm_list_section(as);
    as->chunk = before;
    og_asm_list(as, "\t.long\t%zu\n\t.long\t0\n\t.long\t1\n", text.size + 1);
    og_asm_list_bytes(as, text.data, text.size);
    og_asm_list(as, "\t.byte\t0\n\t.p2align\t2, 0x0\n");
    og_asm_list_section(as);
  }
  as->chunk = notes->chunks;
  bool ok = og_asm_emit(as, head, 12) && og_asm_emit(as, text.data, text.size) &&
            og_asm_emit(as, NULL, og_align_up(text.size + 1, 4) - text.size);
  as->chunk = back;
  return ok;
}

OG_DIRECTIVE(end) {
  return og_asm_expect_end(as) && (as->stopped = true);
}

/* .err, .error, .warning, .print */
static bool message(struct og_asm *as, const char *at, int severity) {
  struct og_text text = severity == OG_SEVERITY_ERROR ? OG_TEXT(".error directive invoked in source file")
                                                      : OG_TEXT(".warning directive invoked in source file");
  og_asm_space(as);
  bool bare = !strncmp(at, ".err", 4) && at[4] != 'o', print = severity == OG_SEVERITY_NOTE;
  if (bare)
    return og_asm_error(as, at, 0, ".err encountered");
  if (print && *as->p != '"')
    return og_asm_error(as, at, 0, "expected double quoted string after .print");
  if (!og_asm_at_end(as) && *as->p != '"')
    return og_asm_error(as, as->p, 1, "%s argument must be a string",
                        severity == OG_SEVERITY_ERROR ? ".error" : ".warning");
  if (!og_asm_at_end(as) && !og_asm_plain_string(as, &text))
    return false;
  if (severity == OG_SEVERITY_ERROR)
    return og_asm_error(as, at, 0, "%.*s", OG_TEXT_ARGS(text));
  if (print && as->options->printed)
    og_buffer_printf(as->options->printed, "%.*s\n", OG_TEXT_ARGS(text));
  else if (!print)
    og_asm_warning(as, at, 0, "%.*s", OG_TEXT_ARGS(text));
  return true;
}

/* .lto_discard: names that a linker's optimiser drops. */
OG_DIRECTIVE(discarded_name) {
  struct og_text name;
  return og_asm_name(as, &name);
}

/* Directives without arguments that have no effect here. */
OG_DIRECTIVE(nothing) {
  return og_asm_expect_end(as);
}

const struct og_directive_row og_note_directives[] = {
    {".ident", ident, 0},
    {".file", file, 0},
    {".error", message, OG_SEVERITY_ERROR},
    {".err", message, OG_SEVERITY_ERROR},
    {".warning", message, OG_SEVERITY_WARNING},
    {".print", message, OG_SEVERITY_NOTE},
    {".end", end, 0},
    {".loc", og_asm_loc, 0},
    {".loc_label", og_asm_loc_label, 0},
    {".lto_discard", discarded_name, OG_EACH},
    {".macros_on", nothing, 0},
    {".macros_off", nothing, 0},
    {".extern", ignore, 0},
    {".line", line, 0},
    {".abort", abort_here, 0},
    {".code16", no_mode, 0},
    {".code16gcc", no_mode, 0},
    {".stabs", no_stabs, 0},
    {".code32", no_mode, 0},
    {".code64", no_mode, 0},
    {".version", version, OG_LEAVES_REST},
    {NULL, NULL, 0},
};
