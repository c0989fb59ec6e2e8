/* Descriptor fields, metadata round trips, ELF writing and reading, hostile files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "object/object.h"

struct fixture {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_buffer out;
};

static int set_up(void **state) {
  static struct fixture f;
  f = (struct fixture){og_arena_new(), og_diagnostics_new(), {0}};
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  struct fixture *f = *state;
  og_arena_free(f->arena);
  og_diagnostics_free(f->diagnostics);
  og_buffer_free(&f->out);
  return 0;
}

static struct og_target target_of(struct fixture *f, const char *processor) {
  struct og_target target;
  assert_true(og_target_parse(&target, NULL, processor, NULL, f->diagnostics));
  return target;
}

static void give(struct og_kd_values *values, enum og_kd_directive directive, uint64_t value) {
  values->given[directive] = true;
  values->value[directive] = value;
}

static void descriptor_of_gfx900_has_the_granulated_counts(void **state) {
  struct og_target target = target_of(*state, "gfx900");
  const struct og_kd_layout layout = og_kd_layout_of(&target);
  struct og_kd_values values = {0};
  uint8_t kd[OG_DESCRIPTOR_SIZE];
  give(&values, OG_KDD_NEXT_FREE_VGPR, 9);
  give(&values, OG_KDD_NEXT_FREE_SGPR, 11);
  give(&values, OG_KDD_USER_SGPR_KERNARG_SEGMENT_PTR, 1);
  assert_true(og_kd_encode(&layout, &values, (struct og_range){0}, kd, ((struct fixture *)*state)->diagnostics));
  assert_int_equal(og_kd_get(&target, kd, OG_KD_GRANULATED_WORKITEM_VGPR_COUNT), 2);
  assert_int_equal(og_kd_get(&target, kd, OG_KD_GRANULATED_WAVEFRONT_SGPR_COUNT), 2); /* 11 and 6 reserved */
  assert_int_equal(og_kd_get(&target, kd, OG_KD_USER_SGPR_COUNT), 2);
  assert_int_equal(og_kd_get(&target, kd, OG_KD_ENABLE_SGPR_WORKGROUP_ID_X), 1);
  assert_int_equal(og_kd_get(&target, kd, OG_KD_FLOAT_DENORM_MODE_16_64), 3);
  struct og_initial_state start;
  og_initial_state_read(&target, kd, false, &start);
  assert_int_equal(start.vgprs, 12);
}

static void descriptor_errors_name_the_directive(void **state) {
  struct fixture *f = *state;
  struct og_target target = target_of(f, "gfx900");
  const struct og_kd_layout layout = og_kd_layout_of(&target);
  struct og_kd_values values = {0};
  uint8_t kd[OG_DESCRIPTOR_SIZE];
  assert_false(og_kd_encode(&layout, &values, (struct og_range){0}, kd, f->diagnostics));
  assert_string_equal(og_diagnostics_at(f->diagnostics, 0)->message, ".amdhsa_next_free_vgpr directive is required");
  give(&values, OG_KDD_NEXT_FREE_VGPR, 1);
  give(&values, OG_KDD_NEXT_FREE_SGPR, 1);
  give(&values, OG_KDD_WAVEFRONT_SIZE32, 1);
  assert_false(og_kd_encode(&layout, &values, (struct og_range){0}, kd, f->diagnostics));
  assert_non_null(strstr(og_diagnostics_at(f->diagnostics, 1)->message, "requires gfx10+"));
}

static void descriptor_prints_what_encodes_to_the_same_bytes(void **state) {
  struct fixture *f = *state;
  for (size_t p = 0; p < og_processor_count(); p++) {
    const struct og_processor *processor = og_processor_at(p);
    if (processor->generation == OG_R600)
      continue;
    struct og_target target = target_of(f, processor->name);
    const struct og_kd_layout layout = og_kd_layout_of(&target);
    for (unsigned sgprs = 1; sgprs < 100; sgprs += 9) {
      struct og_kd_values values = {0}, again;
      uint8_t kd[OG_DESCRIPTOR_SIZE], kd2[OG_DESCRIPTOR_SIZE];
      give(&values, OG_KDD_NEXT_FREE_VGPR, 64);
      give(&values, OG_KDD_NEXT_FREE_SGPR, OG_MIN(sgprs, 88));
      give(&values, OG_KDD_ACCUM_OFFSET, 8);
      values.given[OG_KDD_ACCUM_OFFSET] = processor->unified_vgprs;
      assert_true(og_kd_encode(&layout, &values, (struct og_range){0}, kd, f->diagnostics));
      assert_true(og_kd_decode(&layout, kd, &again, NULL));
      assert_true(og_kd_encode(&layout, &again, (struct og_range){0}, kd2, f->diagnostics));
      assert_memory_equal(kd, kd2, OG_DESCRIPTOR_SIZE);
    }
  }
}

