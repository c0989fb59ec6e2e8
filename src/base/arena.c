/* arena.c - blocks of memory with one owner, and vectors inside them. */
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_BLOCK = 16 * 1024, LAST_BLOCK = 64 << 20, ALIGNMENT = 16 };

struct block {
  struct block *next;
  size_t size, used;
  bool borrowed; /* from another arena, which frees it */
  bool dirty;    /* after `used`: else those are zeros that nobody has touched, and the system need not hold them */
  _Alignas(ALIGNMENT) uint8_t bytes[];
};

struct og_arena {
  struct block *blocks; /* the newest first; only that one is allocated from */
  size_t next;          /* size of the next block: four times the last, twice where pages are large already, whatever
                           single large things took. The first is small, for much that is begun stays small: calloc
                           touches all of it */
};

/* The one place where memory can run out: there is no state worth going on with. */
static _Noreturn void out_of_memory(void) {
  fputs("offgrid: out of memory\n", stderr);
  _Exit(1);
}

void *og_checked_realloc(void *old, size_t size) {
  void *memory = realloc(old, size ? size : 1);
  if (!memory)
    out_of_memory();
  return memory;
}

void *og_large_pages(size_t size) {
  if (size > SIZE_MAX - OG_LARGE_PAGE)
    return NULL;
  size = og_align_up(size, OG_LARGE_PAGE);
  void *memory = aligned_alloc(OG_LARGE_PAGE, size);
  if (memory)
    madvise(memory, size, MADV_HUGEPAGE); /* where it does nothing, nothing is lost */
  return memory;
}

/* Whether a block of that size is the system's, which gives its pages, zeroed, when they are touched. */
static bool is_mapped(size_t size) { return size > FIRST_BLOCK; }

/* Whether it takes whole large pages, which are faster to get than many small ones. */
static bool is_large(size_t size) { return size >= OG_LARGE_PAGE / 4; }

