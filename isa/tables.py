"""Reads the instruction tables (*.isa) into one list of forms per generation. docs/isa-tables.md explains the files."""
import collections
import copy
import fnmatch
import glob
import os
import re

GENERATIONS = ['gfx6', 'gfx7', 'gfx8', 'gfx900', 'gfx906', 'gfx908', 'gfx90a', 'gfx942', 'gfx950', 'gfx10.1',
               'gfx10.1-dl',
               'gfx1013', 'gfx10.3', 'gfx11', 'gfx11.5', 'gfx12', 'gfx1250', 'gfx1251']
INDEX = {name[3:]: i for i, name in enumerate(GENERATIONS)}
RANGES = {}


def generations(text):
    """'6-7,10.1-10.3' -> indexes. The name 10.1-dl holds a dash itself."""
    if text not in RANGES:
        out = []
        for part in re.split('[,+]', text):
            if part in INDEX:
                out.append(INDEX[part])
                continue
            for m in re.finditer('-', part):
                first, last = part[:m.start()], part[m.end():]
                if first in INDEX and last in INDEX:
                    out.extend(range(INDEX[first], INDEX[last] + 1))
                    break
            else:
                raise SystemExit('unknown generations %s' % text)
        RANGES[text] = out
    return RANGES[text]


def pieces(text):
    """'32:8+55:1:8' -> ((at, width, to), ...)"""
    return tuple((int(p[0]), int(p[1]), int(p[2]) if len(p) > 2 else 0)
                 for p in (x.split(':') for x in text.split('+')))


class Format:
    """Where fields lie: of one encoding on one generation."""

    def __init__(self, words):
        self.op, self.ones, self.free, self.fields = (), 0, 0, {}
        for word in words:
            name, value = word.split('=', 1)
            if name == 'op':
                self.op = pieces(value)
            elif name in ('ones', 'free'):
                setattr(self, name, int(value, 16))
            else:
                self.fields[name] = {int(n or 0): pieces(p) for n, _, p in
                                     ((x.partition('>') if '>' in x else ('0', '>', x)) for x in value.split('/'))}


class Shape:
    def __init__(self, line, defaults):
        head, self.text, operands, self.tied = (line.split('|') + ['', '', ''])[:4]
        self.name, size = head.split()
        self.format, self.size = self.name.rsplit('-', 1)[0], int(size)
        self.operands = []  # (name, access, kind, placement)
        for operand in operands.split():
            name, _, rest = operand.partition(':')
            access, _, kind = (rest or defaults[name]).partition(':')
            kind, _, placement = kind.partition('@')
            self.operands.append((name, access, kind, int(placement) if placement else None))


class Form:
    pass


# 16-bit components of buffers in registers of their own, or two in one (gfx8 has processors of both kinds).
ONLY = {'unpacked': 1, 'packed': 2}
# enum og_need of what a form's `only` names.
NEEDS = {0: 0, 32: 1, 64: 2, ONLY['unpacked']: 4, ONLY['packed']: 8}
REAL_TRUE16, FIRST_FEATURE = 16, 5


def make(row, name, generation, shape, fmt, traits, options, kinds, op):
    f = Form()
    f.row, f.name, f.generation, f.shape_table, f.format_table = row, name, generation, shape, fmt
    f.format, f.size, f.text = shape.format, shape.size, shape.text
    f.ties = [tuple(x.replace('$', '').split('=')) for x in shape.tied.split() if '=' in x]
    f.operands = {n: (a, k) for n, a, k, _ in shape.operands}
    f.fields = {n: fmt.fields[n][p] for n, a, k, p in shape.operands if p is not None}
    if generation == 'gfx7' and shape.format == 'FLAT':
        f.fields.pop('offset', None)  # gfx9 brought offsets
    f.e, f.only, f.literal, extra, zero = '', 0, 0, 0, 0
    for option in options:
        if option.startswith('_e'):
            f.e = option
        elif option in ('w32', 'w64'):
            f.only = int(option[1:])
        elif option in ONLY:
            f.only = ONLY[option]
        elif option == 'lit':
            f.literal = 1
        elif option.startswith('set='):
            extra = int(option[4:], 16)
        else:
            zero = int(option[5:], 16)
    covered = 0
    for run in f.fields.values():
        for at, width, _ in run:
            covered |= ((1 << width) - 1) << at
    op_mask = value = 0
    for at, width, to in fmt.op:
        op_mask |= ((1 << width) - 1) << at
        value |= (op >> to & ((1 << width) - 1)) << at
    everything = ((1 << f.size) - 1) & ~covered
    f.free = fmt.free & ~op_mask
    f.opcode = (op, fmt.op[0][0]) if fmt.op else None
    f.mask = everything & ~f.free | zero
    # v_cmpx of gfx10 and later: VDST is written as EXEC and read by nobody; older compilers left it 0
    if extra == 0x7e:
        f.mask &= ~0xff
    f.value = value | fmt.ones | extra
    if shape.format.startswith('VOP3P') and ('mfma' not in row or 'ld_scale' in row) and 'smfmac' not in row:
        f.value |= (1 << 14 | 3 << 59) & ~covered & ~f.mask  # op_sel_hi of absent sources is written as 1
    if shape.format.endswith('DPP8'):  # 0xe9 or 0xea in source 0: the modifier fi
        at = f.fields['fi'][0][0]
        f.mask |= 0x1fc << at
        f.value |= 0xe8 << at
    words = traits.split()
    f.flags = [w for w in words if w[0] not in '<>']
    if 'a16' in f.operands and 'a16' not in f.fields and 'a16' in fmt.fields:  # a fixed bit that stands in the text
        f.fields['a16'] = fmt.fields['a16'][0]
    f.uses = [w[1:] for w in words if w[0] == '<']
    f.defs = [w[1:] for w in words if w[0] == '>']
    f.forms = kinds or f.format
    f.half, f.low = any(is_half(k) for _, k in f.operands.values()), ()
    return f


