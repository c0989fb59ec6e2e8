#!/usr/bin/env python3
"""Random sources of directives: object and listing as llvm-mc-22 makes them.

directive_oracle.py OFFGRID COUNT [SEED [SHOW [MOST]]]. Each source is a few lines from a table of directives, symbols, macros and sections. Both assemblers
must refuse it, or write the same object and print the same listing, and the listing must assemble to that object where LLVM's does. What differs is printed
with as few of its lines as still differ. Fails where more than MOST per cent (0) differ. Exit 77 without llvm-mc-22.
"""
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

import asm_generate

# @x stands for a random choice of WORDS[x]; | parts alternatives.
STATEMENTS = r'''
@label:|@label:|@sym = @expr|.set @sym, @expr|.equ @sym, @expr|.equiv @sym, @expr|@digit:
.byte @expr, @small|.byte @small|.2byte @mid, @small|.short @expr|.value @mid|.long @expr|.int @expr, @expr|.4byte @expr|.quad @expr|.8byte @expr|.long @diff|.quad @diff|.short @diff
.octa @octa|.octa 0x1234567890abcdef1234567890abcdef, 5|.float @real|.single @real, @real|.double @real|.dc.b @small|.dc.w @mid|.dc.l @expr|.dc.a @expr|.dc.s @real|.dc.d @real|.dc @mid
.dcb @count, @mid|.dcb.b @count, @small|.dcb.w @count, @mid|.dcb.l @count, @num|.dcb.s @count, @real|.dcb.d @count, @real|.ds @count|.ds.b @count|.ds.w @count|.ds.l @count|.ds.s @count|.ds.d @count|.ds.p @count|.ds.x @count
.ascii @str|.ascii @str, @str|.asciz @str|.string @str, @str|.string @str @str|.base64 "QUJD"|.base64 "QUI="
.fill @count|.fill @count, @size|.fill @count, @size, @num|.zero @count|.zero @count, @small|.skip @count|.skip @count, @small|.space @count|.space @count, @num
.align @pow|.align @pow, @small|.align @pow, @small, @count|.balign @pow|.balign @pow, , @count|.p2align @p2|.p2align @p2, @small|.p2align @p2, , @count|.p2align @p2, @small, @count|.balignw @pow, @mid|.balignl @pow, @num|.p2alignw @p2, @mid|.p2alignl @p2, @num
.org @big|.org @big, @small|. = . + @count|.org . + @count
.uleb128 @num|.uleb128 @small, @mid|.sleb128 @num|.sleb128 -@small|.uleb128 @diff
.text|.data|.bss|.rodata|.tdata|.tbss|.text @digit|.data @digit|.section @sec|.section @sec|.section @sec|.pushsection @sec|.pushsection @sec, @digit|.popsection|.popsection|.previous|.subsection @digit|.subsection
.globl @sym|.global @sym, @sym|.weak @sym|.local @sym|.hidden @sym|.protected @sym|.internal @sym|.type @sym, @type|.type @sym, @type|.size @sym, @small|.size @sym, .-@sym|.size @sym, @expr
.comm @sym, @count|.comm @sym, @count, @p2|.common @sym, @count|.lcomm @sym, @count|.amdgpu_lds @sym, @count|.amdgpu_lds @sym, @count, @pow
.weakref @sym, @sym|.symver @sym, @sym@V1|.symver @sym, @sym@@V1|.symver @sym, @sym@@@V1|.symver @sym, @sym@V1, remove|.no_dead_strip @sym|.addrsig|.addrsig_sym @sym|.lto_discard @sym|.lto_discard|.lto_set_conditional @sym, @sym|.cg_profile @sym, @sym, @count|.weak_reference @sym|.memtag @sym|.cold @sym|.weak_def_can_be_hidden @sym
.reloc @count, @rel, @sym-@small|.reloc @count, @rel|.reloc ., @rel, @sym|.reloc @sym, @rel, @sym+@small|.reloc .+@count, @rel, @num
.ident @str|.version @str|.file @str|.file @digit @str|.file @digit @str @str|.file @digit @str md5 0x00112233445566778899aabbccddeeff|.line @count|.loc @digit @count|.loc @digit @count @digit|.loc @digit @count @digit is_stmt 0|.loc @digit @count @digit prologue_end|.loc @digit @count 1 isa @digit discriminator @digit|.loc @digit @count 1 basic_block epilogue_begin|.loc_label @sym
.cfi_sections @frames|.cfi_startproc|.cfi_startproc simple|.cfi_endproc|.cfi_endproc|.cfi_def_cfa @reg, @small|.cfi_def_cfa_register @reg|.cfi_def_cfa_offset @small|.cfi_adjust_cfa_offset @small|.cfi_offset @reg, @small|.cfi_rel_offset @reg, @small|.cfi_restore @reg|.cfi_undefined @reg|.cfi_same_value @reg|.cfi_register @reg, @reg|.cfi_remember_state|.cfi_restore_state|.cfi_signal_frame|.cfi_return_column @reg|.cfi_escape @small, @small|.cfi_personality @enc, @sym|.cfi_lsda @enc, @sym|.cfi_llvm_def_aspace_cfa @reg, @small, @digit|.cfi_window_save|.cfi_val_offset @reg, @small|.cfi_label @label|.cfi_negate_ra_state|.cfi_b_key_frame
.if @num\n@line\n.else\n@line\n.endif|.ifdef @sym\n@line\n.else\n@line\n.endif|.ifndef @sym\n@line\n.endif|.ifeq @small\n@line\n.elseif @digit\n@line\n.else\n@line\n.endif|.ifgt @diff\n@line\n.endif|.if @sym == @small\n@line\n.endif|.ifb @arg\n@line\n.endif|.ifnb @arg\n@line\n.endif|.ifc @arg,@arg\n@line\n.else\n@line\n.endif|.ifnc @arg, @arg\n@line\n.endif|.ifeqs @str, @str\n@line\n.endif|.ifnes @str, @str\n@line\n.endif|.ifle @small\n@line\n.endif|.ifge -@small\n@line\n.endif|.iflt @digit-3\n@line\n.endif|.ifne @digit\n@line\n.endif|.ifnotdef @sym\n@line\n.endif
.rept @digit\n@line\n.endr|.rep @digit\n.byte \\+\n.endr|.irp x, @arg, @arg, @arg\n.ascii "\\x"\n.endr|.irp x,@small,@small\n.byte \\x\n@line\n.endr|.irpc x,@chars\n.byte 0x\\x\n.endr|.irpc x, @chars\n.ascii "\\x\\()y"\n.endr|.rept 2\n.rept @digit\n@line\n.endr\n.endr|.irp x,1,2\n.irp y,3,4\n.byte \\x\\()\\y\n.endr\n.endr|.rept 3\n.long \\@\n.endr
.macro @mac a, b=@small\n.byte \\a+\\b\n.endm|.macro @mac a:req, b:vararg\n.ascii "\\a"\n.byte \\b\n.endm|.macro @mac\n@line\n.endm|.macro @mac a b c\n.ascii "\\a|\\b|\\c\\@"\n.endm|.macro @mac a\n.ifb \\a\n.exitm\n.endif\n.ascii "\\a\\().x"\n.endm|.macro @mac a\nl\\@\\a:\n.long l\\@\\a\n.endm|.macro @mac a\n.byte \\a\n.if \\a > 0\n@mac \\a-1\n.endif\n.endm|.macro @mac x:vararg\n.irp y, \\x\n.byte \\y\n.endr\n.endm
@mac|@mac @arg|@mac @small, @small|@mac @small|@mac @arg, @arg, @arg|@mac a=@small|@mac b=@small, a=@small|@mac @arg @arg|@mac @str, @str|@mac (@small, @small)|@mac @small + @small, @small|.purgem @mac|.altmacro|.noaltmacro|@mac <a b>, %@small+1|@mac %(@small*2)
s_nop @digit|v_mov_b32 v0, v1|s_mov_b32 s0, @sym|s_mov_b32 s0, @sym@rel32@lo+4|s_mov_b32 s1, @expr|s_branch @label|s_cbranch_scc0 @label|s_branch @digit@fb|s_mov_b32 s0, @diff|v_mov_b32 v1, @sym@abs32@lo|s_endpgm|s_getpc_b64 s[0:1]|s_add_u32 s0, s0, @sym@gotpcrel32@lo+4|s_code_end
.print @str|.warning @str|.error @str|# 12 "file"|/* x */ .byte 1 /* y */|.byte 1 // z|.byte 1; .byte 2|.extern @sym|.macros_on|.macros_off|.stabs @str, 1, 2, 3, 4|.bundle_align_mode @digit|.pseudoprobe @num @small @digit 0|.pseudoprobe @small @small 0 1 @@ @small:@digit k|.end|.err|.include "@inc"|.incbin "@inc"|.incbin "@inc", @digit|.incbin "@inc", @digit, @count|.incbin "@inc",,@digit|.nops @count|.bundle_lock|.zerofill a,b|.code64|.attach_to_group g
.amdhsa_code_object_version @digit|.amdgcn_target "amdgcn-amd-amdhsa--gfx900"|.amdhsa_kernel @sym\n.amdhsa_next_free_vgpr @expr\n.amdhsa_next_free_sgpr @small\n.end_amdhsa_kernel|.amdhsa_kernel @sym\n.amdhsa_next_free_vgpr @small\n.amdhsa_next_free_sgpr @amd\n.amdhsa_group_segment_fixed_size @expr\n.end_amdhsa_kernel|.set @sym, @amd|.long @amd|.amdgpu_metadata\namdhsa.version: [1, @digit]\n.end_amdgpu_metadata'''
WORDS = {
    'label': 'a b c d e k kern .Lx .Ly "q r" a$b'.split(' ')[:9] + ['"q r"'], 'sym': ['a', 'b', 'c', 'd', 'e', 'k', 'kern', '.Lx', '.Ly', 'u', 'w', '"q r"', 'x$1', '_z'], 'digit': '0 1 2 3 4 5'.split(), 'fb': ['f', 'b'],
    'small': '0 1 2 3 4 8 16 64 100 127'.split(), 'mid': '0 1 255 256 1000 0x7fff 0xffff -1 -32768'.split(), 'count': '0 1 2 3 4 5 8 12 16'.split(), 'size': '0 1 2 3 4 8'.split(), 'pow': '1 2 4 8 16 64 256'.split(), 'p2': '0 1 2 3 4 5 8'.split(),
    'big': '4 8 16 64 100 256'.split(), 'num': '0 1 -1 5 0x1234 0x12345678 -5 0xffffffff 0x7fffffff 1<<20 (3*4) ~0 010 0b101 7%3 -8/3 1>2 1==1 !0 3&6 3|4 5^1 1&&0 1||0 0x10>>2'.split(),
    'expr': ['@num', '@num', '@sym', '@sym+@small', '@sym-@small', '@diff', '.', '.+@small', '@sym+(@num)', '-@sym', '@sym-@sym+1', '(@sym)', '@digit@fb', '@num+@num', '@sym*2', '~@sym', '@amd', "'a'", '@sym@rel32@lo', '@sym@gotpcrel'],
    'diff': ['@sym-@sym', '.-@sym', '@label-@label', '(@label-@label)/4', '@label-.', '@sym-@sym+@small'], 'octa': '0 5 0x10 0x123456789abcdef0123 0xffffffffffffffff'.split(), 'real': '0 1.5 -2.25 1e10 inf nan 0x1p4 -0.0 3 .5 1.0e-3 infinity'.split(),
    'str': ['"abc"', '""', '"a\\n\\t\\"q\\\\"', '"\\001\\377x"', '"a b,c"', '"x"', '"\\0"', '"\\x41\\b\\f\\r"', '"e\\\'"'.replace("\\\\'", '')], 'arg': ['', '1', '2', 'ab', '(1, 2)', '"s t"', 'a+b', '1 2', 'x=3', '\\x', 'a.b', '<q>', '%3'], 'chars': ['123', 'ab', '', '1 2', '"12"'],
    'sec': ['.text', '.data', '.foo', '.foo,"a"', '.foo,"aw",@progbits', '.bar,"ax",@progbits', '.bar,"ax"', '.baz,"aMS",@progbits,1', '.baz,"aM",@progbits,4', '.grp,"aG",@progbits,sig', '.grp,"aG",@progbits,sig,comdat', '.grp2,"axG",@progbits,sig,comdat',
            '.bss.x,"aw",@nobits', '.rodata.str,"aMS",@progbits,1', '.lnk,"ao",@progbits,a', '.lnk,"ao",@progbits,0', '.unq,"a",@progbits,unique,1', '.unq,"a",@progbits,unique,2', '.note.x', '.init_array', '.fini_array.3', '.tdata.q', '.text.hot', '.rodata.x', '.debug_x', '.eh_frame', '.x,"ae"', '.y,"?"', '.z,"aR",@progbits', '.t,"",@note',
            '.t2,"a",@0x7fffffff', '.t3,"a",%progbits', '.t4,"a",@llvm_odrtab', '"q s"', '.w,"awT"', '.preinit_array', '.llvm.x,"",@llvm_call_graph_profile', '.strx,#alloc,#write', '.v,"aw",@progbits,unique,4294967294', '.grp3,"aoG",@progbits,a,sig,comdat', '.grp,"a?"', '.data.rel.ro', '.comment', '.text,"ax",@progbits,unique,3', '.m8,"aM",@progbits,8'],
    'type': '@function @object @notype @tls_object @common @gnu_unique_object @gnu_indirect_function %function #object STT_FUNC "object" @STT_OBJECT STT_TLS STT_COMMON STT_GNU_IFUNC'.split(), 'rel': 'R_AMDGPU_NONE R_AMDGPU_ABS32 R_AMDGPU_ABS64 R_AMDGPU_REL32 R_AMDGPU_ABS32_LO R_AMDGPU_REL64 BFD_RELOC_NONE BFD_RELOC_32 BFD_RELOC_64 R_AMDGPU_GOTPCREL R_AMDGPU_REL16 R_AMDGPU_RELATIVE64'.split(),
    'frames': ['.debug_frame', '.eh_frame', '.eh_frame, .debug_frame', '.debug_frame, .eh_frame', '.sframe'], 'reg': '0 1 5 s0 s32 v0 v1 16 pc_reg vcc exec 2560'.split(), 'enc': '0xff 0 0x1b 0x10 0x3 0x9b 0x50'.split(), 'mac': ['m0', 'm1', 'm2'], 'inc': ['inc.s', 'data.bin', 'none'],
    'amd': ['max(@digit, @small)', 'or(1, @small)', 'alignto(@small, 8)', 'extrasgprs(0, 1, 1)', 'totalnumvgprs(@small, @small)', 'occupancy(8, 4, 8, 8, 10, @small, @small)', 'max(@sym, @small)', 'or(@sym, 3)', 'extrasgprs(@sym, 0, 0)', 'alignto(@sym, 4)', '.amdgcn.next_free_vgpr', '.amdgcn.next_free_sgpr', '.amdgcn.gfx_generation_number'],
}