static void reserved_bits_are_named(void **state) {
  struct og_target target = target_of(*state, "gfx900");
  const struct og_kd_layout layout = og_kd_layout_of(&target);
  struct og_kd_values values;
  uint8_t kd[OG_DESCRIPTOR_SIZE] = {0};
  const char *bad;
  assert_true(og_kd_decode(&layout, kd, &values, &bad));
  og_store32(kd + OG_KD_WORD_RSRC1, 1 << 29); /* gfx10's WGP_MODE */
  assert_false(og_kd_decode(&layout, kd, &values, &bad));
  assert_string_equal(bad, "compute_pgm_rsrc1");
}

static void kernel_code_defaults_become_a_descriptor(void **state) {
  struct og_target target = target_of(*state, "gfx803");
  uint8_t code[OG_KERNEL_CODE_SIZE], kd[OG_DESCRIPTOR_SIZE];
  og_kernel_code_defaults(&target, code);
  assert_true(og_kernel_code_set(code, og_find_kernel_code_field(OG_TEXT("compute_pgm_rsrc2_user_sgpr")), 6));
  assert_true(og_kernel_code_set(code, og_find_kernel_code_field(OG_TEXT("enable_sgpr_kernarg_segment_ptr")), 1));
  assert_false(og_kernel_code_set(code, og_find_kernel_code_field(OG_TEXT("priority")), 4));
  og_kernel_code_to_descriptor(code, kd);
  assert_int_equal(og_kd_get(&target, kd, OG_KD_USER_SGPR_COUNT), 6);
  assert_int_equal(og_kd_get(&target, kd, OG_KD_ENABLE_SGPR_KERNARG_SEGMENT_PTR), 1);
  assert_int_equal(og_kd_get(&target, kd, OG_KD_KERNEL_CODE_ENTRY_BYTE_OFFSET), 256);
}

static const char metadata_text[] =
    "---\n"
    "amdhsa.kernels:\n"
    "  - .args:\n"
    "      - .name:           'a b'\n"
    "        .offset:         0\n"
    "        .size:           8\n"
    "        .value_kind:     global_buffer\n"
    "    .group_segment_fixed_size: 0\n"
    "    .kernarg_segment_align: 8\n"
    "    .kernarg_segment_size: 8\n"
    "    .max_flat_workgroup_size: 1024\n"
    "    .name:           !str '12'\n"
    "    .private_segment_fixed_size: 0\n"
    "    .sgpr_count:     8\n"
    "    .symbol:         k.kd\n"
    "    .vendor.x:\n"
    "      - - -1\n"
    "        - 1.500000E+00\n"
    "      - true\n"
    "      - \"a\\x01\"\n"
    "      - []\n"
    "    .vgpr_count:     70000\n"
    "    .wavefront_size: 64\n"
    "amdhsa.version:\n"
    "  - 1\n"
    "  - 2\n"
    "...\n";

static struct og_node *parse(struct fixture *f, const char *text) {
  struct og_source *source = OG_NEW(f->arena, struct og_source);
  *source = (struct og_source){.name = "m.yaml", .text = text, .size = strlen(text)};
  return og_metadata_from_yaml(f->arena, og_text(text), (struct og_range){source, 0, (uint32_t)source->size},
                               f->diagnostics);
}

