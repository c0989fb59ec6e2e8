/* profile_page.c - the profile as a page that needs no other file. */
#include "debug/profile_internal.h"

#include "object/code/occupancy.h"

#include <stdlib.h>
#include <string.h>

/* ---- the frame --------------------------------------------------------------------------------------------------- */

void og_page_text(struct og_buffer *out, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '<': og_buffer_text(out, "&lt;"); break;
    case '>': og_buffer_text(out, "&gt;"); break;
    case '&': og_buffer_text(out, "&amp;"); break;
    case '"': og_buffer_text(out, "&quot;"); break;
    case '\t': og_buffer_text(out, "    "); break;
    default: og_buffer_u8(out, (unsigned char)*text < 32 ? '?' : (uint8_t)*text); break;
    }
}

static const char style[] =
    ":root{color-scheme:light "
    "dark;--back:#fff;--text:#1c2126;--dim:#6b7480;--line:#dfe3e8;--source:#f3f5f8;--heat:214,72,30}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#16191d;--text:#dfe3e8;--dim:#8b95a1;--line:#2b3138;--source:#"
    "1e2329;"
    "--heat:240,110,60}}\n"
    "body{margin:0 auto;max-width:1200px;padding:24px;background:var(--back);color:var(--text);"
    "font:14px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:20px;margin:0}h2{font-size:15px;margin:28px 0 8px}.dim{color:var(--dim)}\n"
    "table{border-collapse:collapse;width:100%;font:12px/1.55 ui-monospace,monospace}\n"
    "th{position:sticky;top:0;background:var(--back);text-align:right;padding:6px 10px;border-bottom:1px solid "
    "var(--line);"
    "font-weight:600}th.l{text-align:left}\n"
    "td{text-align:right;padding:0 10px;white-space:pre;font-variant-numeric:tabular-nums}"
    "td.l{text-align:left;width:100%;white-space:pre-wrap}\n"
    "tr.s td{background-color:var(--source);font-weight:600;padding-top:3px;padding-bottom:3px}tr.i "
    "td.l{padding-left:28px}\n"
    "td.h{background-image:linear-gradient(90deg,rgba(var(--heat),.35) var(--p),transparent var(--p))}\n"
    "svg{display:block;max-width:100%;margin:8px 0;font:11px ui-monospace,monospace}svg text{fill:var(--text)}"
    ".b{fill:var(--source);stroke:var(--line)}.w{fill:rgba(var(--heat),.35)}.e{fill:none;stroke:var(--dim)}"
    ".t{fill:var(--dim)}.n{opacity:.45}.g0{fill:rgba(var(--heat),.85)}.g1{fill:rgba(var(--heat),.5)}\n"
    "a{color:inherit}tr:target td{outline:1px solid rgb(var(--heat))}\n"
    ".f{display:flex;flex-wrap:wrap;gap:12px 32px;margin:16px 0}.f b{display:block;font-size:18px;font-weight:600}\n";

static void put_figure(struct og_buffer *out, const char *name, uint64_t number) {
  og_buffer_printf(out, "<div><b>%llu</b><span class=dim>%s</span></div>\n", (unsigned long long)number, name);
}

static void put_cell(struct og_buffer *out, uint64_t number) {
  if (number)
    og_buffer_printf(out, "<td>%llu", (unsigned long long)number);
  else
    og_buffer_text(out, "<td class=dim>·");
}

/* The bar is as long as the line's executions are many, against the most of its kind. */
static void put_row(struct og_buffer *out, const struct og_profile *profile, uint32_t number, const uint64_t most[2]) {
  const struct og_profile_line *line = &profile->lines.items[number];
  const struct og_profile_counts *counts = &line->counts;
  uint64_t full = most[line->is_source];
  double share = full ? 100.0 * (double)counts->executions / (double)full : 0;
  og_buffer_printf(out, "<tr id=r%u class=%c><td class=h style=\"--p:%.1f%%\">", number, line->is_source ? 's' : 'i',
                   share);
  if (counts->executions)
    og_buffer_printf(out, "%llu", (unsigned long long)counts->executions);
  else
    og_buffer_text(out, "·");
  if (counts->slots)
    og_buffer_printf(out, "<td>%.1f%%", 100.0 * (double)counts->lanes / (double)counts->slots);
  else
    og_buffer_text(out, "<td class=dim>·");
  put_cell(out, counts->bytes_read);
  put_cell(out, counts->bytes_written);
  put_cell(out, counts->conflicts);
  put_cell(out, line->vector_live);
  put_cell(out, line->scalar_live);
  og_buffer_text(out, "<td class=l>");
  og_buffer_text(out, "<span class=dim>");
  if (line->file) {
    og_page_text(out, og_file_name(line->file));
    og_buffer_printf(out, ":%u ", line->number);
  }
  og_page_text(out, line->place);
  og_buffer_text(out, "</span>  ");
  og_page_text(out, line->text);
  og_buffer_text(out, "\n");
  og_buffer_drain(out);
}

enum { HOTTEST = 8 };

/* Executions of all code of a source line, wherever it stands. */
struct hot {
  const struct og_profile_line *line;
  uint32_t number;
  uint64_t executions;
};

