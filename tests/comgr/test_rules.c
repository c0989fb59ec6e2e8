/* test_rules.c - which sources, options and bitcode may be cached, and which may read more than what they come with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "comgr/bitcode.h"
#include "comgr/bytes.h"
#include "comgr/comgr.h"
#include "comgr/rules.h"
#include "comgr/source.h"

static void add_object(struct comgr_bytes *set, int kind, const char *name, const char *text) {
  og_comgr_number(set, (uint64_t)kind);
  og_comgr_block(set, name, strlen(name) + 1);
  og_comgr_block(set, text, strlen(text));
}

static struct comgr_rest whole(const struct comgr_bytes *bytes) {
  return (struct comgr_rest){bytes->bytes, bytes->size};
}

static struct comgr_rest text(const char *text) {
  return (struct comgr_rest){text, strlen(text)};
}

static struct comgr_bytes with_headers(void) {
  struct comgr_bytes set = {0};
  add_object(&set, COMGR_SOURCE, "source.cl", "");
  add_object(&set, COMGR_INCLUDE, "given.h", "");
  add_object(&set, COMGR_INCLUDE, "folder/given.h", "");
  add_object(&set, COMGR_INCLUDE, "/usr/include/stdio.h", "");
  return set;
}

static const char *const plain_sources[] = {
    "",
    "#",
    "# 1 \"/usr/include/x.h\" 1 3\n__kernel void k() {}",
    "#define A 1\n#ifdef A\n#endif\n#pragma unroll\n",
    "#include \"given.h\"",
    "  #  include /* it */ <folder/given.h> // given",
    "#inc\\\nlude \"given.h\"",
    "#define S(include) #include_it",
    "int include, import, embed; // include import",
    "a.include; x %= 2; c ? d : e;",
    "/* # */ int a;",
};

static const char *const asking_sources[] = {
    "#include \"other.h\"",
    "#include <hip/hip_runtime.h>",
    "#include \"given.h",
    "#include \"source.cl\"",
    "#include NAME",
    "#include \"/usr/include/stdio.h\"",
    "#include \"folder/../given.h\"",
    "#include_next \"given.h\"",
    "#import \"given.h\"",
    "#embed \"given.h\"",
    "int a;\n\t # \v include \"other.h\"",
    "/* a comment\n */ #include \"other.h\"",
    "#/* a\ncomment */include \"other.h\"",
    "#/**/include \"other.h\"",
    "#/***/include \"other.h\"",
    "# \\\n inc\\  \r\nlu\\\nde \"other.h\"",
    "%:include \"other.h\"",
    "?\?=include \"other.h\"",
    "#inc?\?/\nlude \"other.h\"",
    "#if __has_include(<hip/hip_runtime.h>)",
    "#if __has_\\\ninclude(<x>)",
    "const char *when = __DATE__;",
    "const char *when = __TIME__ __TIMESTAMP__;",
    "\"/*\"\n#include \"other.h\"",
};

static void sources(void **state) {
  (void)state;
  struct comgr_bytes set = with_headers();
  for (size_t i = 0; i < sizeof plain_sources / sizeof *plain_sources; i++)
    if (!og_comgr_is_plain_source(text(plain_sources[i]), whole(&set)))
      fail_msg("should be plain: %s", plain_sources[i]);
  for (size_t i = 0; i < sizeof asking_sources / sizeof *asking_sources; i++)
    if (og_comgr_is_plain_source(text(asking_sources[i]), whole(&set)))
      fail_msg("reads more: %s", asking_sources[i]);
  free(set.bytes);
}

/* Sources and headers of a set are looked at, other objects are not. */
static void objects(void **state) {
  (void)state;
  struct comgr_bytes set = with_headers();
  add_object(&set, 3, "header.pch", "#include \"other.h\"");
  assert_true(og_comgr_are_plain_objects(COMGR_COMPILE_SOURCE_TO_BC, whole(&set)));
  add_object(&set, COMGR_INCLUDE, "asking.h", "#include \"other.h\"");
  assert_false(og_comgr_are_plain_objects(COMGR_COMPILE_SOURCE_TO_BC, whole(&set)));
  set.size -= 8;
  assert_false(og_comgr_are_plain_objects(COMGR_COMPILE_SOURCE_TO_BC, whole(&set)));
  free(set.bytes);
}