static void metadata_round_trips_through_msgpack(void **state) {
  struct fixture *f = *state;
  struct og_node *root = parse(f, metadata_text);
  assert_non_null(root);
  assert_true(og_metadata_verify(root, 5, "m", f->diagnostics));
  struct og_buffer packed = {0};
  og_metadata_to_msgpack(root, &packed);
  struct og_node *again = og_metadata_from_msgpack(f->arena, "m", packed.data, packed.size, f->diagnostics);
  assert_non_null(again);
  og_metadata_to_yaml(again, 5, &f->out);
  og_buffer_u8(&f->out, 0);
  char expected[sizeof metadata_text];
  strcpy(expected, metadata_text);
  memcpy(strstr(expected, "'a b'"), "a b\n      ", 4); /* needs no quotes */
  char *rest = strstr(expected, "a b\n") + 4;
  memmove(rest, rest + 2, strlen(rest + 2) + 1);
  assert_string_equal((char *)f->out.data, expected);
  for (size_t cut = 0; cut < packed.size; cut++) /* every truncation is an error, none a crash */
    assert_null(og_metadata_from_msgpack(f->arena, "m", packed.data, cut, f->diagnostics));
  og_buffer_free(&packed);
}

/* Whether the document is printed in one pass; if so, it is valid, and the text is the tree's, of which the same bytes
 * come again. */
static bool is_printed_directly(struct fixture *f, const void *bytes, size_t size) {
  struct og_buffer yaml = {0}, usual = {0}, packed = {0};
  bool direct = og_metadata_print_direct(bytes, size, 5, &yaml);
  if (direct) {
    const struct og_node *root = og_metadata_from_msgpack(f->arena, "m", bytes, size, f->diagnostics);
    assert_non_null(root);
    og_metadata_to_yaml(root, 5, &usual);
    og_buffer_u8(&usual, 0);
    og_buffer_u8(&yaml, 0);
    assert_string_equal((const char *)yaml.data, (const char *)usual.data);
    const struct og_node *again = parse(f, (const char *)yaml.data);
    assert_non_null(again);
    if (!og_metadata_verify(again, 5, "m", f->diagnostics))
      fail_msg("not valid:\n%s", (const char *)yaml.data);
    og_metadata_to_msgpack(again, &packed);
    if (packed.size != size || memcmp(packed.data, bytes, size))
      fail_msg("other bytes come of\n%s", (const char *)yaml.data);
  } else {
    assert_int_equal(yaml.size, 0);
  }
  og_buffer_free(&yaml);
  og_buffer_free(&usual);
  og_buffer_free(&packed);
  return direct;
}

/* The same of metadata without kernels whose version is these bytes. */
static bool is_direct_with(struct fixture *f, const char *bytes, size_t size) {
  static const char before[] = "\x82\xae" "amdhsa.kernels\x90\xae" "amdhsa.version";
  struct og_buffer document = {0};
  og_buffer_append(&document, before, sizeof before - 1);
  og_buffer_append(&document, bytes, size);
  bool direct = is_printed_directly(f, document.data, document.size);
  og_buffer_free(&document);
  return direct;
}