# Modifier kinds of 16-bit integer sources: only their op_sel bit means something.
INTEGER_MODS = {'anonymous_%d' % n for n in (20848, 20851, 20854, 20844, 20885, 15222, 15227)}
# Generations whose 16-bit operands are halves of registers with real-true16, and whole registers with it or without;
# never both in one instruction. The short encodings reach v0..v127 only, either way.
TRUE16 = ('gfx11', 'gfx11.5', 'gfx12', 'gfx1250', 'gfx1251')


def is_half(kind):
    return kind.endswith(':0.5') and not kind.startswith('KIMM')


def without(form, names):
    """Takes modifiers away: their bits must be 0."""
    for name in names:
        form.operands.pop(name, None)
        form.text = form.text.replace('$' + name, '')
        for at, width, _ in form.fields.pop(name, ()):
            form.mask |= ((1 << width) - 1 << at) & ~form.free


def without_halves(form):
    """Makes the halves of a form whole registers. Integers lose their modifiers with op_sel."""
    form.half = False
    unused = {n for n, (_, k) in form.operands.items() if 'Int' in k or k[5:-1] in INTEGER_MODS}
    form.operands = {n: (a, k[:-4].replace('V+', 'VS+') + ':1' if is_half(k) else k) for n,
                     (a, k) in form.operands.items()}
    if form.format == 'VINTERP' or form.name.startswith('v_dot2_'):
        return
    pairs = form.name.startswith('v_cvt_pk_f16_') and form.name.endswith('8')  # v_cvt_pk_f16_bf8 and its kin
    keeps = 'byte_sel' in form.operands or form.name.startswith('v_bitop3_') or pairs
    ignores = form.name in ('v_ldexp_f16', 'v_cvt_f16_bf8', 'v_cvt_f16_fp8') or pairs
    gone = ['op_sel'] * (not keeps) + ['clamp', 'omod'] * ('bf16' in form.name)
    without(form, gone)
    for name, run in form.fields.items():
        if name.endswith('_modifiers'):
            form.fields[name] = tuple(p for p in run if (keeps if p[2] >= 2 else name not in unused))
            for at, width, _ in set(run) - set(form.fields[name]):
                form.mask |= 0 if ignores else ((1 << width) - 1 << at) & ~form.free
    if form.format.startswith('VOP3') and not keeps:
        form.mask &= ~(form.free & 0x7800)


def either_size(form):
    """A form whose operand may be a half or a whole register, as one of each."""
    if not any(k.endswith(':0.5/1') for _, k in form.operands.values()):
        return [form]
    out = [copy.copy(form), copy.copy(form)]
    for f, size in zip(out, ('0.5', '1')):
        f.operands = {n: (a, k.replace(':0.5/1', ':' + size)) for n, (a, k) in form.operands.items()}
        f.half = size == '0.5'
    return out


def without_result_modifiers(form):
    """Halves of bf16: the bits of clamp and omod must be 0."""
    if form.half and 'bf16' in form.name and form.format.startswith('VOP3') and not form.name.startswith('v_dot2_'):
        without(form, ('clamp', 'omod'))
    return form