LLVM_ENDS = 10 # seconds


class Writer:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.groups = [[s.replace('\\n', '\n').replace('\\\\', '\\') for s in line.split('|')] for line in re.sub(r'\|(?=\\)|(?<=\\a)\||(?<=3)\|(?=4)|(?<=1)\|\|(?=0)', '\x01', STATEMENTS).strip().split('\n')]
        self.groups = [[s.replace('\x01', '|') for s in g] for g in self.groups]

    def expand(self, text, depth=0):
        def word(found):
            name = found[1]
            if name == 'line':
                return self.statement(depth + 1) if depth < 2 else '.byte 7'
            return self.expand(self.rng.choice(WORDS[name]), depth + 1)
        return re.sub(r'@(%s|line)\b(?!@lo|@hi)|@(%s)(?=@)' % ('|'.join(WORDS), '|'.join(WORDS)), lambda f: word(f) if f[1] else self.expand(self.rng.choice(WORDS[f[2]]), depth + 1), text) if depth < 8 else '1'

    def statement(self, depth=0):
        return self.expand(self.rng.choice(self.rng.choice(self.groups)), depth)

    def source(self):
        focus = self.rng.sample(self.groups, self.rng.randrange(1, 4))
        lines = []
        for _ in range(self.rng.randrange(2, 14)):
            lines.append(self.expand(self.rng.choice(self.rng.choice(focus if self.rng.random() < 0.6 else self.groups))))
        return lines