/* Options with a blank between those of one action. */
static const char *const plain_options[] = {
    "",
    "-O3 -mllvm -amdgpu-prelink -mcumode --hip-version=5.2.21153 -DHIP_VERSION_MAJOR=5 -include given.h -std=c++14",
    "-cl-kernel-arg-info -Xclang -cl-ext=+cl_khr_fp64 -mwavefrontsize64 -mcode-object-version=4",
    "wavefrontsize64 code_object_v4",
};

static const char *const asking_options[] = {
    "-I/tmp", "-I /tmp", "-isystem /tmp", "-include other.h", "-include /usr/include/stdio.h", "-include", "@file", "file.bc",
    "-mllvm", "-mllvm -load=/tmp/x.so", "-Xclang -load", "-Xclang", "-fplugin=/tmp/x.so", "-DA=__DATE__", "-D", "-D A=1",
    "-Wp,-I/tmp", "-Wl,-T/tmp/x", "-B/tmp", "--sysroot=/tmp", "-L/tmp", "-g", "-v", "-save-temps", "-o x", "--rocm-path=/x",
};

static bool are_plain(const char *list) {
  struct comgr_bytes options = {0}, set = with_headers();
  for (const char *end; *list; list = *end ? end + 1 : end) {
    end = list + strcspn(list, " ");
    char option[128];
    snprintf(option, sizeof option, "%.*s", (int)(end - list), list);
    og_comgr_block(&options, option, strlen(option) + 1);
  }
  bool plain = og_comgr_are_plain_options(whole(&options), whole(&set));
  free(options.bytes);
  free(set.bytes);
  return plain;
}

static void options(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof plain_options / sizeof *plain_options; i++)
    if (!are_plain(plain_options[i]))
      fail_msg("should be plain: %s", plain_options[i]);
  for (size_t i = 0; i < sizeof asking_options / sizeof *asking_options; i++)
    if (are_plain(asking_options[i]))
      fail_msg("names something: %s", asking_options[i]);
}

/* A header that is in the current folder is taken from there, and so is a library for devices. */
static void shadowed(void **state) {
  (void)state;
  char folder[] = "/tmp/offgrid-comgr-XXXXXX";
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  assert_true(are_plain("-include given.h"));
  FILE *file = fopen("given.h", "w");
  assert_non_null(file);
  fclose(file);
  assert_false(are_plain("-include given.h"));
  unlink("given.h");
  assert_int_equal(mkdir("amdgcn", 0700), 0);
  assert_false(og_comgr_is_plain_surrounding());
  rmdir("amdgcn");
  assert_true(og_comgr_is_plain_surrounding());
  assert_int_equal(chdir("/tmp"), 0);
  rmdir(folder);
}

static void surrounding(void **state) {
  (void)state;
  static const char *const variables[] = {"AMD_COMGR_SAVE_TEMPS", "CPATH", "ROCM_PATH", "CCC_OVERRIDE_OPTIONS"};
  assert_true(og_comgr_is_plain_surrounding());
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    setenv(variables[i], "1", true);
    assert_false(og_comgr_is_plain_surrounding());
    unsetenv(variables[i]);
  }
  assert_true(og_comgr_is_plain_surrounding());
}

/* What LLVM writes of inline assembly: 6 bits at a time, at any bit. */
static struct comgr_bytes bitcode(const char *assembly, size_t shift) {
  struct comgr_bytes bytes = {0};
  char *block = og_comgr_new_block(&bytes, 200);
  memset(block, 0, 200);
  size_t at = shift;
  for (; *assembly; assembly++)
    for (int chunk = 0; chunk < 2; chunk++)
      for (int bit = 0; bit < 6; bit++, at++) {
        int bits = chunk ? *assembly >> 5 : (*assembly & 0x1f) | 0x20;
        block[at / 8] |= (char)((bits >> bit & 1) << at % 8);
      }
  return bytes;
}

static void inline_assembly(void **state) {
  (void)state;
  static const char *const asking[] = {".incbin \"x\"", "s_nop 0\n .include \"x\"", ".macro m", ".irp a, b"};
  for (size_t shift = 0; shift < 16; shift++) {
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) {
      struct comgr_bytes bytes = bitcode(asking[i], shift);
      assert_false(og_comgr_is_plain_bitcode(whole(&bytes)));
      free(bytes.bytes);
    }
    struct comgr_bytes bytes = bitcode("s_waitcnt vmcnt(0)\n .long 0", shift);
    assert_true(og_comgr_is_plain_bitcode(whole(&bytes)));
    free(bytes.bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sources),  cmocka_unit_test(objects),     cmocka_unit_test(options),
      cmocka_unit_test(shadowed), cmocka_unit_test(surrounding), cmocka_unit_test(inline_assembly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
