/* lint.h - static findings: mistakes that would fail on hardware, found in descriptor,
 * metadata and code without running anything. */
#ifndef OG_LINT_H
#define OG_LINT_H

#include "object/object.h"

struct og_lint_rule {
  enum og_severity severity;
  const char *code;    /* "OG205" */
  const char *meaning; /* what is wrong, and why it fails */
  const char *advice;  /* where to correct it */
};

size_t og_lint_rule_count(void);
const struct og_lint_rule *og_lint_rule(size_t index);
const struct og_lint_rule *og_find_lint_rule(struct og_text code); /* NULL if there is none */

/* Adds every finding as a diagnostic "kernel 'k': ... [OG205]"; a note with the rule's advice follows the first finding
 * of each rule. Returns the number of findings. `target` is what the code is to run on: &code->target, or another. */
size_t og_lint(const struct og_code_object *code, const struct og_target *target, struct og_diagnostics *diagnostics);

/* Looks for registers that an instruction touches while a memory operation may still hold them, on any path of any
 * kernel and function (docs/checkers.md), and adds the findings in the same way. If `why` is given, appends a line for
 * each counter of each wait: what needs the wait, or why nothing does. */
size_t og_lint_waits(const struct og_code_object *code, const struct og_target *target,
                     struct og_diagnostics *diagnostics, struct og_buffer *why);

#endif
