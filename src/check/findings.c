/* findings.c - findings of all threads: merged, allowed ones left out, told in words or as JSON. */
#include "check/whole.h"
#include "runtime/report.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const struct og_finding *a, unsigned checker, uint64_t pc, uint64_t other) {
  return a->checker == checker && a->pc == pc && a->other == other;
}

struct og_finding *og_check_find(struct og_watch *watch, enum og_checker checker, const struct og_wave *wave,
                                 uint64_t pc, uint64_t other, int lane) {
  for (uint32_t i = 0; i < watch->findings.count; i++)
    if (is_same(&watch->findings.items[i], checker, pc, other)) {
      watch->findings.items[i].count++;
      return &watch->findings.items[i];
    }
  struct og_finding *finding = OG_PUSH(watch->arena, &watch->findings);
  *finding = (struct og_finding){.checker = (uint16_t)checker, .pc = pc, .other = other, .wave = wave->id, .lane = lane,
                                 .advice = "", .count = 1};
  memcpy(finding->group, wave->group->id, sizeof finding->group);
  return finding;
}

bool og_check_fault(struct og_check *check, const struct og_fault *fault) {
  if (fault->kind != OG_FAULT_MEMORY || !(check->checkers & OG_CHECK_BOUNDS) || !fault->pc || !fault->has_wave)
    return false;
  const char *lane = strstr(fault->what, "by lane "), *arguments = "";
  for (unsigned i = 0; i < check->threads && !*arguments; i++)
    arguments = og_check_arguments_fault(&check->watches[i], fault);
  *OG_PUSH(check->watches[0].arena, &check->watches[0].findings) =
      (struct og_finding){.checker = OG_CHECK_BOUNDS, .pc = fault->pc, .wave = fault->wave, .advice = "", .count = 1,
                          .group = {fault->group[0], fault->group[1], fault->group[2]},
                          .address = fault->address, .has_address = fault->has_address,
                          .lane = lane ? atoi(lane + strlen("by lane ")) : -1,
                          .does = og_arena_printf(check->arena, "faults: %s%s (address 0x%llx)", fault->what, arguments,
                                                  (unsigned long long)fault->address)};
  return true;
}

bool og_check_allow(struct og_check *check, const char *file, struct og_text text, struct og_diagnostics *diagnostics) {
  return og_allowances_read(&check->allowed, file, text, diagnostics);
}

static bool is_among(const struct og_check *check, const struct og_finding *finding,
                     const struct og_allowances *named) {
  struct og_buffer place = {0};
  og_executable_locate(check->executable, finding->pc, &place);
  og_buffer_u8(&place, 0);
  bool is = og_allowances_have(named, og_check_name(finding->checker), (const char *)place.data);
  og_buffer_free(&place);
  return is;
}

/* All threads' findings, each once. */
static void collect(struct og_check *check) {
  check->findings.count = 0;
  for (unsigned t = 0; t < check->threads; t++)
    for (uint32_t i = 0; i < check->watches[t].findings.count; i++) {
      const struct og_finding *one = &check->watches[t].findings.items[i];
      uint32_t k = 0;
      while (k < check->findings.count && !is_same(&check->findings.items[k], one->checker, one->pc, one->other))
        k++;
      if (k < check->findings.count)
        check->findings.items[k].count += one->count;
      else if (!is_among(check, one, &check->allowed))
        *OG_PUSH(check->arena, &check->findings) = *one;
    }
}

uint32_t og_check_findings(struct og_check *check, const char *which, uint64_t numbers[], uint32_t most) {
  uint32_t count = 0;
  struct og_allowed named = {"*", "*"};
  struct og_allowances one = {.list = {&named, 1, 1}};
  char *copy = which ? og_arena_copy(check->arena, which, strlen(which)) : NULL, *rest = copy;
  if (copy) {
    named.checker = strsep(&rest, " ");
    named.place = rest ? rest : "*";
  }
  collect(check);
  for (uint32_t i = 0; i < check->findings.count && count < most; i++) {
    const struct og_finding *finding = &check->findings.items[i];
    uint64_t start = check->executable->start, pc = finding->pc - start;
    uint64_t other = finding->other ? finding->other - start : 0;
    if (is_among(check, finding, &one))
      numbers[count++] = ((finding->checker * 0x9e3779b97f4a7c15u ^ pc) * 0xc4ceb9fe1a85ec53u ^ other) | 1;
  }
  return count;
}

