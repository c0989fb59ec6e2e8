/* page_blocks.c - the control flow of what was executed, as a drawing in the page: blocks in the code's order, branches
 * forward on their right and back on their left. */
#include "debug/profile_internal.h"

enum {
  BLOCKS_MOST = 200, /* drawn */
  LEFT = 150,
  WIDTH = 520,
  HEIGHT = 24,
  PITCH = 38,
  STEP = 9,
  LANES = 14, /* pixels; LANES: arcs side by side */
};

static uint64_t executions_of(const struct og_profile *profile, uint32_t block) {
  return profile->lines.items[profile->blocks.items[block].first].counts.executions;
}

static int middle(uint32_t block) { return (int)block * PITCH + HEIGHT / 2; }

static void put_block(struct og_buffer *out, const struct og_profile *profile, uint32_t number, uint64_t most) {
  const struct og_profile_block *block = &profile->blocks.items[number];
  const struct og_profile_line *first = &profile->lines.items[block->first];
  uint64_t executions = executions_of(profile, number);
  unsigned instructions = 0;
  for (uint32_t i = block->first; i <= block->last; i++)
    instructions += !profile->lines.items[i].is_source;
  int y = (int)number * PITCH;
  og_buffer_printf(
      out,
      "<a href=\"#r%u\"><rect x=%d y=%d width=%d height=%d rx=4 class=%s /><rect x=%d y=%d width=%.1f height=%d "
      "rx=4 class=w /><text x=%d y=%d>",
      block->first, LEFT, y, WIDTH, HEIGHT, executions ? "b" : "\"b n\"", LEFT, y,
      most ? WIDTH * (double)executions / (double)most : 0.0, HEIGHT, LEFT + 10, y + 16);
  og_page_text(out, first->place);
  og_buffer_printf(out, "  %u instruction%s, %llu executions</text></a>\n", instructions, instructions == 1 ? "" : "s",
                   (unsigned long long)executions);
}

/* From the middle of one block's side to the other's. */
static void put_arc(struct og_buffer *out, uint32_t from, uint32_t to, bool taken) {
  bool back = to <= from;
  int blocks = back ? (int)(from - to) : (int)(to - from);
  int reach = 16 + STEP * OG_MIN(blocks, LANES), side = back ? LEFT : LEFT + WIDTH,
      at = back ? side - reach : side + reach;
  int y1 = middle(from) + 5, y2 = middle(to) - 5;
  og_buffer_printf(out, "<path d=\"M%d %dC%d %d %d %d %d %d\" class=%s marker-end=\"url(#a)\" />\n", side, y1, at, y1,
                   at, y2, back ? side - 2 : side + 2, y2, taken ? "e" : "\"e n\"");
}

void og_page_blocks(struct og_buffer *out, const struct og_profile *profile) {
  uint32_t count = OG_MIN(profile->blocks.count, (uint32_t)BLOCKS_MOST);
  uint64_t most = 0;
  for (uint32_t i = 0; i < count; i++)
    most = OG_MAX(most, executions_of(profile, i));
  og_buffer_printf(
      out,
      "<h2>Control flow</h2>\n<svg viewBox=\"0 0 %d %d\" width=%d height=%d><defs><marker id=a viewBox=\"0 0 8 8\" "
      "refX=7 refY=4 markerWidth=7 markerHeight=7 orient=auto><path d=\"M0 0L8 4L0 8z\" class=t "
      "/></marker></defs>\n",
      2 * LEFT + WIDTH, (int)count * PITCH, 2 * LEFT + WIDTH, (int)count * PITCH);
  for (uint32_t i = 0; i < count; i++) {
    const struct og_profile_block *block = &profile->blocks.items[i];
    bool ran = executions_of(profile, i) != 0;
    put_block(out, profile, i, most);
    if (block->next == (int32_t)i + 1 && i + 1 < count)
      og_buffer_printf(out, "<path d=\"M%d %dV%d\" class=%s marker-end=\"url(#a)\" />\n", LEFT + WIDTH / 2,
                       (int)i * PITCH + HEIGHT, (int)(i + 1) * PITCH - 1, ran ? "e" : "\"e n\"");
    if (block->target >= 0 && (uint32_t)block->target < count)
      put_arc(out, i, (uint32_t)block->target, ran && executions_of(profile, (uint32_t)block->target));
  }
  og_buffer_text(out, "</svg>\n");
  if (count < profile->blocks.count)
    og_buffer_printf(out, "<div class=dim>and %u blocks more</div>\n", profile->blocks.count - count);
}