def with_whole_registers(forms):
    """The forms, and beside those with halves such without them, and without the bits of op_sel that choose them."""
    halves = {(f.name, f.format, f.only): f for f in forms if f.half}
    whole = {(f.name, f.format, f.only) for f in forms if not f.half}
    out = []
    for f in forms:
        half = halves.get((f.name, f.format, f.only))
        if f.half and not f.name.startswith('v_ashr_pk_'):  # which LLVM 22 has as whole registers only
            out.append(f)
        if f.half and ((f.name, f.format, f.only) in whole or f.name in ('v_mov_b16', 'v_swap_b16')):
            continue
        if f.half:
            f = copy.copy(f)
            f.fields = dict(f.fields)
        if half and not f.format.startswith('VOP3') and f.format != 'VINTERP':
            f.low = {n for n, (_, k) in half.operands.items() if is_half(k)}
        if f.half:
            without_halves(f)
        out.append(f)
    return out


def ignore_other_addresses(forms):
    """An image address that the dimension leaves out may be anything: makes its bits free where siblings have the
    address."""
    used = {}
    for f in forms:
        if f.format in ('VIMAGE', 'VSAMPLE') and f.row.startswith('image_'):
            used.setdefault((f.row, f.value), {}).update((n, run) for n,
                                                         run in f.fields.items() if n.startswith('vaddr'))
    for f in forms:
        for at, width, _ in sum(used.get((f.row, f.value), {}).values(), ()):
            f.mask &= ~((1 << width) - 1 << at)


# Those of gfx12, which gfx1250 has in waves of both sizes; its own need waves of 32.
OLDER_MATRIX = re.compile(r'v_wmma_\w+_16x16x16_|v_wmma_i32_16x16x32_iu4|v_swmmac_\w+_16x16x32_|v_swmmac_i32_16x16x64_iu4')


