target triple = "amdgcn-amd-amdhsa"

define protected amdgpu_kernel void @total(ptr addrspace(1) writeonly align 4 captures(none) %out, ptr addrspace(1) readonly align 4 captures(none) %in, i32 %n) !dbg !13 {
entry:
    #dbg_value(ptr addrspace(1) %out, !23, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !26)
    #dbg_value(ptr addrspace(1) %in, !24, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !26)
    #dbg_value(i32 %n, !25, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !26)
    #dbg_value(ptr addrspace(1) %out, !27, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !41)
    #dbg_value(ptr addrspace(1) %in, !30, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !41)
    #dbg_value(i32 %n, !31, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !41)
  %0 = tail call i32 @llvm.amdgcn.workitem.id.x(), !dbg !43
    #dbg_value(i32 %0, !32, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !41)
    #dbg_value(i16 0, !33, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !41)
    #dbg_value(i32 0, !36, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !44)
  %cmp.i1.not = icmp eq i32 %n, 0, !dbg !45
  br i1 %cmp.i1.not, label %__clang_ocl_kern_imp_total.exit, label %for.body.i, !dbg !46

for.body.i:                                       ; preds = %for.body.i, %entry
  %sum.0.i3 = phi i16 [ %conv2.i, %for.body.i ], [ 0, %entry ]
  %k.0.i2 = phi i32 [ %inc.i, %for.body.i ], [ 0, %entry ]
    #dbg_value(i16 %sum.0.i3, !33, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !41)
    #dbg_value(i32 %k.0.i2, !36, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !44)
  %mul.i = shl i32 %k.0.i2, 6, !dbg !47
  %add.i = add i32 %mul.i, %0, !dbg !48
  %idxprom.i = zext i32 %add.i to i64, !dbg !49
  %arrayidx.i = getelementptr inbounds nuw i32, ptr addrspace(1) %in, i64 %idxprom.i, !dbg !49
  %1 = load i32, ptr addrspace(1) %arrayidx.i, align 4, !dbg !49
    #dbg_value(i32 %1, !38, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !50)
  %2 = trunc i32 %1 to i16, !dbg !51
  %conv2.i = add i16 %sum.0.i3, %2, !dbg !51
    #dbg_value(i16 %conv2.i, !33, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !41)
  %inc.i = add nuw i32 %k.0.i2, 1, !dbg !52
    #dbg_value(i32 %inc.i, !36, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !44)
  %exitcond.not = icmp eq i32 %inc.i, %n, !dbg !45
  br i1 %exitcond.not, label %__clang_ocl_kern_imp_total.exit.loopexit, label %for.body.i, !dbg !46

__clang_ocl_kern_imp_total.exit.loopexit:         ; preds = %for.body.i
  %3 = zext i16 %conv2.i to i32, !dbg !53
  br label %__clang_ocl_kern_imp_total.exit, !dbg !53

__clang_ocl_kern_imp_total.exit:                  ; preds = %__clang_ocl_kern_imp_total.exit.loopexit, %entry
  %sum.0.i.lcssa = phi i32 [ 0, %entry ], [ %3, %__clang_ocl_kern_imp_total.exit.loopexit ], !dbg !41
  %idxprom4.i = zext nneg i32 %0 to i64, !dbg !54
  %arrayidx5.i = getelementptr inbounds nuw i32, ptr addrspace(1) %out, i64 %idxprom4.i, !dbg !54
  store i32 %sum.0.i.lcssa, ptr addrspace(1) %arrayidx5.i, align 4, !dbg !55
  ret void, !dbg !56
}

declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "total.cl", directory: "/source")
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!13 = distinct !DISubprogram(name: "total", scope: !1, file: !1, line: 1, type: !14, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !22)
!14 = !DISubroutineType(cc: DW_CC_LLVM_DeviceKernel, types: !15)
!15 = !{null, !16, !20, !17}
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!17 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !18, line: 38, baseType: !19)
!18 = !DIFile(filename: "opencl-c-base.h", directory: "")
!19 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
!21 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !17)
!22 = !{!23, !24, !25}
!23 = !DILocalVariable(name: "out", arg: 1, scope: !13, file: !1, line: 1, type: !16)
!24 = !DILocalVariable(name: "in", arg: 2, scope: !13, file: !1, line: 1, type: !20)
!25 = !DILocalVariable(name: "n", arg: 3, scope: !13, file: !1, line: 1, type: !17)
!26 = !DILocation(line: 0, scope: !13)
!27 = !DILocalVariable(name: "out", arg: 1, scope: !28, file: !1, line: 1, type: !16)
!28 = distinct !DISubprogram(name: "total", linkageName: "__clang_ocl_kern_imp_total", scope: !1, file: !1, line: 1, type: !14, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !29)
!29 = !{!27, !30, !31, !32, !33, !36, !38}
!30 = !DILocalVariable(name: "in", arg: 2, scope: !28, file: !1, line: 1, type: !20)
!31 = !DILocalVariable(name: "n", arg: 3, scope: !28, file: !1, line: 1, type: !17)
!32 = !DILocalVariable(name: "i", scope: !28, file: !1, line: 2, type: !17)
!33 = !DILocalVariable(name: "sum", scope: !28, file: !1, line: 3, type: !34)
!34 = !DIDerivedType(tag: DW_TAG_typedef, name: "ushort", file: !18, line: 33, baseType: !35)
!35 = !DIBasicType(name: "unsigned short", size: 16, encoding: DW_ATE_unsigned)
!36 = !DILocalVariable(name: "k", scope: !37, file: !1, line: 4, type: !17)
!37 = distinct !DILexicalBlock(scope: !28, file: !1, line: 4, column: 3)
!38 = !DILocalVariable(name: "next", scope: !39, file: !1, line: 5, type: !17)
!39 = distinct !DILexicalBlock(scope: !40, file: !1, line: 4, column: 32)
!40 = distinct !DILexicalBlock(scope: !37, file: !1, line: 4, column: 3)
!41 = !DILocation(line: 0, scope: !28, inlinedAt: !42)
!42 = distinct !DILocation(line: 1, column: 68, scope: !13)
!43 = !DILocation(line: 2, column: 12, scope: !28, inlinedAt: !42)
!44 = !DILocation(line: 0, scope: !37, inlinedAt: !42)
!45 = !DILocation(line: 4, column: 22, scope: !40, inlinedAt: !42)
!46 = !DILocation(line: 4, column: 3, scope: !37, inlinedAt: !42)
!47 = !DILocation(line: 5, column: 22, scope: !39, inlinedAt: !42)
!48 = !DILocation(line: 5, column: 27, scope: !39, inlinedAt: !42)
!49 = !DILocation(line: 5, column: 17, scope: !39, inlinedAt: !42)
!50 = !DILocation(line: 0, scope: !39, inlinedAt: !42)
!51 = !DILocation(line: 6, column: 9, scope: !39, inlinedAt: !42)
!52 = !DILocation(line: 4, column: 28, scope: !40, inlinedAt: !42)
!53 = !DILocation(line: 8, column: 12, scope: !28, inlinedAt: !42)
!54 = !DILocation(line: 8, column: 3, scope: !28, inlinedAt: !42)
!55 = !DILocation(line: 8, column: 10, scope: !28, inlinedAt: !42)
!56 = !DILocation(line: 9, column: 1, scope: !13)
