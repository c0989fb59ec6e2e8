/* test_visa_text.c - the vISA text reader and writer: what is read is what is written, and errors say where. */
#include "visa/visa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static const char header[] = ".version 4.1\n.kernel \"k\"\n"
                             ".decl V32 v_type=G type=d num_elts=64 align=GRF\n"
                             ".decl V33 v_type=G type=d num_elts=64 align=GRF\n"
                             ".decl V34 v_type=G type=uq num_elts=64 align=GRF\n"
                             ".decl V35 v_type=G type=f num_elts=64 align=GRF\n"
                             ".decl A0 v_type=A num_elts=16\n"
                             ".decl P1 v_type=P num_elts=32\n"
                             ".decl P2 v_type=P num_elts=32\n"
                             ".decl S0 v_type=S num_elts=1\n"
                             ".decl T6 v_type=T num_elts=1\n"
                             "lab:\n";

struct fixture {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_visa *visa;
};

static struct fixture read(const char *body) {
  struct fixture f = {og_arena_new(), og_diagnostics_new(), NULL};
  struct og_source *source = OG_NEW(f.arena, struct og_source);
  source->name = "t.visaasm";
  source->text = og_arena_printf(f.arena, "%s%s\n", header, body);
  source->size = strlen(source->text);
  f.visa = og_visa_read_text(f.arena, source, OG_VISA_PVC, f.diagnostics);
  return f;
}

static void finish(struct fixture *f) {
  og_diagnostics_free(f->diagnostics);
  og_arena_free(f->arena);
}

/* The canonical text of the last instruction. */
static void expect_text(const char *body, const char *expected) {
  struct fixture f = read(body);
  if (!f.visa)
    fail_msg("%s: %s", body, og_diagnostics_at(f.diagnostics, 0)->message);
  const struct og_visa_kernel *kernel = f.visa->kernels.items[0];
  struct og_buffer out = {0};
  og_visa_write_inst(kernel, &kernel->insts.items[kernel->insts.count - 1], &out);
  og_buffer_u8(&out, 0);
  assert_string_equal((char *)out.data, expected);
  og_buffer_free(&out);
  finish(&f);
}

static void expect_error(const char *body, uint32_t column, const char *message) {
  struct fixture f = read(body);
  assert_null(f.visa);
  const struct og_diagnostic *error = og_diagnostics_at(f.diagnostics, 0);
  if (!strstr(error->message, message))
    fail_msg("%s: expected '%s', got '%s'", body, message, error->message);
  assert_int_equal(error->column, column);
  finish(&f);
}