class Tools:
    """Runs both assemblers in a directory of its own, with two files to include."""

    def __init__(self, offgrid, directory):
        self.commands = {'llvm': [asm_generate.LLVM], 'offgrid': [os.path.abspath(offgrid), 'mc']}
        self.directory = directory
        open(os.path.join(directory, 'inc.s'), 'w').write('.byte 0x11\n.long 0x22\n')
        open(os.path.join(directory, 'data.bin'), 'wb').write(bytes(range(1, 20)))

    def run(self, tool, source, options):
        command = self.commands[tool] + ['-triple=amdgcn-amd-amdhsa', '-mcpu=gfx900'] + options
        try: # some macros never end in LLVM
            return subprocess.run(command, input=source.encode('latin1'), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.directory, timeout=LLVM_ENDS if tool == 'llvm' else None)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, -1, b'', b'')

    def result(self, tool, source):
        """(exit code, object, listing, object of the listing)"""
        written = self.run(tool, source, ['-filetype=obj'])
        if written.returncode:
            return (1 if written.returncode == 1 else 'crash', b'', b'', b'')
        listing = self.run(tool, source, [])
        return (0, written.stdout, listing.stdout if listing.returncode == 0 else b'refused', b'')

    def differ(self, lines):
        """What differs, or None."""
        source = '\n'.join(lines) + '\n'
        expected = self.result('llvm', source)
        if expected[0] == 'crash':
            return None
        actual = self.result('offgrid', source)
        for what, e, a in zip(('acceptance', 'object', 'listing'), expected, actual):
            if e != a:
                return what
        if expected[0] == 0:
            again = self.run('llvm', expected[2].decode('latin1'), ['-filetype=obj'])
            ours = self.run('offgrid', expected[2].decode('latin1'), ['-filetype=obj'])
            if again.returncode == 0 and (ours.returncode, ours.stdout) != (0, again.stdout):
                return 'object of the listing'
        return None

    def reduce(self, lines, what):
        """As few lines as still differ in the same."""
        again = True
        while again and len(lines) > 1:
            again = False
            for i in range(len(lines) - 1, -1, -1):
                shorter = lines[:i] + lines[i + 1:]
                if shorter and self.differ(shorter) == what:
                    lines, again = shorter, True
        return lines


