/* test_visa_binary.c - the vISA binary form: the encodings of operands, and files that lie. */
#include "visa/visa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static const char header[] = ".version 4.1\n.kernel \"k\"\n"
                             ".decl V32 v_type=G type=d num_elts=64 align=GRF\n"
                             ".decl V33 v_type=G type=d num_elts=64 align=GRF\n"
                             ".decl A0 v_type=A num_elts=16\n.decl A1 v_type=A num_elts=16\n"
                             ".decl P1 v_type=P num_elts=32\n"
                             ".decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=2\n";

static bool assemble(struct og_arena *arena, const char *body, struct og_buffer *out) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_source *source = OG_NEW(arena, struct og_source);
  source->name = "t.visaasm";
  source->text = og_arena_printf(arena, "%s%s\n", header, body);
  source->size = strlen(source->text);
  struct og_visa *visa = og_visa_read_text(arena, source, OG_VISA_SKL, diagnostics);
  bool good = visa && og_visa_write_binary(visa, out, diagnostics);
  og_diagnostics_free(diagnostics);
  return good;
}

/* The code is what the file ends with. */
static void expect_code(const char *body, const char *hex) {
  struct og_arena *arena = og_arena_new();
  struct og_buffer out = {0};
  assert_true(assemble(arena, body, &out));
  uint8_t expected[64];
  size_t size = 0;
  for (; *hex; hex++)
    if (*hex != ' ') {
      unsigned digit[2];
      for (int i = 0; i < 2; i++)
        digit[i] = (unsigned)(strchr("0123456789abcdef", hex[i]) - "0123456789abcdef");
      expected[size++] = (uint8_t)(digit[0] << 4 | digit[1]);
      hex++;
    }
  assert_true(out.size > size);
  assert_memory_equal(out.data + out.size - size, expected, size);
  og_buffer_free(&out);
  og_arena_free(arena);
}

static void operands_are_encoded_as_specified(void **state) {
  (void)state;
  /*          opcode, execution, predicate, then each operand: tag and info */
  expect_code("mov (M1,16) V32<1> V33(0,0)<2;1,0>", "29 04 0000 00 20000000 00 00 0002 00 21000000 00 00 2301");
  expect_code("(!P1.any) add (M5,8) V32<2> V33(0,0)<0;1,0> 0xff:d",
              "01 43 01a0 00 20000000 00 00 0003 00 21000000 00 00 2101 05 01 ff000000");
  expect_code("add.sat (M1_NM,1) V32(1,2)<4> (-)V33(3,4)<0;1,0> (abs)V33(0,0)<32;16,2>",
              "01 80 0000 20 20000000 01 02 0004 10 21000000 03 04 2101 08 21000000 00 00 6703");
  expect_code("and (M1,8) V32(0,0)<1> (~)V33(0,0)<8;8,1> 1:d",
              "20 03 0000 00 20000000 00 00 0002 28 21000000 00 00 5502 05 01 01000000");
  expect_code("lsc_fence.ugm.evict.gpus", "8b 80 0000 00 01 04"); /* no mask: bit 3 of the high half */
  expect_code("mov (M1,8) V32(0,0)<1> A1(4)<8>", "29 03 0000 00 20000000 00 00 0002 01 0100 04 03");
  expect_code("mov (M1,8) V32(0,0)<1> r[A1(2),-512]<8;8,1>:w",
              "29 03 0000 00 20000000 00 00 0002 03 0100 02 00fe 03 5502");
  expect_code("mov (M1,8) V32(0,0)<1> r[A1(2),511]<4,1>:f",
              "29 03 0000 00 20000000 00 00 0002 03 0100 02 ff01 07 4002");
  expect_code("mov (M1,8) V32(0,0)<1> P1", "29 03 0000 00 20000000 00 00 0002 02 0100");
  expect_code("mov (M1,1) V32(0,0)<1> 0x123456789abcdef0:q",
              "29 00 0000 00 20000000 00 00 0002 05 0d f0debc9a 78563412");
  expect_code("mov (M1,8) V32(0,0)<1> 0x76543210:v", "29 03 0000 00 20000000 00 00 0002 05 08 10325476");
  expect_code("movs (M1_NM,1) T6(1) S0(0)", "2d 80 06 00 0600 01 06 01 0000 00");
  expect_code("cmp.le (M1,16) P1 V32(0,0)<1;1,0> 0:d", "2c 04 05 02 0100 00 20000000 00 00 2201 05 01 00000000");
  expect_code("addr_add (M1_NM,1) A1(3)<1> &V32[36] 2:uw", "28 80 01 0100 03 00 00 20000000 01 01 2101 05 02 02000000");
  expect_code("addr_add (M1_NM,1) A1(3)<1> &T6[4] 2:uw", "28 80 01 0100 03 00 06 00 0600 01 05 02 02000000");
  expect_code("gather4_scaled.RA (M1,16) T6 0:ud V32.0 V33.64",
              "74 04 0000 09 0000 06 05 00 00000000 20000000 0000 21000000 4000");
  expect_code("dword_atomic.cmpxchg.16 (M1,8) T6 V32.0 V33.0 V33.32 %null.0",
              "7d 27 03 0000 06 20000000 0000 21000000 0000 21000000 2000 00000000 0000");
}

