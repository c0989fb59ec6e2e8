/* lds_overrun.h - a kernel whose one store goes behind its first variable in LDS, into what aligns the second one: only
 * debug information tells that nobody has these bytes. `dynamic` stores to LDS of the dispatch, behind its own
 * variable. */
#ifndef TESTS_LDS_OVERRUN_H
#define TESTS_LDS_OVERRUN_H

static const char lds_overrun[] =
    "target triple = \"amdgcn-amd-amdhsa\"\n"
    "@first = internal addrspace(3) global [63 x i32] undef, align 4\n"
    "@second = internal addrspace(3) global [64 x i32] undef, align 16\n"
    "@tail = external addrspace(3) global [0 x i32], align 16\n"
    "define amdgpu_kernel void @own(i32 %at) !dbg !9 {\n"
    "  %p = getelementptr i32, ptr addrspace(3) @first, i32 %at, !dbg !13\n"
    "  store i32 7, ptr addrspace(3) %p, !dbg !13\n"
    "  store i32 7, ptr addrspace(3) @second, !dbg !13\n"
    "  ret void, !dbg !13\n"
    "}\n"
    "define amdgpu_kernel void @dynamic(i32 %at) !dbg !10 {\n"
    "  %p = getelementptr i32, ptr addrspace(3) @tail, i32 %at, !dbg !14\n"
    "  store i32 7, ptr addrspace(3) %p, !dbg !14\n"
    "  store i32 7, ptr addrspace(3) @second, !dbg !14\n"
    "  ret void, !dbg !14\n"
    "}\n"
    "!llvm.dbg.cu = !{!0}\n"
    "!llvm.module.flags = !{!2, !3}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)\n"
    "!1 = !DIFile(filename: \"k.cl\", directory: \"/source\")\n"
    "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!3 = !{i32 7, !\"Dwarf Version\", i32 5}\n"
    "!4 = !DISubroutineType(types: !5)\n"
    "!5 = !{null}\n"
    "!9 = distinct !DISubprogram(name: \"own\", scope: !1, file: !1, line: 3, type: !4, scopeLine: 3, "
    "spFlags: DISPFlagDefinition, unit: !0)\n"
    "!10 = distinct !DISubprogram(name: \"dynamic\", scope: !1, file: !1, line: 6, type: !4, scopeLine: 6, "
    "spFlags: DISPFlagDefinition, unit: !0)\n"
    "!13 = !DILocation(line: 4, column: 3, scope: !9)\n"
    "!14 = !DILocation(line: 7, column: 3, scope: !10)\n";

#endif
