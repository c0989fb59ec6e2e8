/* targets.c - `offgrid targets`: lists all processors, and which of their instructions the executor runs. */
#include "tool/tool.h"
#include "exec/coverage.h"
#include "target/target.h"

#include <stdio.h>
#include <string.h>

static const char *yes(bool condition, const char *text) { return condition ? text : ""; }

static void print_text(const struct og_processor *p) {
  char isa[24] = "-", aliases[64] = "";
  if (p->major)
    snprintf(isa, sizeof isa, "AMD:AMDGPU:%u:%u:%u", p->major, p->minor, p->stepping);
  size_t used = 0;
  for (const char *const *alias = p->aliases; *alias && used < sizeof aliases; alias++)
    used += (size_t)snprintf(aliases + used, sizeof aliases - used, "%s%s", used ? "," : "", *alias);
  printf("%-16s %-26s %-6s %-19s 0x%02x %s%s%s%s%s\n", p->name, aliases, p->generation == OG_R600 ? "r600" : "amdgcn",
         isa, p->mach, p->wave_size == 64 ? "wave64" : "wave32", yes(p->wave32 && p->wave64, " (wave64)"),
         p->xnack ? p->xnack_default ? " xnack[on]" : " xnack[off]" : "",
         p->sramecc ? p->sramecc_default ? " sramecc[on]" : " sramecc[off]" : "", yes(p->cumode, " cumode[off]"));
}

static void print_list(struct og_buffer *out, const char *key, const char *const *items) {
  og_buffer_printf(out, ",\"%s\":[", key);
  for (size_t i = 0; items[i]; i++)
    og_buffer_printf(out, "%s\"%s\"", i ? "," : "", items[i]);
  og_buffer_text(out, "]");
}

static void print_features(struct og_buffer *out, const struct og_processor *p) {
  const char *names[512];
  size_t count = 0;
  for (size_t i = 0; i < og_feature_count() && count + 1 < OG_COUNT(names); i++)
    if (og_has_feature(&p->features, (int)i))
      names[count++] = og_feature_name((int)i);
  names[count] = NULL;
  print_list(out, "features", names);
}

static void print_json(struct og_buffer *out, const struct og_processor *p) {
  og_buffer_printf(out, "{\"processor\":\"%s\",\"triple\":\"%s\"", p->name,
                   p->generation == OG_R600 ? "r600-amd-unknown" : "amdgcn-amd-amdhsa");
  print_list(out, "aliases", p->aliases);
  if (p->major)
    og_buffer_printf(out, ",\"isa\":\"AMD:AMDGPU:%u:%u:%u\"", p->major, p->minor, p->stepping);
  og_buffer_printf(out, ",\"mach\":%u,\"apu\":%s,\"wave_size\":%u,\"wave_sizes\":[%s%s%s]", p->mach,
                   p->apu ? "true" : "false", p->wave_size, yes(p->wave32, "32"), yes(p->wave32 && p->wave64, ","),
                   yes(p->wave64, "64"));
  og_buffer_text(out, ",\"target_features\":{");
  const char *comma = "";
  if (p->xnack)
    og_buffer_printf(out, "\"xnack\":\"%s\"", p->xnack_default ? "on" : "off"), comma = ",";
  if (p->sramecc)
    og_buffer_printf(out, "%s\"sramecc\":\"%s\"", comma, p->sramecc_default ? "on" : "off"), comma = ",";
  if (p->cumode)
    og_buffer_printf(out, "%s\"cumode\":\"off\"", comma);
  og_buffer_printf(out, "},\"limits\":{\"vgprs\":%u,\"vgpr_granule\":%u,\"sgprs\":%u,\"sgpr_granule\":%u,\"agprs\":%u,",
                   p->vgprs_max, p->vgpr_granule, p->sgprs_max, p->sgpr_granule, p->agprs_max);
  og_buffer_printf(out, "\"waves_per_simd\":%u,\"lds_bytes\":%u}", p->waves_per_simd, p->lds_bytes);
  print_features(out, p);
  og_buffer_text(out, "}");
}

/* ---- coverage ---------------------------------------------------------------------------------------------------- */

static bool same_kind(const struct og_gap *a, const struct og_gap *b) {
  return a->encoding == b->encoding && a->why == b->why &&
         (a->with == b->with || (a->with && b->with && !strcmp(a->with, b->with)));
}

