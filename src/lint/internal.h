/* internal.h - what the parts of the linter share. */
#ifndef OG_LINT_INTERNAL_H
#define OG_LINT_INTERNAL_H

#include "lint/lint.h"

#define OG_LINT_ENUM(id, severity, code, meaning, advice) OG_LINT_##id,
enum og_lint_id {
#define X OG_LINT_ENUM
#include "lint/rules.def"
#undef X
  OG_LINT_COUNT
};

struct og_lint {
  const struct og_code_object *code;
  const struct og_target *target;
  struct og_diagnostics *diagnostics;
  struct og_arena *arena;
  size_t findings;
  bool advised[OG_LINT_COUNT];
};

/* Reports one finding; `kernel` may be NULL. The format gives the particulars; the rule's advice follows as a note. */
void og_lint_report(struct og_lint *lint, enum og_lint_id id, const struct og_kernel *kernel, const char *format, ...)
    OG_PRINTF(4, 5);
/* A note that belongs to the finding before it. */
void og_lint_note(struct og_lint *lint, const char *format, ...) OG_PRINTF(2, 3);
/* Compares header, notes, symbols and metadata with one another (versions.c). */
void og_lint_versions(struct og_lint *lint);
/* Walks a kernel's code along its control flow, calls included (code.c). */
void og_lint_code(struct og_lint *lint, const struct og_kernel *kernel);
/* The section that a kernel's code is in, or NULL. */
const struct og_section *og_lint_section(const struct og_code_object *code, const struct og_kernel *kernel);

#endif
