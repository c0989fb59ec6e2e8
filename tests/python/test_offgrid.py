"""The Python package: what it assembles, tells, runs, and refuses. The library's own tests say whether that is right."""
import array
import unittest

import offgrid

SOURCE = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl scale
.p2align 8
.type scale,@function
scale:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_load_dword s4, s[0:1], 0x8
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v1, v0, s[2:3]
  s_waitcnt vmcnt(0)
  v_mul_f32_e32 v1, s4, v1
  global_store_dword v0, v1, s[2:3]
  s_endpgm
.Lend:
.size scale, .Lend-scale
.rodata
.p2align 6
.amdhsa_kernel scale
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 5
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: scale
    .symbol: scale.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 5
    .vgpr_count: 2
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: data, .type_name: 'float*', .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: factor, .type_name: float, .offset: 8, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
"""


IR = """target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @seven(ptr addrspace(1) %p) {
  store i32 7, ptr addrspace(1) %p
  ret void
}
"""


class Compiling(unittest.TestCase):
    def test_ir_becomes_a_kernel(self):
        out = array.array("i", [0])
        offgrid.Module(offgrid.compile(IR, "gfx900")).launch(grid=1, group=1, arguments=[out])
        self.assertEqual(list(out), [7])

    def test_what_is_no_ir_is_refused(self):
        with self.assertRaises(offgrid.Error):
            offgrid.compile("define", "gfx900")


class Checking(unittest.TestCase):
    def test_a_kernel_without_mistakes_has_no_findings(self):
        data = array.array("f", [1.0] * 64)
        self.assertEqual(offgrid.Module(offgrid.assemble(SOURCE)).check(grid=64, group=64, arguments=[data, 2.0]), [])

    def test_a_missing_wait_is_found_with_its_place(self):
        data = array.array("f", [1.0] * 64)
        module = offgrid.Module(offgrid.assemble(SOURCE.replace("s_waitcnt vmcnt(0)", "s_nop 0")))
        found = module.check(grid=64, group=64, arguments=[data, 2.0], only="waits")
        self.assertEqual({(f["checker"], f["kernel"]) for f in found}, {("waits", "scale")})
        self.assertIn("scale+0x", found[0]["place"])

    def test_an_unknown_checker_is_refused(self):
        with self.assertRaisesRegex(offgrid.Error, "'waist' is no checker"):
            offgrid.Module(offgrid.assemble(SOURCE)).check(grid=64, group=64, arguments=[array.array("f", [1.0] * 64), 2.0], only="waist")


class Watching(unittest.TestCase):
    def launch(self, watch):
        data = array.array("f", [1.0] * 64)
        offgrid.Module(offgrid.assemble(SOURCE)).launch(grid=64, group=64, arguments=[data, 2.0], watch=watch)
        return data

    def test_functions_see_and_change_registers(self):
        seen = []

        def watch(view):
            seen.append((view.group, view.wave, view.lanes, view.text.split()[0]))
            if view.text.startswith("global_store"):
                view.set_register("v1", 0x40a00000, lane=3)
                self.assertEqual(view.register("v0", lane=5), 20)
        data = self.launch(watch)
        self.assertEqual(data[2:4].tolist(), [2.0, 5.0])
        self.assertEqual(len(seen), 9)
        self.assertEqual(seen[0], ((0, 0, 0), 0, 64, "s_load_dwordx2"))

    def test_an_instruction_may_be_left_out(self):
        self.assertEqual(self.launch(lambda view: offgrid.SKIP if "v_mul" in view.text else None)[0], 1.0)

    def test_what_a_function_raises_ends_the_launch(self):
        with self.assertRaisesRegex(KeyError, "no register 'v9999'"):
            self.launch(lambda view: view.register("v9999"))
        with self.assertRaisesRegex(offgrid.Error, "stopped by its observer"):
            self.launch(lambda view: offgrid.STOP)


class Profiling(unittest.TestCase):
    def test_a_notebook_shows_what_each_line_did(self):
        data = array.array("f", [1.0] * 64)
        profile = offgrid.Module(offgrid.assemble(SOURCE, debug=True)).profile(grid=64, group=64, arguments=[data, 2.0])
        self.assertIn("global_load_dword v1, v0, s[2:3]", profile.page)
        self.assertIn("<h2>Control flow</h2>", profile.page)
        self.assertRegex(profile._repr_html_(), r'^<iframe srcdoc="&lt;!doctype html&gt;')
        self.assertEqual(data[5], 2.0)


class Assembling(unittest.TestCase):
    def test_errors_have_places(self):
        with self.assertRaisesRegex(offgrid.Error, r"<memory>:2:1: error: invalid instruction, did you mean: v_mov_b32"):
            offgrid.assemble("s_nop 0\nv_mvo_b32 v0, v1\n", "gfx900")

    def test_code_comes_back_as_text_and_tokens(self):
        code = offgrid.Module(offgrid.assemble(SOURCE)).disassemble()
        load = next(i for i in code if i.text.startswith("global_load_dword"))
        self.assertEqual(load.text, "global_load_dword v1, v0, s[2:3]")
        self.assertEqual([(t.kind, t.text) for t in load.tokens],
                         [("mnemonic", "global_load_dword"), ("register", "v1"), ("register", "v0"), ("register", "s[2:3]"),
                          ("implicit", "exec")])
        self.assertEqual(load.tokens[3].registers, ("s", 2, 2))
        self.assertTrue(load.tokens[1].written and load.tokens[2].read)

    def test_kernels_tell_their_arguments(self):
        module = offgrid.Module(offgrid.link(offgrid.assemble(SOURCE)))
        self.assertEqual(module.target, "amdgcn-amd-amdhsa--gfx900")
        kernel = module.kernels["scale"]
        self.assertEqual(kernel.wave_size, 64)
        self.assertEqual([(a.name, a.type_name, a.form, a.offset) for a in kernel.arguments],
                         [("data", "float*", "buffer", 0), ("factor", "float", "value", 8)])
        self.assertEqual(module.lint(), [])
        self.assertIn("scale", module._repr_html_())


class Running(unittest.TestCase):
    def setUp(self):
        self.module = offgrid.Module(offgrid.assemble(SOURCE))

    def test_kernels_work_in_the_callers_memory(self):
        data = array.array("f", range(64))
        statistics = self.module.launch(grid=64, group=64, arguments=[data, 2.5])
        self.assertEqual(list(data), [2.5 * i for i in range(64)])
        self.assertEqual((statistics.waves, statistics.valu), (1, 2))

    def test_a_byte_beyond_is_a_fault_that_says_where(self):
        data = array.array("f", range(63))
        with self.assertRaisesRegex(offgrid.Error, r"kernel 'scale': .* by lane 63 .*at scale\+0x18 'global_load_dword"):
            self.module.launch("scale", grid=64, group=64, arguments=[data, 2.5])
        self.module.launch(grid=63, group=63, arguments=[data, 2.0])  # and the next one runs
        self.assertEqual(data[62], 124)

    def test_wrong_arguments_are_told_before_anything_runs(self):
        data = array.array("f", range(64))
        with self.assertRaisesRegex(TypeError, r"takes 2 arguments \(data: float\*, factor: float\), 1 given"):
            self.module.launch(grid=64, group=64, arguments=[data])
        with self.assertRaisesRegex(TypeError, "argument factor has 4 bytes, not 8"):
            self.module.launch(grid=64, group=64, arguments=[data, data])
        with self.assertRaisesRegex(TypeError, "not 2"):
            self.module.launch(grid=64, group=64, arguments=[data, b"ab"])
        with self.assertRaisesRegex(TypeError, "writable, contiguous and not empty"):
            self.module.launch(grid=64, group=64, arguments=[memoryview(bytes(256)), 1.0])
        with self.assertRaisesRegex(offgrid.Error, "no kernel 'other'; there are scale"):
            self.module.launch("other", grid=64, group=64, arguments=[data, 1.0])

    def test_a_kernel_that_never_ends_is_stopped(self):
        source = SOURCE.replace("  s_endpgm", ".Lspin:\n  s_branch .Lspin\n  s_endpgm")
        with self.assertRaisesRegex(offgrid.Error, "still running after 0.1 seconds"):
            offgrid.run_asm(source, grid=64, group=64, arguments=[array.array("f", [0] * 64), 1.0], timeout=0.1)

    def test_numpy_arrays_are_buffers(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        data = numpy.arange(64, dtype=numpy.float32)
        self.module.launch(grid=64, group=64, arguments=[data, numpy.float32(3)])
        self.assertTrue((data == 3 * numpy.arange(64)).all())


if __name__ == "__main__":
    unittest.main()