static void place(const struct og_check *check, uint64_t pc, struct og_buffer *out) {
  og_print_place(check->executable, check->kernel->start.wave_size, pc, out);
  for (size_t i = 0; i < out->size; i++)
    out->data[i] = out->data[i] == '\t' ? ' ' : out->data[i];
}

void og_check_place(const struct og_check *check, uint32_t word, struct og_buffer *out) {
  const struct og_program *program = og_executable_program(check->executable, check->kernel->start.wave_size);
  place(check, og_pc(program, program->operations + word), out);
}

static void describe(const struct og_check *check, const struct og_finding *finding, struct og_buffer *out) {
  place(check, finding->pc, out);
  og_buffer_printf(out, " %s", finding->does);
  if (finding->other) {
    og_buffer_text(out, " while ");
    place(check, finding->other, out);
    og_buffer_printf(out, " %s", finding->while_);
  }
  og_buffer_printf(out, "%s (work-group %u,%u,%u, wave %u", finding->advice, finding->group[0], finding->group[1],
                   finding->group[2], finding->wave);
  if (finding->lane >= 0)
    og_buffer_printf(out, ", lane %d", finding->lane);
  if (finding->count > 1)
    og_buffer_printf(out, "; %llu times", (unsigned long long)finding->count);
  og_buffer_text(out, ")");
}

/* "place", "pc" and "instruction" of one of the two parties; the other party's keys begin with "other_". */
static void party_json(const struct og_check *check, const char *whose, uint64_t pc, struct og_buffer *out) {
  struct og_buffer text = {0};
  og_executable_locate(check->executable, pc, &text);
  og_buffer_printf(out, ",\"%splace\":", whose);
  og_buffer_json(out, (const char *)text.data, text.size);
  og_buffer_printf(out, ",\"%spc\":%llu", whose, (unsigned long long)(pc - check->executable->start));
  text.size = 0;
  if (og_print_instruction(check->executable, check->kernel->start.wave_size, pc, &text)) {
    for (size_t i = 0; i < text.size; i++)
      text.data[i] = text.data[i] == '\t' ? ' ' : text.data[i];
    og_buffer_printf(out, ",\"%sinstruction\":", whose);
    og_buffer_json(out, (const char *)text.data, text.size);
  }
  og_buffer_free(&text);
}

static void describe_json(const struct og_check *check, const struct og_finding *finding, const struct og_buffer *text,
                          struct og_buffer *out) {
  og_buffer_printf(out, "{\"checker\":\"%s\",\"kernel\":", og_check_name(finding->checker));
  og_buffer_json(out, check->kernel->name, strlen(check->kernel->name));
  og_buffer_text(out, ",\"message\":");
  og_buffer_json(out, (const char *)text->data, text->size);
  party_json(check, "", finding->pc, out);
  if (finding->other)
    party_json(check, "other_", finding->other, out);
  if (finding->other_wave_known)
    og_buffer_printf(out, ",\"other_group_number\":%u,\"other_wave\":%u", finding->other_group, finding->other_wave);
  if (finding->has_address)
    og_buffer_printf(out, ",\"address\":%llu", (unsigned long long)finding->address);
  og_buffer_printf(out, ",\"group\":[%u,%u,%u],\"wave\":%u", finding->group[0], finding->group[1], finding->group[2],
                   finding->wave);
  if (finding->lane >= 0)
    og_buffer_printf(out, ",\"lane\":%d", finding->lane);
  og_buffer_printf(out, ",\"count\":%llu}", (unsigned long long)finding->count);
}

size_t og_check_tell(struct og_check *check, struct og_diagnostics *diagnostics, struct og_buffer *json) {
  collect(check);
  if (json)
    og_buffer_text(json, "{\"findings\":[");
  for (uint32_t i = 0; i < check->findings.count; i++) {
    const struct og_finding *finding = &check->findings.items[i];
    struct og_buffer text = {0};
    describe(check, finding, &text);
    og_error_in(diagnostics, check->executable->code->elf->name, "kernel '%s': %.*s [%s]", check->kernel->name,
                (int)text.size, (const char *)text.data, og_check_name(finding->checker));
    if (json) {
      og_buffer_text(json, i ? "," : "");
      describe_json(check, finding, &text, json);
    }
    og_buffer_free(&text);
  }
  if (json)
    og_buffer_text(json, "]}\n");
  return check->findings.count;
}