static int by_line(const void *a, const void *b) {
  const struct hot *x = a, *y = b;
  int files = x->line->file && y->line->file ? strcmp(x->line->file, y->line->file) : 0;
  if (files || x->line->number != y->line->number)
    return files ? files : x->line->number < y->line->number ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static int by_executions(const void *a, const void *b) {
  const struct hot *x = a, *y = b;
  return (x->executions < y->executions) - (x->executions > y->executions);
}

/* The lines, of source where there is any, that most was executed for; their number. */
static uint32_t find_hottest(const struct og_profile *profile, struct hot *hot) {
  bool sources = false;
  uint32_t count = 0, kept = 0;
  for (uint32_t i = 0; i < profile->lines.count; i++)
    sources |= profile->lines.items[i].is_source;
  for (uint32_t i = 0; i < profile->lines.count; i++) {
    const struct og_profile_line *line = &profile->lines.items[i];
    if (line->is_source == sources && line->counts.executions)
      hot[count++] = (struct hot){line, i, line->counts.executions};
  }
  if (sources && count)
    qsort(hot, count, sizeof *hot, by_line);
  for (uint32_t i = 0; i < count; i++) {
    const struct hot *before = kept ? &hot[kept - 1] : NULL;
    if (sources && before && before->line->number == hot[i].line->number &&
        strcmp(before->line->file, hot[i].line->file) == 0)
      hot[kept - 1].executions += hot[i].executions;
    else
      hot[kept++] = hot[i];
  }
  if (kept)
    qsort(hot, kept, sizeof *hot, by_executions);
  return OG_MIN(kept, (uint32_t)HOTTEST);
}

static void put_hottest(struct og_buffer *out, const struct og_profile *profile) {
  struct hot *hot = OG_NEW_ARRAY(profile->arena, struct hot, profile->lines.count + 1);
  uint32_t count = find_hottest(profile, hot);
  og_buffer_text(out, "<h2>Most executed</h2>\n<table>\n");
  for (uint32_t i = 0; i < count; i++) {
    const struct og_profile_line *line = hot[i].line;
    double share = 100.0 * (double)hot[i].executions / (double)profile->total.executions;
    og_buffer_printf(out, "<tr><td class=h style=\"--p:%.1f%%\">%.1f%%<td class=l><a href=\"#r%u\">", share, share,
                     hot[i].number);
    if (line->file) {
      og_page_text(out, og_file_name(line->file));
      og_buffer_printf(out, ":%u", line->number);
    } else {
      og_page_text(out, line->place);
    }
    og_buffer_text(out, "</a>  ");
    og_page_text(out, line->text);
    og_buffer_text(out, "\n");
  }
  og_buffer_text(out, "</table>\n");
}

/* How many waves fit, why not more, and where most registers live. */
static void put_registers(struct og_buffer *out, const struct og_profile *profile) {
  struct og_occupancy occupancy = og_kernel_occupancy(&profile->executable->target, profile->kernel, 0);
  uint32_t vectors = 0, scalars = 0;
  for (uint32_t i = 0; i < profile->lines.count; i++) {
    vectors = profile->lines.items[i].vector_live > profile->lines.items[vectors].vector_live ? i : vectors;
    scalars = profile->lines.items[i].scalar_live > profile->lines.items[scalars].scalar_live ? i : scalars;
  }
  og_buffer_printf(out, "<div>Occupancy: %u of %u waves on a SIMD", occupancy.waves, occupancy.most);
  if (occupancy.waves < occupancy.most)
    og_buffer_printf(out, ", limited by: %s", occupancy.limit);
  og_buffer_text(out, ".");
  if (profile->lines.count)
    og_buffer_printf(out, " Live at most: <a href=\"#r%u\">%u VGPRs</a>, <a href=\"#r%u\">%u SGPRs</a>.", vectors,
                     profile->lines.items[vectors].vector_live, scalars, profile->lines.items[scalars].scalar_live);
  og_buffer_text(out, "</div>\n");
}

void og_profile_print_html(struct og_profile *profile, struct og_buffer *out) {
  og_profile_flow(profile);
  const struct og_profile_counts *total = &profile->total;
  og_buffer_text(out, "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport "
                      "content=\"width=device-width\">\n<title>");
  og_page_text(out, profile->kernel->name);
  og_buffer_printf(out, "</title>\n<style>\n%s</style>\n<h1>", style);
  og_page_text(out, profile->kernel->name);
  og_buffer_printf(out, "</h1>\n<div class=dim>%s, waves of %u, from ", profile->executable->target.processor->name,
                   profile->kernel->start.wave_size);
  og_page_text(out, og_file_name(profile->executable->code->elf->name));
  og_buffer_text(out, "</div>\n<div class=f>\n");
  put_figure(out, "wave instructions", total->executions);
  og_buffer_printf(out, "<div><b>%.1f %%</b><span class=dim>lanes on</span></div>\n",
                   total->slots ? 100.0 * (double)total->lanes / (double)total->slots : 0.0);
  put_figure(out, "bytes read", total->bytes_read);
  put_figure(out, "bytes written", total->bytes_written);
  put_figure(out, "LDS bank conflicts", total->conflicts);
  og_buffer_text(out, "</div>\n");
  put_registers(out, profile);
  put_hottest(out, profile);
  og_page_blocks(out, profile);
  og_page_waves(out, profile);
  og_buffer_text(out,
                 "<h2>Source and code</h2>\n<table>\n<tr><th>executions<th>lanes<th>bytes read<th>written<th>conflicts"
                 "<th>VGPRs live<th>SGPRs live<th class=l>line\n");
  uint64_t most[2] = {0, 0};
  for (uint32_t i = 0; i < profile->lines.count; i++) {
    const struct og_profile_line *line = &profile->lines.items[i];
    most[line->is_source] = OG_MAX(most[line->is_source], line->counts.executions);
  }
  for (uint32_t i = 0; i < profile->lines.count; i++)
    put_row(out, profile, i, most);
  og_buffer_text(out, "</table>\n");
}
