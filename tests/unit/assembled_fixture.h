/* assembled_fixture.h - one wave over a megabyte of memory and an LDS, and instructions as text, for tests of what
 * memory instructions do. */
#ifndef ASSEMBLED_FIXTURE_H
#define ASSEMBLED_FIXTURE_H

#include "base/float_control.h"
#include "exec/memory.h"
#include "exec/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <offgrid.h>

#include "target_fixture.h"

enum { MEMORY = 1 << 20, LDS = 1 << 14, S_IMAGE = 8, S_SAMPLER = 16, V_DATA = 20 };

static uint8_t *memory, *lds;
static struct og_memory_map *map;
static struct og_group group;
static struct og_windows windows;
static struct og_wave *wave;
static struct og_target target;
static enum og_generation generation;
static uint32_t random_state = 1;

static inline uint32_t draw(void) {
  random_state = random_state * 1664525 + 1013904223;
  return random_state >> 8;
}

static inline int set_up(void **state) {
  (void)state;
  memory = aligned_alloc(4096, MEMORY);
  map = og_memory_map_new();
  og_memory_map_add(map, (uintptr_t)memory, MEMORY, OG_MEMORY_READ | OG_MEMORY_WRITE);
  group.map = map;
  wave = aligned_alloc(64, sizeof *wave);
  lds = calloc(1, LDS + 2 * OG_LDS_MARGIN);
  return 0;
}

static inline int tear_down(void **state) {
  (void)state;
  og_memory_map_free(map);
  free(memory);
  free(lds);
  free(wave);
  return 0;
}

static inline void use(const char *processor) {
  target = target_of(processor);
  generation = target.processor->generation;
  memset(wave, 0, offsetof(struct og_wave, v));
  memset(wave->v, 0, 64 * sizeof wave->v[0]);
  for (size_t i = 0; i < MEMORY; i++)
    memory[i] = (uint8_t)draw();
}

/* Assembles one instruction and runs it. */
static inline void run(const char *text) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  og_assemble_options options = {.processor = target.processor->name};
  og_bytes object = {0};
  if (!og_assemble_source(text, strlen(text), &options, &object, diagnostics))
    fail_msg("%s: %s", text, og_diagnostics_text(diagnostics, 0));
  og_module *module = og_module_open(object.data, object.size, NULL, diagnostics);
  og_code_section section = {.info_size = sizeof section};
  assert_true(module && og_module_code(module, 0, &section));
  uint32_t code[16];
  memset(code, 0xff, sizeof code);
  memcpy(code, section.code, section.size);
  struct og_program *program = og_program_new(&target, code, sizeof code);
  windows = (struct og_windows){0};
  wave->program = program;
  wave->group = &group;
  wave->windows = &windows;
  wave->lds = lds + OG_LDS_MARGIN;
  wave->lds_size = LDS;
  wave->wave_size = target.wave_size;
  wave->mode = 0xf0;
  og_set_s64(wave, OG_S_EXEC, target.wave_size == 32 ? UINT32_MAX : UINT64_MAX);
  og_exec_changed(wave);
  uint32_t host = og_get_float_control();
  og_mode_changed(wave);
  wave->resume = program->operations;
  wave->budget = 0;
  og_wave_run(wave);
  og_set_float_control(host);
  if (wave->state != OG_WAVE_FAULT || (!strstr(wave->fault.what, "undecodable") && !strstr(wave->fault.what, "past")))
    fail_msg("%s %s: %s", target.processor->name, text, wave->fault.what);
  og_program_free(program);
  og_module_free(module);
  og_bytes_free(&object);
  og_diagnostics_free(diagnostics);
}

#endif