static void writes_every_form_canonically(void **state) {
  (void)state;
  static const char *const forms[][2] = {
      {"mov (M1,16) V32<1> V33(0,0)<1;1,0>", "mov (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0>"},
      {"(!P1.any) add (M5,8) V32<1> V33(0,0)<0;1,0> 0xff:d",
       "(!P1.any) add (M5, 8) V32(0,0)<1> V33(0,0)<0;1,0> 0xff:d"},
      {"add.sat (8) V32(0,1)<2> (-)V33(0,0)<8;8,1> (abs)V33(0,0)<4;2,2>",
       "add.sat (M1, 8) V32(0,1)<2> (-)V33(0,0)<8;8,1> (abs)V33(0,0)<4;2,2>"},
      {"mov (M1,8) r[A0(0),16]<1>:d r[A0(0)]<8,1>:d", "mov (M1, 8) r[A0(0),16]<1>:d r[A0(0),0]<8,1>:d"},
      {"addr_add (M1_NM,1) A0(0)<1> &V32[4] 32:uw", "addr_add (M1_NM, 1) A0(0)<1> &V32[4] 0x20:uw"},
      {"mov (M1,8) V35(0,0)<1> -1.5:f", "mov (M1, 8) V35(0,0)<1> 0xbfc00000:f"},
      {"mov (M1,8) V32(0,0)<1> -1:w", "mov (M1, 8) V32(0,0)<1> 0xffffffff:w"},
      {"mov (M1,8) V32(0,0)<1> (2+3*4):d", "mov (M1, 8) V32(0,0)<1> 0xe:d"},
      {"cmp.eq (M1,16) P2 V32(0,0)<1;1,0> 0:d", "cmp.eq (M1, 16) P2 V32(0,0)<1;1,0> 0x0:d"},
      {"and (M1,16) P1 P1 P2", "and (M1, 16) P1 P1 P2"},
      {"movs (M1_NM,1) T6(0) 0x3:ud", "movs (M1_NM, 1) T6(0) 0x3:ud"},
      {"switchjmp (M1,1) V32(0,0)<0;1,0> (lab, lab)", "switchjmp (M1, 1) V32(0,0)<0;1,0> (lab, lab)"},
      {"fence_global.E", "fence_global.E"},
      {"fence_local", "fence_local"},
      {"oword_ld (8) T6 0:ud V32.0", "oword_ld (8) T6 0x0:ud V32.0"},
      {"media_ld.nomod (4,8) T6 0 0:d 0:d V32.0", "media_ld.nomod (4,8) T6 0 0x0:d 0x0:d V32.0"},
      {"raw_sendc (M1,8) 0xa 1 2 0x210000:ud V33.0 V32.0", "raw_sendc (M1, 8) 0xa 1 2  0x210000:ud V33.0 V32.0"},
      {"raw_sends_eot.3.1.2.0 (M1,16) 0x11:ud V32(0,1)<0;1,0> V33.0 V33.0 %null.0",
       "raw_sends_eot.3.1.2.0 (M1, 16)  0x11:ud V32(0,1)<0;1,0> V33.0 V33.0 %null.0"},
      {"dword_atomic.cmpxchg.16 (M1,16) %slm V32.0 V33.0 V33.0 %null.0",
       "dword_atomic.cmpxchg.16 (M1, 16) %slm V32.0 V33.0 V33.0 %null.0"},
      {"svm_atomic.add.64 (M1,8) V33.0 V32.0 %null.0 %null.0", "svm_atomic.add.64 (M1, 8) V33.0 V32.0 %null.0 %null.0"},
      {"svm_gather.4.2 (M1,8) V33.0 V32.0", "svm_gather.4.2 (M1, 8) V33.0 V32.0"},
      {"svm_block_ld.unaligned (4) V34(0,0)<0;1,0> V32.0", "svm_block_ld.unaligned (4) V34(0,0)<0;1,0> V32.0"},
      {"gather4_scaled.RG (M1,16) T6 0:ud V32.0 V33.0", "gather4_scaled.RG (M1, 16) T6 0x0:ud V32.0 V33.0"},
      {"lifetime.end P1", "lifetime.end P1"},
      {"sbarrier.wait", "sbarrier.wait"},
      {"nbarrier.signal 1:ub 4:ub", "nbarrier.signal 0x1:ub 0x4:ub"},
      {".file \"a\\\"b\"", "FILE \"a\\\"b\""},
      {"(P1) lsc_load.ugm (M1,16) V32:d32 flat[V34]:a64", "(P1) lsc_load.ugm (M1, 16)  V32:d32  flat[V34]:a64"},
      {"lsc_load.ugm.ca.uc (M1,16) V32.128:d16c32x2 flat[4*V34-0x10]:a64",
       "lsc_load.ugm.ca.uc (M1, 16)  V32.128:d16c32x2  flat[0x4*V34-0x10]:a64"},
      {"lsc_load.ugm (M1,16) V32:d32x8t bti(V32(0,2))[V33]:a32",
       "lsc_load.ugm (M1, 16)  V32:d32x8t  bti(V32(0,2))[V33]:a32"},
      {"lsc_load_quad.tgm (M1,16) V32:d32.xy bti(3)[V33]:a32",
       "lsc_load_quad.tgm (M1, 16)  V32:d32.xy  bti(0x3)[V33, %null, %null, %null]:a32"},
      {"lsc_load_strided.ugm (M1,16) V32:d32 flat[V34]:a64",
       "lsc_load_strided.ugm (M1, 16)  V32:d32  flat[V34, 0x4]:a64"},
      {"lsc_load_block2d.ugm (M1,1) V32:d16.2x8x16nt flat[V34,V32(0,1),0x10,V32(0,3),V32(0,4),V32(0,5)]",
       "lsc_load_block2d.ugm (M1, 1)  V32:d16.2x8x16nt  flat[V34, V32(0,1), 0x10, V32(0,3), V32(0,4), V32(0,5)]"},
      {"lsc_store_block2d.ugm (M1,1) flat[V34,V32(0,1),0x10,V32(0,3),V32(0,4),V32(0,5)] V32:d16.8x8nn",
       "lsc_store_block2d.ugm (M1, 1)  flat[V34, V32(0,1), 0x10, V32(0,3), V32(0,4), V32(0,5)]  V32:d16.8x8nn"},
      {"lsc_atomic_icas.slm (M1,16) %null:d32 flat[V33]:a32 V32 V33",
       "lsc_atomic_icas.slm (M1, 16)  %null:d32  flat[V33]:a32  V32  V33"},
      {"lsc_load_block2d.ugm (M1,16) V32:d16.16x8nn flat[V34,V32(0,1),0x10,V32(0,3),V32(0,4),V32(0,5)]",
       "lsc_load_block2d.ugm (M1, 16)  V32:d16.16x8nn  flat[V34, V32(0,1), 0x10, V32(0,3), V32(0,4), V32(0,5)]"},
      {"lsc_fence.ugm.evict.gpu", "lsc_fence.ugm.evict.gpu"},
      {"faddr \".str.1\" V32(0,0)<1>", "faddr \".str.1\" V32(0,0)<1>"},
      {"faddr \"a b\" V32(0,0)<1>", "faddr \"a b\" V32(0,0)<1>"},
      {"fcall (M1,1) \"f.1\" 0 0", "fcall (M1, 1) \"f.1\" 0 0"},
      {"fcall (M1,1) \"f\" 0 0", "fcall (M1, 1) f 0 0"},
      {"dpas.s8.u8.8.4 (M1,16) V32.0 V33.0 V33.0 V32(0,0)", "dpas.s8.u8.8.4 (M1, 16) V32.0 V33.0 V33.0 V32(0,0)"},
      {"bfn.xca (M1,16) V32(0,0)<1> V33(0,0)<1;1,0> V32(0,0)<1;1,0> V33(0,0)<1;1,0>",
       "bfn.xca (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0> V32(0,0)<1;1,0> V33(0,0)<1;1,0>"},
      {"sample_lz.RGBA (M1,16) 0x0:uw S0 T6 V32.0 V33.0 V33.64",
       "sample_lz.RGBA (M1, 16)  0x0:uw S0 T6 V32.0 V33.0 V33.64"},
      {"max (M1,16) V35(0,0)<1> V35(0,0)<1;1,0> 1.0:f", "max (M1, 16) V35(0,0)<1> V35(0,0)<1;1,0> 0x3f800000:f"},
  };
  for (size_t i = 0; i < OG_COUNT(forms); i++) {
    expect_text(forms[i][0], forms[i][1]);
    expect_text(forms[i][1], forms[i][1]);
  }
}