static void metadata_is_printed_directly_as_by_way_of_a_tree(void **state) {
  static const struct {
    const char *bytes; /* of the version */
    size_t size;
    bool direct;
  } versions[] = {
#define VERSION(bytes, direct) {bytes, sizeof bytes - 1, direct}
      VERSION("\x92\x01\xcd\x01\x00", true),
      VERSION("\x92\x01\xce\x00\x01\x00\x00", true),
      VERSION("\x92\x01\xcf\x00\x00\x00\x01\x00\x00\x00\x00", true),
      VERSION("\x92\x01\xcc\x01", false), /* more bytes than are needed */
      VERSION("\x92\x01\xcd\x00\xff", false),
      VERSION("\xdc\x00\x02\x01\x02", false),
      VERSION("\x92\x01\xff", false), /* kinds that the key has not */
      VERSION("\x92\x01\xc0", false),
      VERSION("\x92\x01\xca\x3f\x80\x00\x00", false),
      VERSION("\x92\x01\xa1" "a", false),
      VERSION("\x93\x01\x02\x03", false),
      VERSION("\xa1" "a", false),
      VERSION("\x92\x01\x02\x00", false), /* padding */
      VERSION("\x92\x01\xcf\x00\x00", false), /* cut short */
      VERSION("\x92\x01", false),
      VERSION("", false),
  };
  struct fixture *f = *state;
  for (size_t i = 0; i < OG_COUNT(versions); i++)
    if (is_direct_with(f, versions[i].bytes, versions[i].size) != versions[i].direct)
      fail_msg("version %zu", i);
  struct og_buffer packed = {0};
  og_metadata_to_msgpack(
      parse(f, "amdhsa.kernels:\n"
               "  - .args:\n"
               "      - { .name: !str 'true', .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }\n"
               "      - { .offset: 300, .size: 70000, .value_kind: hidden_heap_v1, .type_name: 'int* x', .is_const: true }\n"
               "    .group_segment_fixed_size: 0\n    .kernarg_segment_align: 8\n    .kernarg_segment_size: 8\n"
               "    .language: OpenCL C\n    .language_version: [ 1, 2 ]\n    .max_flat_workgroup_size: 1024\n"
               "    .name: _k\n    .private_segment_fixed_size: 0\n    .sgpr_count: 8\n    .symbol: _k.kd\n"
               "    .uses_dynamic_stack: false\n    .vgpr_count: 3\n    .wavefront_size: 64\n"
               "  - .args: []\n"
               "    .group_segment_fixed_size: 0\n    .kernarg_segment_align: 8\n    .kernarg_segment_size: 8\n"
               "    .max_flat_workgroup_size: 1024\n    .name: !str '12'\n    .private_segment_fixed_size: 0\n"
               "    .sgpr_count: 8\n    .symbol: a_symbol_of_more_than_thirty_one_characters.kd\n"
               "    .vgpr_count: 3\n    .wavefront_size: 64\n"
               "amdhsa.printf: [ '1:0:%d' ]\namdhsa.target: amdgcn-amd-amdhsa--gfx900\namdhsa.version: [ 1, 2 ]\n"),
      &packed);
  assert_true(is_printed_directly(f, packed.data, packed.size));
  assert_false(og_metadata_print_direct(packed.data, packed.size, 4, &f->out)); /* hidden_heap_v1 came with 5 */
  unsigned direct = 0;
  for (size_t i = 0; i < packed.size; i++) /* each byte as some others */
    for (unsigned change = 1; change < 256; change += 1 + (change > 16) * 14) {
      packed.data[i] ^= (uint8_t)change;
      direct += is_printed_directly(f, packed.data, packed.size);
      packed.data[i] ^= (uint8_t)change;
    }
  assert_true(direct > 500);
  for (size_t size = 0; size < packed.size; size++)
    assert_false(is_printed_directly(f, packed.data, size));
  og_buffer_free(&packed);
}

static void metadata_errors_name_the_key(void **state) {
  struct fixture *f = *state;
  struct og_node *root = parse(
      f, "amdhsa.version: [1, 0]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: big\n");
  assert_non_null(root);
  assert_false(og_metadata_verify(root, 4, "m", f->diagnostics));
  const struct og_diagnostic *first = og_diagnostics_at(f->diagnostics, 0);
  assert_string_equal(first->message,
                      "metadata: '.kernarg_segment_size' of kernel 'k': expected a non-negative integer");
  assert_int_equal(first->line, 5);
  assert_null(parse(f, "a: [1, 2"));
}

static struct og_object *small_object(struct fixture *f) {
  struct og_target target = target_of(f, "gfx900");
  struct og_object *object = og_object_new(f->arena, &target, 4);
  static const uint8_t code[] = {0, 0, 0x81, 0xbf};
  uint32_t text = og_object_add_section(object, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 256);
  object->sections.items[text].data = code;
  object->sections.items[text].size = sizeof code;
  og_object_add_symbol(object,
                       (struct og_symbol){.name = "k", .section = text, .binding = STB_GLOBAL, .type = STT_FUNC});
  uint32_t lds = og_object_add_symbol(object, (struct og_symbol){.name = "lds",
                                                                 .value = 16,
                                                                 .size = 64,
                                                                 .section = OG_SECTION_LDS,
                                                                 .binding = STB_GLOBAL,
                                                                 .type = STT_OBJECT});
  og_object_add_symbol(object, (struct og_symbol){.name = "local", .section = text});
  og_object_add_relocation(object, (struct og_relocation){text, 0, OG_R_AMDGPU_ABS32_LO, lds, 4, false});
  return object;
}

static void object_reads_as_written(void **state) {
  struct fixture *f = *state;
  assert_true(og_object_write(small_object(f), &f->out, f->diagnostics));
  struct og_object *object = og_object_read(f->arena, "o", f->out.data, f->out.size, f->diagnostics);
  assert_non_null(object);
  assert_int_equal(object->os_abi, OG_OSABI_HSA);
  assert_int_equal(object->abi_version, 2);
  assert_int_equal(object->symbols.count, 4);
  assert_string_equal(object->symbols.items[1].name, "local"); /* local ones go first */
  assert_int_equal(object->symbols.items[3].section, OG_SECTION_LDS);
  assert_int_equal(object->relocations.count, 1);
  assert_int_equal(object->relocations.items[0].symbol, 3);
  assert_int_equal(object->relocations.items[0].addend, 4);
}

