"""Sources of directives with one thing wrong, for error_oracle.py."""
import os
import random
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VALUES = ['0', '1', '2', '3', '4', '15', '16', '63', '64', '102', '103', '128', '255', '256', '257', '512', '513',
          '65535', '65536', '0x7fffffff', '0x80000000', '0xffffffff', '0x100000000', '-1', '1+', 'foo', 'later-foo',
          '', '(', '"x"', 'v0', 's0', '1.5', '1, 2', '1 2', '@', '~0', 'null', '1 << 40', 'one', 'five-five',
          '.amdhsa_next_free_sgpr']
TEXTS = '''.if
.if 1
.endif
.else
.elseif 1
.if 1\\n.else\\n.else\\n.endif
.if 1\\n.else\\n.elseif 1\\n.endif
.if foo\\n.endif
.ifdef\\n.endif
.ifdef 1\\n.endif
.ifndef\\n.endif
.ifc a\\n.endif
.ifeqs "a"\\n.endif
.ifeqs a, b\\n.endif
.ifnes "a", b\\n.endif
.ifb\\n.else x\\n.endif
.macro
.macro 1
.macro m
.macro m\\n.endm\\n.macro m\\n.endm
.macro m a\\n.long \\a\\n.endm\\nm 1, 2
.macro m a:req\\n.long \\a\\n.endm\\nm
.macro m a:bad\\n.long \\a\\n.endm
.macro m a, a\\n.endm
.macro m a:vararg, b\\n.endm
.macro m a=\\n.long \\a\\n.endm\\nm
.macro m a\\nbad \\a\\n.endm\\nm 1
.macro m a\\n.error "told \\a"\\n.endm\\nm 1
.macro m a\\n.warning "told \\a"\\n.endm\\nm 1
.macro n\\nv_bad\\n.endm\\n.macro m\\nn\\n.endm\\nm
.macro m\\nm\\n.endm\\nm
.macro m a\\n.long \\a\\n.endm\\nm b=1
.macro m a b\\n.long \\a\\n.endm\\nm a=1, 2
.macro m a\\ns_mov_b32 s0, \\a\\n.endm\\nm v0\\nm s1\\nm 1.5e
.macro m\\ns_nop 0\\n.endm x
.endm
.endmacro
.endm 1
.exitm
.purgem
.purgem m
.purgem 1
.rept
.rept 2
.rept foo\\n.endr
.rept -1\\n.endr
.rept 2\\nbad\\n.endr
.rept 1\\n.rept 2\\nbad\\n.endr\\n.endr
.rept 1 2\\n.endr
.irp
.irp x\\n.endr
.irp x,1,2\\nbad \\x\\n.endr
.irp 1,2\\n.endr
.irpc x\\n.endr
.irpc x,ab\\nbad \\x\\n.endr
.irpc x,a b\\n.endr
.endr
.set
.set x
.set x,
.set x, 1\\n.equiv x, 2
.set x, y\\n.set y, x\\n.long x
.equ 1, 2
.set x 1
x = 1 2
x ==
x = 
1 = 2
x: x:
.L: .L:
.long
.long 1,
.long 1 2
.long 0x100000000
.long -0x80000001
.long "x"
.long 1 +
.long (1
.long 1)
.long ]
.long 1f
.long 1b
.long 08
.long 0b2
.long 0xg
.long 1 / 0
.long 'ab'
.long '
.long 99999999999999999999
.quad 99999999999999999999
.byte 256
.byte -129
.short 65536
.octa
.octa 1
.octa foo
.octa 0x1ffffffffffffffffffffffffffffffffff
.float x
.float 1.5.5
.double -
.float "x"
.ascii
.ascii x
.ascii "x
.ascii "x",
.ascii "\\\\q"
.asciz "a" "b"
.string 1
.space
.space foo
.space -1
.space 1,
.space 1, 2, 3
.fill
.fill -1
.fill 1, -1
.fill 1, 9
.fill 1, 2, 3, 4
.skip 1 2
.zero -1
.org
.org -1
.org 4\\n.org 0
.org foo
.align
.align 3
.align -1
.align 4, 300
.align 4, 0, -1
.align 4, 0, 0
.p2align
.p2align 32
.p2align -1
.p2align 2, , 
.p2align 2, 0, 1, 2
.balign 3
.balignw 3
.section
.section 1
.section .foo, 1
.section .foo, "z"
.section .foo, "a", @bad
.section .foo, "a", bad
.section .foo, "aM"
.section .foo, "aM", @progbits
.section .foo, "aM", @progbits, x
.section .foo, "aM", @progbits, -1
.section .foo, "aG"
.section .foo, "aG", @progbits
.section .foo, "aG", @progbits, g, x
.section .foo, "ao", @progbits
.section .foo, "ao", @progbits, nowhere
.section .foo, "a"\\n.section .foo, "aw"
.section .foo, "a", @progbits\\n.section .foo, "a", @nobits
.section .foo, "a", @progbits, unique
.section .foo, "a", @progbits, unique, 
.section .foo, "a", @progbits, unique, -1
.section .foo, "a", @progbits, unique, 4294967295
.section .foo bar
.pushsection
.popsection
.popsection 1
.previous
.previous 1
.subsection
.subsection foo
.subsection 1 2
.text foo
.data 1 2
.bss
.type
.type x
.type x,
.type x, bad
.type x, @bad
.type x, 1
.type 1, @function
.size
.size x
.size x,
.size 1, 2
.size x, 1 2
.globl 1
.globl x y
.globl x,
.weak 1
.local x\\n.globl x
.weak x\\n.globl x
.globl x\\n.local x
.hidden
.hidden 1
.comm
.comm x
.comm x,
.comm x, -1
.comm x, 1, 3
.comm x, 1, -1
.comm x, foo
.lcomm x, 1, 4
x:\\n.comm x, 1
.include
.include x
.include "nosuchfile"
.incbin
.incbin "nosuchfile"
.incbin x
.file
.file 1
.file x
.file 1 "x" "y" "z"
.file -1 "x"
.file 1 "x" md5
.loc
.loc 1
.loc 1 2
.loc 0 1
.loc -1 1
.loc 1 x
.file 1 "x"\\n.loc 1 -1
.file 1 "x"\\n.loc 1 1 -1
.file 1 "x"\\n.loc 1 1 1 bad
.file 1 "x"\\n.loc 1 1 1 is_stmt 2
.file 1 "x"\\n.loc 1 1 1 isa -1
.cfi_startproc\\n.cfi_startproc
.cfi_startproc
.cfi_endproc
.cfi_def_cfa_offset 4
.cfi_startproc bad
.cfi_startproc\\n.cfi_def_cfa\\n.cfi_endproc
.cfi_startproc\\n.cfi_def_cfa s32\\n.cfi_endproc
.cfi_startproc\\n.cfi_offset foo, 1\\n.cfi_endproc
.cfi_startproc\\n.cfi_offset 1 1\\n.cfi_endproc
.cfi_startproc\\n.cfi_escape\\n.cfi_endproc
.cfi_startproc\\n.cfi_personality 1\\n.cfi_endproc
.cfi_startproc\\n.cfi_restore_state\\n.cfi_endproc
.cfi_sections bad
.uleb128
.uleb128 foo
.uleb128 -1
.sleb128 1 2
.error
.error "told"
.error told
.err
.err 1
.warning
.warning "told"
.warning told
.print
.print x
.ident
.ident x
.ident "x" 1
.abort
.end 1
.line x
.reloc
.reloc 0
.reloc 0, BAD
.reloc -1, R_AMDGPU_ABS32, x
.reloc 0, R_AMDGPU_ABS32, 1, 2
.symver
.symver x
.symver x, y
.symver x, y@z, bad
.weakref
.weakref x
.weakref x, 1
.addrsig_sym
.addrsig 1
.lto_discard 1
.unknown
.unknown 1, 2
.amdgcn_target
.amdgcn_target "bad"
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack+"
.amdgcn_target "amdgcn-amd-amdhsa--gfx906"
.amdgcn_target x
.amdgcn_target "amdgcn-amd-amdhsa--gfx900" 1
.amdhsa_code_object_version
.amdhsa_code_object_version x
.amdhsa_code_object_version 1
.amdhsa_code_object_version 7
.amdhsa_code_object_version 5
.amdhsa_bad 1
.amdhsa_next_free_vgpr 1
.amdhsa_kernel
.amdhsa_kernel k
.amdhsa_kernel 1
.amdhsa_kernel "k"
.amdhsa_kernel k l
.end_amdhsa_kernel
.amdhsa_kernel k\\n.amdhsa_kernel l\\n.end_amdhsa_kernel
.amdhsa_kernel k\\n.end_amdhsa_kernel x
.amdhsa_kernel k\\n.long 1\\n.end_amdhsa_kernel
.amdhsa_kernel k\\ns_nop 0\\n.end_amdhsa_kernel
.amdhsa_kernel k\\n1\\n.end_amdhsa_kernel
.amdhsa_kernel k\\nfoo:\\n.end_amdhsa_kernel
.amdhsa_kernel k\\n.amdhsa_next_free_vgpr 1\\n.end_amdhsa_kernel
.amdhsa_kernel k\\n.amdhsa_next_free_sgpr 1\\n.end_amdhsa_kernel
.amdhsa_kernel k\\n.amdhsa_next_free_vgpr 1\\n.amdhsa_next_free_sgpr 1
.amdgpu_lds
.amdgpu_lds x
.amdgpu_lds x,
.amdgpu_lds x, 1, 3
.amdgpu_lds x, -1
.amdgpu_lds x, 1, -4
.amdgpu_lds x, 65537
.amdgpu_lds x, 4, 65536
.amdgpu_lds x, 4, 4, 4
.amdgpu_lds x y
.amdgpu_lds x, foo
x:\\n.amdgpu_lds x, 4
.amdgpu_lds x, 4\\n.amdgpu_lds x, 4
.amdgpu_metadata
.amdgpu_metadata\\n.end_amdgpu_metadata
.amdgpu_metadata\\n- bad\\n  x: [\\n.end_amdgpu_metadata
.amdgpu_metadata\\namdhsa.version: 1\\n.end_amdgpu_metadata
.end_amdgpu_metadata
.amdgpu_pal_metadata
.amdgpu_pal_metadata\\n.end_amdgpu_pal_metadata
.end_amdgpu_pal_metadata
.amd_amdgpu_pal_metadata 1, 2
foo bar
foo, bar
,
)
[
@
"x"
"x
1:
1 :
0x
1
+
v0
v_add_f32
v_add_f32:
/* x
# x
s_nop 0 s_nop 0
s_nop 0; s_nop 0
s_nop 0 // x
s_nop
s_nop 1,
s_endpgm 1 2
s_branch
s_branch 1+
s_branch foo-1
s_branch .
s_mov_b32 s0, foo+
s_mov_b32 s0, foo@bad
s_mov_b32 s0, foo@rel32
s_mov_b32 s0, (foo
s_mov_b32 s0, .
s_mov_b32 s0, -foo
s_mov_b32 s0, ~foo
s_mov_b32 s0, foo bar'''