static struct og_visa *decode(struct og_arena *arena, const void *data, size_t size) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_visa *visa = og_visa_read_binary(arena, data, size, "t.isa", diagnostics);
  assert_true((visa != NULL) == (og_diagnostics_errors(diagnostics) == 0));
  og_diagnostics_free(diagnostics);
  return visa;
}

static const char program[] =
    ".kernel_attr SimdSize=16\n.function \"main\"\nmain:\n(P1) add (M1,16) V32<1> V33(0,0)<1;1,0> 1:d\n"
    "l:\n(!P1.all) goto (M1,16) l\noword_ld (2) T6 0:ud V32.0\nswitchjmp (M1,1) V32(0,0)<0;1,0> (l, l)\n"
    ".file \"x\"\nret (M1,1)\n";

/* Two kernels' variables that live in the file: their aliases, and what an own variable's index then is. */
static const char shared[] =
    ".version 4.1\n.kernel \"k\"\n"
    ".decl G0 v_type=G type=d num_elts=16 align=GRF attrs={FileScope=2}\n"
    ".decl G1 v_type=G type=uw num_elts=8 align=word attrs={FileScope=0}\n"
    ".decl A v_type=G type=d num_elts=8 align=GRF alias=<G0, 32>\n"
    ".decl B v_type=G type=uw num_elts=8 align=word alias=<G1, 0>\n"
    ".decl C v_type=G type=d num_elts=8 align=GRF\n.decl D v_type=G type=d num_elts=8 align=GRF alias=<C, 0>\n"
    ".input C offset=32 size=32\n.kernel_attr SimdSize=8\n.function \"main_0\"\nmain_0:\n%s"
    "    lifetime.start D\n    mov (M1, 8) A(0,0)<1> D(0,0)<8;8,1>\n    mov (M1, 8) B(0,0)<1> C(0,0)<8;8,1>\n"
    "    oword_ld (2) T1 0x0:ud C.0\n    ret (M1, 1)\n";

static struct og_visa *read_shared(struct og_arena *arena, const char *more, struct og_buffer *binary) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_source *source = OG_NEW(arena, struct og_source);
  source->name = "t.visaasm";
  source->text = og_arena_printf(arena, shared, more);
  source->size = strlen(source->text);
  struct og_visa *visa = og_visa_read_text(arena, source, OG_VISA_SKL, diagnostics);
  assert_non_null(visa);
  bool written = og_visa_write_binary(visa, binary, diagnostics);
  og_diagnostics_free(diagnostics);
  return written ? visa : NULL;
}

static void file_scope_variables_go_through_the_header(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new();
  struct og_buffer binary = {0}, again = {0}, first = {0}, second = {0};
  struct og_visa *visa = read_shared(arena, "", &binary);
  assert_non_null(visa);
  assert_non_null(
      memmem(binary.data, 64, "\x02\0\x02\x02\0G0", 7)); /* two of them, global, and a name of two letters */
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_visa *decoded = og_visa_read_binary(arena, binary.data, binary.size, "t.isa", diagnostics);
  assert_non_null(decoded);
  og_visa_write_text(visa, &first);
  og_visa_write_text(decoded, &second);
  assert_int_equal(first.size, second.size);
  assert_memory_equal(first.data, second.data, first.size);
  assert_true(og_visa_write_binary(decoded, &again, diagnostics));
  assert_int_equal(again.size, binary.size);
  assert_memory_equal(again.data, binary.data, binary.size);
  for (size_t size = 0; size < binary.size; size++)
    assert_null(og_visa_read_binary(arena, binary.data, size, "t.isa", diagnostics));
  og_diagnostics_free(diagnostics);
  struct og_buffer *buffers[] = {&binary, &again, &first, &second};
  for (size_t i = 0; i < OG_COUNT(buffers); i++)
    og_buffer_free(buffers[i]);
  og_arena_free(arena);
}

static void file_scope_variables_are_reached_through_aliases(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new();
  struct og_buffer binary = {0};
  assert_null(read_shared(arena, "    mov (M1, 8) G0(0,0)<1> C(0,0)<8;8,1>\n", &binary));
  og_buffer_free(&binary);
  og_arena_free(arena);
}

static void truncated_files_are_refused(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new();
  struct og_buffer out = {0};
  assert_true(assemble(arena, program, &out));
  assert_non_null(decode(arena, out.data, out.size));
  for (size_t size = 0; size < out.size; size++)
    assert_null(decode(arena, out.data, size));
  og_buffer_free(&out);
  og_arena_free(arena);
}

static void changed_bytes_never_break_the_writers(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new(), *scratch = og_arena_new();
  struct og_buffer out = {0}, text = {0};
  assert_true(assemble(arena, program, &out));
  for (size_t at = 8; at < out.size; at++)
    for (unsigned value = 1; value < 256; value = value * 3 + 1) {
      out.data[at] ^= (uint8_t)value;
      struct og_visa *visa = decode(scratch, out.data, out.size);
      text.size = 0;
      if (visa)
        og_visa_write_text(visa, &text);
      out.data[at] ^= (uint8_t)value;
      og_arena_reset(scratch);
    }
  og_buffer_free(&out);
  og_buffer_free(&text);
  og_arena_free(arena);
  og_arena_free(scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operands_are_encoded_as_specified),
      cmocka_unit_test(file_scope_variables_go_through_the_header),
      cmocka_unit_test(file_scope_variables_are_reached_through_aliases),
      cmocka_unit_test(truncated_files_are_refused),
      cmocka_unit_test(changed_bytes_never_break_the_writers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
