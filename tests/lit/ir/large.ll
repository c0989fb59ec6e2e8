; The largest numbers that 64 bits hold, in expressions of debug information; wide integers whose upper words bitcode leaves out.
; RUN: %offgrid cc -emit-llvm -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: llvm-as %s -o %t.bc
; RUN: %offgrid cc -emit-llvm -S %t.bc -o - | FileCheck %s
; CHECK: mul i128 %x, 5
; CHECK: #dbg_value(i128 %y, ![[V:[0-9]+]], !DIExpression(DW_OP_constu, 18446744073709551612, DW_OP_xor, DW_OP_constu, 18446744073709551615, DW_OP_and, DW_OP_stack_value)
define i128 @f(i128 %x) !dbg !3 {
  %y = mul i128 %x, 5
    #dbg_value(i128 %y, !5, !DIExpression(DW_OP_constu, 18446744073709551612, DW_OP_xor, DW_OP_constu, 18446744073709551615, DW_OP_and, DW_OP_stack_value), !6)
  ret i128 %y
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cl", directory: "/source")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DISubroutineType(types: !7)
!5 = !DILocalVariable(name: "y", scope: !3, file: !1, line: 2)
!6 = !DILocation(line: 2, scope: !3)
!7 = !{null}