static void cut_and_damaged_objects_are_refused_or_read(void **state) {
  struct fixture *f = *state;
  assert_true(og_object_write(small_object(f), &f->out, f->diagnostics));
  for (size_t cut = 0; cut < f->out.size; cut++)
    assert_null(og_object_read(f->arena, "o", f->out.data, cut, f->diagnostics));
  for (size_t i = 0; i < f->out.size; i++)
    for (int value = 0; value < 256; value += 51) {
      uint8_t old = f->out.data[i];
      f->out.data[i] = (uint8_t)value;
      og_code_object_open(f->arena, "o", f->out.data, f->out.size, f->diagnostics); /* must not crash */
      f->out.data[i] = old;
    }
}

static void make_bundle(struct og_buffer *out) {
  static const char *const ids[] = {"host-x86_64-unknown-linux-gnu", "hipv4-amdgcn-amd-amdhsa--gfx900"};
  og_buffer_text(out, "__CLANG_OFFLOAD_BUNDLE__");
  og_buffer_u64(out, 2);
  for (int i = 0; i < 2; i++) {
    og_buffer_u64(out, 4096);
    og_buffer_u64(out, i ? 5 : 0);
    og_buffer_u64(out, strlen(ids[i]));
    og_buffer_text(out, ids[i]);
  }
  og_buffer_align(out, 4096, 0);
  og_buffer_text(out, "hello");
}

static void expect_hello(struct fixture *f, const struct og_buffer *file) {
  struct og_bundle bundle;
  assert_true(og_bundle_read(f->arena, "b", file->data, file->size, &bundle, f->diagnostics));
  assert_int_equal(bundle.entries.count, 2);
  assert_string_equal(bundle.entries.items[1].id, "hipv4-amdgcn-amd-amdhsa--gfx900");
  assert_int_equal(bundle.entries.items[1].size, 5);
  assert_memory_equal(bundle.entries.items[1].data, "hello", 5);
  for (size_t cut = 0; cut < file->size; cut += file->size > 2000 ? 97 : 1)
    assert_false(og_bundle_read(f->arena, "b", file->data, cut, &bundle, f->diagnostics));
}

static void compress_bundle(struct og_buffer *out, const struct og_buffer *plain, int version, int method) {
  uint8_t packed[8192];
  uLongf size = sizeof packed;
  if (method == 0)
    assert_int_equal(compress(packed, &size, plain->data, plain->size), Z_OK);
  else
    size = ZSTD_compress(packed, sizeof packed, plain->data, plain->size, 3);
  og_buffer_text(out, "CCOB");
  og_buffer_u16(out, (uint16_t)version);
  og_buffer_u16(out, (uint16_t)method);
  if (version == 2)
    og_buffer_u32(out, (uint32_t)(24 + size));
  if (version == 3)
    og_buffer_u64(out, 32 + size);
  version == 3 ? og_buffer_u64(out, plain->size) : og_buffer_u32(out, (uint32_t)plain->size);
  og_buffer_u64(out, 0); /* hash */
  og_buffer_append(out, packed, size);
}

static void bundles_open_plain_and_compressed(void **state) {
  struct fixture *f = *state;
  make_bundle(&f->out);
  expect_hello(f, &f->out);
  for (int version = 1; version <= 3; version++)
    for (int method = 0; method < 2; method++) {
      struct og_buffer packed = {0};
      compress_bundle(&packed, &f->out, version, method);
      expect_hello(f, &packed);
      og_buffer_free(&packed);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
      TEST(descriptor_of_gfx900_has_the_granulated_counts),
      TEST(descriptor_errors_name_the_directive),
      TEST(descriptor_prints_what_encodes_to_the_same_bytes),
      TEST(reserved_bits_are_named),
      TEST(kernel_code_defaults_become_a_descriptor),
      TEST(metadata_round_trips_through_msgpack),
      TEST(metadata_is_printed_directly_as_by_way_of_a_tree),
      TEST(metadata_errors_name_the_key),
      TEST(object_reads_as_written),
      TEST(bundles_open_plain_and_compressed),
      TEST(cut_and_damaged_objects_are_refused_or_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