def directives():
    text = open(os.path.join(ROOT, 'src/object/kernel/directives.def')).read()
    return re.findall(r'^(?:SAME|LIMITED|COUNTED)\(\w+, (\w+),', text, re.M)


def sources(seed, count):
    """(source, processor, code object version) of each."""
    rng = random.Random(seed)
    texts = [line.replace('\\n', '\n').replace('\\\\', '\\') + '\n' for line in TEXTS.split('\n')]
    out = [(text, 'gfx900', 6) for text in texts]
    names = directives()
    while len(out) < count:
        processor, version = rng.choice(['gfx700', 'gfx801', 'gfx900', 'gfx90a', 'gfx942', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1200', 'gfx1250']), rng.choice([4, 5, 6, 6])
        lines = ['.amdhsa_next_free_vgpr %s' % rng.choice(['8', '256', '1'] * 4 + VALUES),
                 '.amdhsa_next_free_sgpr %s' % rng.choice(['8', '96'] * 6 + VALUES)]
        if processor in ('gfx90a', 'gfx942'):
            lines.append('.amdhsa_accum_offset %s' % rng.choice(['4', '8', '256'] * 4 + VALUES))
        for _ in range(rng.randrange(1, 4)):
            lines.insert(rng.randrange(len(lines) + 1),
                         '.amdhsa_%s %s' % (rng.choice(names), rng.choice(VALUES + ['0', '1'] * 12)))
        if rng.random() < 0.1:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
        if rng.random() < 0.1:
            lines.pop(rng.randrange(len(lines)))
        out.append(('.set one, 1\n.set five, 5\n.amdhsa_kernel k\n  %s\n.end_amdhsa_kernel\nlater:\n' % '\n  '.join(lines), processor, version))
    return out[:count]