/* Prints one line for each encoding and reason, with the names of its instructions. */
static void print_coverage(struct og_buffer *out, const char *processor, const struct og_coverage *c) {
  og_buffer_printf(out, "%s: %u of %u forms execute\n", processor, c->executed, c->forms);
  for (unsigned i = 0; i < c->gap_count; i++) {
    unsigned first = 0;
    while (!same_kind(&c->gaps[first], &c->gaps[i]))
      first++;
    if (first < i) /* an earlier line has it already */
      continue;
    const struct og_gap *gap = &c->gaps[i];
    og_buffer_printf(out, gap->with ? "  %s with `%s`:" : "  %s:", gap->encoding, gap->with);
    for (unsigned j = i; j < c->gap_count; j++)
      if (same_kind(gap, &c->gaps[j]))
        og_buffer_printf(out, " %s", c->gaps[j].name);
    og_buffer_printf(out, gap->why ? "\n    for %s\n" : "\n", gap->why);
  }
}

static void print_coverage_json(struct og_buffer *out, const char *processor, const struct og_coverage *c) {
  og_buffer_printf(out, "{\"processor\":\"%s\",\"forms\":%u,\"executed\":%u,\"gaps\":[", processor, c->forms,
                   c->executed);
  for (unsigned i = 0; i < c->gap_count; i++) {
    const struct og_gap *gap = &c->gaps[i];
    og_buffer_printf(out, "%s\n  {\"name\":\"%s\",\"encoding\":\"%s\"", i ? "," : "", gap->name, gap->encoding);
    if (gap->with)
      og_buffer_printf(out, ",\"with\":\"%s\"", gap->with);
    if (gap->why)
      og_buffer_printf(out, ",\"why\":\"%s\"", gap->why);
    og_buffer_u8(out, '}');
  }
  og_buffer_text(out, "]}");
}

/* Prints the coverage of one processor, or of all that have instruction tables. */
static int coverage(const char *mcpu, bool json) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer out = {0};
  struct og_target target;
  struct og_coverage found;
  const char *before = json ? "[" : "";
  if (mcpu && !og_target_parse(&target, NULL, mcpu, NULL, diagnostics))
    mcpu = ""; /* no processor */
  for (size_t i = 0; i < og_processor_count(); i++) {
    const char *name = og_processor_at(i)->name;
    if (mcpu ? !*mcpu || og_processor_at(i) != target.processor
             : og_processor_at(i)->generation == OG_R600 || !og_target_parse(&target, NULL, name, NULL, diagnostics))
      continue;
    if (!og_coverage(&target, arena, &found))
      continue;
    og_buffer_text(&out, before);
    (json ? print_coverage_json : print_coverage)(&out, name, &found);
    before = json ? ",\n " : "";
  }
  if (json)
    og_buffer_text(&out, out.size ? "]\n" : "[]\n");
  og_print(&out, stdout);
  og_buffer_free(&out);
  og_arena_free(arena);
  return og_finish(diagnostics);
}

static int run(int argc, char **argv) {
  bool json = false, covers = false;
  const char *mcpu = NULL;
  for (int i = 1; i < argc; i++)
    if (og_option_flag(argv, i, "json"))
      json = true;
    else if (og_option_flag(argv, i, "coverage"))
      covers = true;
    else if (!og_option_value(argc, argv, &i, "mcpu", &mcpu))
      return argv[i][0] == '-' ? og_unknown_option("targets", argc, argv, i)
                                : og_usage_error("targets", "unexpected argument '%s'", argv[i]);
  if (covers)
    return coverage(mcpu, json);
  if (mcpu)
    return og_usage_error("targets", "-mcpu goes with --coverage");
  if (!json) {
    printf("%-16s %-26s %-6s %-19s %s\n", "processor", "also", "arch", "isa", "mach target features [default]");
    for (size_t i = 0; i < og_processor_count(); i++)
      print_text(og_processor_at(i));
    return OG_EXIT_OK;
  }
  struct og_buffer out = {0};
  og_buffer_text(&out, "[");
  for (size_t i = 0; i < og_processor_count(); i++) {
    og_buffer_text(&out, i ? ",\n " : "");
    print_json(&out, og_processor_at(i));
  }
  og_buffer_text(&out, "]\n");
  og_print(&out, stdout);
  og_buffer_free(&out);
  return OG_EXIT_OK;
}

const struct og_verb og_verb_targets = {
    "targets", "lists every processor with its triple, features and defaults",
    "usage: offgrid targets [--json]\n"
    "       offgrid targets --coverage [-mcpu=P] [--json]\n\n"
    "Lists every processor: its name, other names, architecture, ISA name, EF_AMDGPU_MACH value, wave size\n"
    "(another possible one in parentheses) and the target features that can be chosen, with their defaults.\n"
    "--json adds limits and all features, for scripts.\n"
    "--coverage tells how many of each processor's instruction forms 'offgrid run' executes, and names the others:\n"
    "by encoding, with what they are refused where they execute without it, and why.\n",
    run};