def by_wave(form):
    """Operands of two sizes have one per wave size: a matrix spread over more lanes takes fewer registers."""
    if form.generation.startswith('gfx125') and OLDER_MATRIX.match(form.name):
        form.operands = {n: (a, re.sub(r'^V(.*):(\d+)$', lambda m: 'V%s:%d/%s' % (m[1], max(1, int(m[2]) // 2), m[2]), k))
                         for n, (a, k) in form.operands.items()}
    sizes = [k.rpartition(':')[2].split('/') for _, k in form.operands.values() if '/' in k]
    if form.format not in ('VOP3P', 'VFLAT') or not sizes or len(sizes[0]) != 2:
        return [form]
    out = []
    short = form.generation.startswith('gfx125') and form.format == 'VFLAT'
    for form.only, chosen in ((32, 1),) if short else ((64, 0), (32, 1)):
        one = copy.copy(form)
        one.operands = {n: (a, re.sub(r'\d+/\d+', lambda m: m[0].split('/')[chosen], k)) for n,
                        (a, k) in form.operands.items()}
        out.append(one)
    return out


VOP3_FROM = (('vopc', 0, 0), ('vop2', 0x100, 0x100), ('vop1', 0x140, 0x180))  # on gfx8 and gfx9; elsewhere


def opcode(ops, fmt, g):
    """Opcode of a row in an encoding; sub-encodings share their base's, VOP3 follows from VOPC, VOP2, VOP1."""
    fmt = fmt.lower()
    for name in (fmt, re.sub('_(dpp16|dpp8|sdwa)$', '', fmt)):
        if g in ops.get(name, ()):
            return ops[name][g]
    if fmt.startswith('vop3'):
        for source, gcn3, other in VOP3_FROM:
            if g in ops.get(source, ()):
                return ops[source][g] + (gcn3 if GENERATIONS[g] == 'gfx8' or GENERATIONS[g].startswith('gfx9')
                                         else other)
    return 0


def pair(x, y):
    """One form of two halves of VOPD. What the tables fix in a half, its partner included, says nothing here but the
    opcodes."""
    f = copy.copy(x)
    wide = x.format.startswith('VOPD3')
    f.x, f.y, f.size, f.literal = x, y, max(x.size, y.size), x.literal | y.literal
    f.fields = {n: v for half, letter in ((x, 'X'), (y, 'Y')) for n, v in half.fields.items()
                if letter in n or n in ('imm', 'bitop3')}
    f.value = (0xcf000000 if wide else 0xc8000000) | sum(op << at for half in (x, y) for op, at in [half.opcode])
    f.mask = (1 << f.size) - 1 & ~((1 << 47 | 7 << 9) if wide else 0)  # bits that nobody reads
    for name, run in f.fields.items():
        for at, width, _ in run:
            f.mask &= ~(((1 << width) - 1) << at)
    f.uses, f.defs = x.uses + y.uses, x.defs + y.defs
    f.flags = x.flags + y.flags
    return f


def paired(forms):
    """The halves of VOPD put together, each with each."""
    halves = collections.defaultdict(list)
    for f in forms:
        if f.format.startswith('VOPD'):
            halves[f.format].append(f)
    out = [f for f in forms if not f.format.startswith('VOPD')]
    for kind in ('VOPD', 'VOPD3'):
        out += [pair(x, y) for x in halves[kind + '-X'] for y in halves[kind + '-Y'] if x.only == y.only]
    return out


def aliases(folder):
    """{generation: {other name: name}} of aliases.isa."""
    out = {g: {} for g in GENERATIONS}
    for line in open(os.path.join(folder, 'aliases.isa')):
        words = line.split()
        if words[0] == 'alias':
            for g in generations(words[1]):
                out[GENERATIONS[g]].update(word.split('=') for word in words[2:])
    return out


def features(folder):
    """[(feature, regular expressions of generation:name/format)] of features.isa, in the order of their bits; first
    wavefrontsize32, which has a bit of its own."""
    out = []
    for line in open(os.path.join(folder, 'features.isa')):
        words = line.split()
        if line.startswith('feature '):
            out.append((words[1], []))
            words = words[2:]
        elif not words or line.startswith('#'):
            continue
        out[-1][1].extend(re.compile(fnmatch.translate(
            (w if ':' in w else '*:' + w) + '/*' * ('/' not in w))) for w in words)
    return out


def with_needs(forms, all_features):
    """Gives the forms `needs`, the bits of enum og_need; a pair needs what its halves need."""
    known = {}
    wave32, *others = all_features
    for f in forms:
        f.needs = NEEDS[f.only] | REAL_TRUE16 * (f.half and f.generation in TRUE16)
        for half in (f.x, f.y) if hasattr(f, 'y') else (f,):
            key = half.generation[3:] + ':' + half.name + '/' + half.format + '/rtn' * ('returns' in half.flags)
            if key not in known:
                known[key] = sum(1 << FIRST_FEATURE + i for i, (_, patterns) in enumerate(others)
                                 if any(p.match(key) for p in patterns))
                if any(p.match(key) for p in wave32[1]):
                    known[key] |= NEEDS[32]
            f.needs |= known[key]
    return forms


def load(folder):
    formats, shapes, defaults, classes = {}, {}, {}, {}
    for line in open(os.path.join(folder, 'formats.isa')):
        if line.startswith('format '):
            words = line.split()
            fmt = Format(words[3:])
            for g in generations(words[2]):
                formats[words[1], g] = fmt
    for line in open(os.path.join(folder, 'shapes.isa')):
        line = line.rstrip('\n')
        if line.startswith('default '):
            defaults[line.split()[1]] = line.split()[2]
        elif line.startswith('shape '):
            shape = Shape(line[6:], defaults)
            shapes[shape.name] = shape
    rows, current = [], None
    for path in sorted(glob.glob(os.path.join(folder, '*.isa'))):
        if os.path.basename(path) in ('formats.isa', 'shapes.isa', 'aliases.isa', 'features.isa'):
            continue
        for line in open(path):
            line = line.rstrip('\n')
            if not line or line[0] == '#':
                continue
            if line.startswith('class '):
                text, _, kinds = line.partition(' forms=')
                _, name, traits = (text + ' ').split(' ', 2)
                current = classes[name] = []
            elif line[0] == ' ':
                text, _, own_kinds = line.strip().partition(' forms=')
                text, colon, own = text.partition(' :')
                words = text.split()
                current.append((words[0], words[1:-1], generations(words[-1]), own if colon else traits,
                                own_kinds or kinds))
            else:
                rows.append(line.split())
    out = {g: [] for g in GENERATIONS}
    for words in rows:
        row, names, ops, entries = words[0], {}, {}, None
        for word in words[1:]:
            name, equals, value = word.partition('=')
            if not equals:
                entries = classes[word]
            elif ':' in value:
                ops[name] = {g: int(op, 16) for run in value.split(',') for where,
                             op in [run.split(':')] for g in generations(where)}
            else:
                for g in generations(value):
                    names[g] = name
        for shape, options, where, traits, kinds in entries:
            for g in where:
                s = shapes[shape]
                out[GENERATIONS[g]] += by_wave(make(row, names.get(g, row), GENERATIONS[g], s, formats[s.format, g],
                                                    traits, options, kinds,
                                                    opcode(ops, s.format, g)))
    ignore_other_addresses(out['gfx12'])
    for generation in TRUE16:
        forms = [without_result_modifiers(f) for form in out[generation] for f in either_size(form)]
        out[generation] = with_whole_registers(forms)
    all_features = features(folder)
    return {g: with_needs(paired(forms), all_features) for g, forms in out.items()}