static void *map_anywhere(size_t size) {
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Zeroed, from the beginning of a large page on if it takes such; NULL: memory is short. */
static void *map(size_t size) {
  if (!is_large(size)) {
    void *small = map_anywhere(size);
    return small == MAP_FAILED ? NULL : small;
  }
  uint8_t *memory = map_anywhere(size + OG_LARGE_PAGE);
  if (memory == MAP_FAILED)
    return NULL;
  size_t before = og_align_up((uintptr_t)memory, OG_LARGE_PAGE) - (uintptr_t)memory;
  if (before)
    munmap(memory, before);
  munmap(memory + before + size, OG_LARGE_PAGE - before);
  madvise(memory + before, size, MADV_HUGEPAGE);
  return memory + before;
}

/* NULL: memory is short. */
static struct block *new_block(size_t size) {
  if (size > SIZE_MAX / 2)
    return NULL;
  bool mapped = is_mapped(size);
  if (mapped)
    size = og_align_up(size + sizeof(struct block), is_large(size) ? OG_LARGE_PAGE : 4096) - sizeof(struct block);
  struct block *block = mapped ? map(sizeof *block + size) : malloc(sizeof *block + size);
  if (block)
    *block = (struct block){.size = size, .dirty = !mapped};
  return block;
}

/* As large as blocks have grown, or as is needed now where memory is too short for that. NULL: for that too. */
static struct block *add_block(struct og_arena *arena, size_t at_least) {
  struct block *block = new_block(OG_MAX(arena->next, at_least));
  if (!block && at_least < arena->next)
    block = new_block(at_least);
  if (!block)
    return NULL;
  block->next = arena->blocks;
  arena->blocks = block;
  if (at_least <= arena->next)
    arena->next = OG_MIN(arena->next * (is_large(arena->next) ? 2 : 4), (size_t)LAST_BLOCK);
  return block;
}

struct og_arena *og_arena_new(void) {
  struct og_arena *arena = og_checked_realloc(NULL, sizeof *arena);
  *arena = (struct og_arena){.next = FIRST_BLOCK};
  return arena;
}

struct og_arena *og_arena_within(struct og_arena *host) {
  struct og_arena *arena = og_arena_new();
  struct block *from = host->blocks;
  size_t left = from && !from->dirty ? (from->size - from->used) / 4 * 3 / ALIGNMENT * ALIGNMENT : 0;
  if (left < FIRST_BLOCK)
    return arena;
  struct block *block = (struct block *)(from->bytes + from->used);
  from->used += left;
  *block = (struct block){.size = left - sizeof *block, .borrowed = true};
  *arena = (struct og_arena){.blocks = block, .next = left};
  return arena;
}

void og_arena_expect(struct og_arena *arena, size_t size) {
  if (!arena->blocks)
    arena->next = OG_MIN(OG_MAX(size, (size_t)FIRST_BLOCK), (size_t)LAST_BLOCK);
}

static void free_block(struct block *block) {
  if (block->borrowed)
    return;
  if (is_mapped(block->size))
    munmap(block, sizeof *block + block->size);
  else
    free(block);
}

static void free_blocks(struct block *block) {
  while (block) {
    struct block *next = block->next;
    free_block(block);
    block = next;
  }
}

void og_arena_free(struct og_arena *arena) {
  if (!arena)
    return;
  free_blocks(arena->blocks);
  free(arena);
}

size_t og_arena_used(const struct og_arena *arena) {
  size_t used = 0;
  for (const struct block *block = arena->blocks; block; block = block->next)
    used += block->used;
  return used;
}

void og_arena_reset(struct og_arena *arena) {
  struct block *newest = arena->blocks;
  if (!newest)
    return;
  free_blocks(newest->next);
  newest->next = NULL;
  newest->used = 0;
  newest->dirty = true;
}

static inline void *try_alloc(struct og_arena *arena, size_t size) {
  if (size > SIZE_MAX / 4)
    return NULL;
  size = og_align_up(size, ALIGNMENT);
  struct block *block = arena->blocks;
  if (!block || block->size - block->used < size)
    block = add_block(arena, size);
  if (!block)
    return NULL;
  void *memory = block->bytes + block->used;
  block->used += size;
  return block->dirty ? memset(memory, 0, size) : memory;
}

void *og_arena_alloc(struct og_arena *arena, size_t size) {
  void *memory = try_alloc(arena, size);
  if (!memory)
    out_of_memory();
  return memory;
}

void *og_arena_grow(struct og_arena *arena, void *old, size_t old_size, size_t new_size) {
  struct block *block = arena->blocks;
  size_t held = og_align_up(old_size, ALIGNMENT), wanted = og_align_up(new_size, ALIGNMENT);
  bool last = old && block && (uint8_t *)old + held == block->bytes + block->used;
  if (last && wanted >= held && block->size - block->used >= wanted - held) {
    if (block->dirty)
      memset((uint8_t *)old + held, 0, wanted - held);
    block->used += wanted - held;
    return old;
  }
  void *memory = og_arena_alloc(arena, new_size);
  return old ? memcpy(memory, old, OG_MIN(old_size, new_size)) : memory;
}

char *og_arena_copy(struct og_arena *arena, const char *data, size_t size) {
  char *copy = og_arena_alloc(arena, size + 1);
  return size ? memcpy(copy, data, size) : copy;
}

char *og_arena_copy_input(struct og_arena *arena, const char *name, const void *data, size_t size,
                          struct og_diagnostics *diagnostics) {
  char *copy = try_alloc(arena, size + 1);
  if (!copy)
    og_error_in(diagnostics, name, "no memory for a copy of %zu bytes", size);
  return copy && size ? memcpy(copy, data, size) : copy;
}

char *og_arena_vprintf(struct og_arena *arena, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int size = vsnprintf(NULL, 0, format, args);
  char *text = og_arena_alloc(arena, (size_t)OG_MAX(size, 0) + 1);
  vsnprintf(text, (size_t)OG_MAX(size, 0) + 1, format, again);
  va_end(again);
  return text;
}

char *og_arena_printf(struct og_arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = og_arena_vprintf(arena, format, args);
  va_end(args);
  return text;
}

void *og_vector_reserve(struct og_arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t more,
                        size_t item_size) {
  if (*capacity - count >= more)
    return items;
  if (more > UINT32_MAX - count)
    out_of_memory();
  size_t old = *capacity;
  *capacity = count + (uint32_t)more;
  return og_arena_grow(arena, items, old * item_size, *capacity * item_size);
}

void *og_vector_grow(struct og_arena *arena, void *items, uint32_t *capacity, size_t item_size) {
  size_t old = *capacity, grown = old ? old * 2 : 8;
  if (grown > UINT32_MAX)
    out_of_memory();
  *capacity = (uint32_t)grown;
  return og_arena_grow(arena, items, old * item_size, grown * item_size);
}