def main():
    if not asm_generate.LLVM:
        sys.exit(77)
    offgrid, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3] != '-' else random.SystemRandom().randrange(1 << 32)
    show = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    most = float(sys.argv[5]) if len(sys.argv) > 5 else 0
    print('seed %d' % seed)
    writer = Writer(seed)
    sources = [writer.source() for _ in range(count)]
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(2) as pool:
        tools = Tools(offgrid, directory)
        wrong = [(lines, what) for lines, what in zip(sources, pool.map(tools.differ, sources)) if what]
        reduced = list(pool.map(lambda x: (tools.reduce(*x), x[1]), wrong[:show]))
        for lines, what in reduced:
            print('---- %s\n%s' % (what, '\n'.join(lines)))
            source = '\n'.join(lines) + '\n'
            for tool in tools.commands:
                told = tools.run(tool, source, ['-filetype=obj'] if what in ('acceptance', 'object') else [])
                text = told.stderr.decode('latin1') if what == 'acceptance' else told.stdout.decode('latin1') if what == 'listing' else ''
                print('  %-8s%s' % (tool, text.strip().replace('\n', '\n          ')[:1500]))
        print('%d sources, %d differ' % (count, len(wrong)))
    sys.exit(100 * len(wrong) > most * count)


if __name__ == '__main__':
    main()