static void errors_point_at_the_operand(void **state) {
  (void)state;
  expect_error("mov (M1,16) V99(0,0)<1> V33(0,0)<1;1,0>", 13, "'V99' is not declared");
  expect_error("mov (M9,16) V32(0,0)<1> V33(0,0)<1;1,0>", 6, "'M9' is no mask");
  expect_error("mov (M1,12) V32(0,0)<1> V33(0,0)<1;1,0>", 9, "execution size");
  expect_error("mvo (M1,16) V32(0,0)<1> V33(0,0)<1;1,0>", 1, "unknown instruction 'mvo'");
  expect_error("add (M1,16) V32(0,0)<1> V33(0,0)<1;1,0>", 40, "expected an operand");
  expect_error("mov (M1,16) V32(0,0)<1> V33(0,0)<1;1,0> 1:d", 41, "unexpected text");
  expect_error("(P1) cmp.eq (M1,16) P2 V32(0,0)<1;1,0> 0:d", 1, "takes no predicate");
  expect_error("goto (M1,16) nowhere", 14, "label 'nowhere' is not defined");
  expect_error("lab:", 1, "defined twice");
  expect_error(".decl V32 v_type=G type=d num_elts=1", 7, "declared twice");
}

static void names_in_a_scope_hide_outer_ones(void **state) {
  (void)state;
  struct fixture f =
      read("{\n.decl V32 v_type=G type=f num_elts=8\nmov (M1,8) V32(0,0)<1> 0:f\n}\nmov (M1,8) V32(0,0)<1> 0:d");
  assert_non_null(f.visa);
  const struct og_visa_kernel *kernel = f.visa->kernels.items[0];
  assert_int_equal(kernel->insts.items[1].operands[0].type, OG_VISA_F);
  assert_int_equal(kernel->insts.items[2].operands[0].type, OG_VISA_D);
  finish(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_every_form_canonically),
      cmocka_unit_test(errors_point_at_the_operand),
      cmocka_unit_test(names_in_a_scope_hide_outer_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
