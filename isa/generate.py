#!/usr/bin/env python3
"""Turns the instruction tables into C: generate.py OUTPUT_FOLDER [MORE.isa...]. Run by the build; standard library
only."""
import collections
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, 'rules')]
import dispatch  # noqa: E402
import expand  # noqa: E402
import tables  # noqa: E402

# Encodings (enum og_encoding) that are called otherwise than here.
ENCODING = {'smrd': 'SMEM', 'vintrp': 'VINTERP', 'vflat': 'FLAT', 'vbuffer': 'MUBUF', 'vimage': 'MIMG',
            'vsample': 'MIMG', 'vopd3': 'VOPD'}
VARIANTS = ('DPP16', 'DPP8', 'SDWA')
FLAGS = {'end': 'NO_FALLTHROUGH', 'effects': 'SIDE_EFFECTS'}
IMPLICIT = {'exec': 1, 'vcc': 2, 'scc': 4, 'm0': 8, 'mode': 16, 'flat_scratch': 32, 'asynccnt': 64, 'tensorcnt': 128}
# Bits of enum og_need that are no features.
NEEDS = {0: 0, 32: 1, 64: 2, 'unpacked': 4, 'packed': 8}
REAL_TRUE16, FIRST_FEATURE = 16, 5
# Bits of enum og_counter.
COUNTERS = {name: 1 << i for i, name in enumerate(
    'vm vs lgkm exp load store ds km sample bvh async tensor x'.split())}
# Types of memory as numbers (enum og_value), where they are no plain bits.
PARTS = {None: 'ALL', 'lo': 'LOW', 'hi': 'HIGH'}
NUMBERS = {'i': 'SIGNED', 'u': 'UNSIGNED', 'f': 'FLOAT'}
# Bits of enum og_trait and enum og_image_part.
TRAITS = {name: 1 << i for i, name in enumerate(
    'wait reversed dot mfma any-format one-scalar double-alu lane-controls sdwa msaa from-lds decode-only llvm-e32 '
    'llvm-implied-vcc llvm-wide-first llvm-result-sel llvm-signs-x llvm-signs-y llvm-odd'.split())}
ADDRESS = {name: 1 << i for i, name in enumerate(
    'offset bias compare derivatives g16 lod mip clamp no-coordinates ray node64 zero gather horizontal'.split())}
ALL = (1 << 64) - 1


def c_pieces(pieces):
    return '{' + ', '.join('{%d, %d, %d}' % p for p in pieces) + '}' if pieces else '{{0}}'


def bits_of(names, values):
    return sum(values[n] for n in names)


class Pool:
    """Texts one behind another, each once: where each begins."""

    def __init__(self):
        self.at, self.size, self.texts = {}, 0, []

    def add(self, text):
        if text not in self.at:
            self.at[text] = self.size
            self.texts.append(text)
            self.size += len(text) + 1
        return self.at[text]


class Writer:
    """One array after another of the C file, equal lists of slots, modifiers and shapes each once."""

    def __init__(self, all_tables, out):
        self.tables, self.out = all_tables, out
        self.names, self.programs = Pool(), Pool()
        self.slots, self.mods, self.shapes = Lists(), Lists(), {}
        self.memories, self.matrices = {None: 0}, {None: 0}
        self.rows = {name: i for i, name in enumerate(sorted(row.name for row in all_tables.rows))}
        self.commuted = all_tables.commuted()
        self.features = {name: FIRST_FEATURE + i for i, name in enumerate(all_tables.features)}

    def shape(self, form):
        text = ''.join(chr(1 if p[0] == 'slot' else 2) + chr(p[1] + 1) if isinstance(p, tuple) else p
                       for p in form.program)
        flags = form.packed | form.op_sel << 1 | form.op_sel_hi << 2 | form.mix << 3 | form.hidden << 4
        key = (self.slots.add([self.slot(s) for s in form.slots]), self.mods.add([self.mod(m) for m in form.mods]),
               self.programs.add(text), len(form.slots), len(form.mods), flags)
        return self.shapes.setdefault(key, len(self.shapes))

    def row(self, name):
        other = self.commuted.get(name)
        return '{%d, %s}' % (self.names.add(name), 'OG_ROW_' + other.upper() if other else -1)

    @staticmethod
    def slot(s):
        return '{OG_ROLE_%s, OG_TAKES_%s, OG_TYPE_%s, %d, %s, 0x%xu, %s, %s, OG_ELEMENT_%s, %d}' % (
            s.role, s.takes, s.type, s.dwords[0] if s.dwords else 0,
            '|'.join('OG_SLOT_' + f for f in sorted(s.flags)) or '0', sum(1 << n - 1 for n in set(s.dwords)),
            c_pieces(s.pieces), c_pieces(s.modifiers), s.element.upper(), s.elements)

    @staticmethod
    def mod(m):
        return '{OG_MOD_%s, OG_STYLE_%s, %s}' % (m.mod, m.style, c_pieces(m.pieces))

    @staticmethod
    def memory(m):
        """struct og_memory; the first one is none."""
        if not m:
            return '{0}'
        if m.type == 'signed':
            number = 'SIGNED'
        elif m.type.startswith('pk_'):
            number = 'PACKED_' + m.type[3:].upper()
        else:
            plain = 'BITS' if m.bits or m.operation or m.type == 'raw' else 'FORMAT'
            number = NUMBERS.get(m.type[0] if m.type[1:].isdigit() else '', plain)
        return '{OG_IN_%s, OG_MOVES_%s, OG_DOES_%s, OG_VALUE_%s, OG_PART_%s, %d, %d, %d, %d, %d, %d}' % (
            m.space.upper(), m.access.upper(), (m.operation or 'nothing').upper(), number, PARTS[m.half],
            m.lds, m.d16, m.components, m.count, m.stride, m.bits or 0)

    @staticmethod
    def matrix(m):
        """struct og_matrix; the first one is none."""
        if not m:
            return '{0}'
        return '{OG_MATRIX_%s, %s, %d, %d, %d, %d, %d, %d}' % (
            m.kind.upper(), ', '.join('OG_ELEMENT_' + e.upper() for e in m.elements), m.m, m.n, m.k, m.blocks, m.lanes,
            m.scaled)

    def form(self, f):
        base, _, variant = f.encoding.upper().partition('_')
        base = base.partition('-')[0]
        encoding = ENCODING.get(base.lower(), base)
        needs = NEEDS[f.only] | REAL_TRUE16 * f.half | sum(1 << self.features[n] for n in f.needs)
        flags = '|'.join('OG_FLAG_' + FLAGS.get(x.lower(), x.upper()) for x in sorted(f.flags)) or '0'
        memory = self.memories.setdefault(f.memory, len(self.memories))
        matrix = self.matrices.setdefault(f.matrix, len(self.matrices))
        return '{{0x%xu, 0x%xu}, {0x%xu, 0x%xu}, {0x%xu, 0x%xu}, %d, %s, 0x%x, %d, %d, 0x%x, %d, 0x%x, %d, ' \
            '%d, %d, OG_ISSUE_%s, OG_LATENCY_%s, OG_ENC_%s, OG_VARIANT_%s, %d, OG_SUFFIX_%s, %d, %d, %d}' % (
                f.mask & ALL, f.mask >> 64, f.value & ALL, f.value >> 64, needs & ALL, needs >> 64,
                self.names.add(f.name), flags, bits_of(f.traits, TRAITS), self.rows[f.row.name], self.shape(f),
                bits_of(f.counters, COUNTERS), self.rows[f.second.name] if f.second else 0,
                bits_of(f.address, ADDRESS), memory, matrix, len(f.name), f.issue, c_name(f.latency).upper(), encoding,
                variant if variant in VARIANTS else 'NONE', f.size // 8, f.suffix, bits_of(f.reads, IMPLICIT),
                bits_of(f.writes, IMPLICIT), f.literal)

    def generation(self, index, forms):
        """All tables of one generation; the name of its og_tables."""
        c = c_name(self.tables.generations[index])
        w = self.out
        w.array('struct og_form', 'forms_' + c, [self.form(f) for f in forms])
        buckets, entries, lists = dispatch.dispatch(forms)
        w.array('struct og_bucket', 'buckets_' + c, ['{%d,%d,%d}' % b for b in buckets])
        w.array('uint16_t', 'entries_' + c, entries)
        w.array('uint16_t', 'lists_' + c, lists)
        names = self.named(index, forms)
        flat = [i for _, ids in names for i in ids]
        at = 0
        out = []
        for name, ids in names:
            out.append('{%d, %d, %d}' % (self.names.add(name), at, len(ids)))
            at += len(ids)
        w.array('struct og_name', 'names_' + c, out)
        w.array('uint16_t', 'named_' + c, flat)
        w.text('static const struct og_tables tables_%s = {OG_GFX%s, forms_%s, %d, buckets_%s, entries_%s, lists_%s, '
               'names_%s, %d, named_%s};\n' % (c, c.upper(), c, len(forms), c, c, c, c, len(names), c))
        return c

    def named(self, index, forms):
        """[(mnemonic, its forms)] in the order of the mnemonics, of its forms the smaller first."""
        names = collections.defaultdict(list)
        for i, f in enumerate(forms):
            names[f.name + ' :: ' + f.second_name if f.second else f.name].append(i)
        for first, end, pairs in self.tables.aliases:
            if first <= index < end:
                for other, name in pairs:
                    if name in names:
                        names[other] = names[name]
        return [(name, sorted(names[name], key=lambda i: (forms[i].size, i))) for name in sorted(names)]


class Lists:
    """Short lists one behind another, equal ones once."""

    def __init__(self):
        self.items, self.at = [], {}

    def add(self, items):
        key = tuple(items)
        if key not in self.at:
            self.at[key] = len(self.items)
            self.items += items
        return self.at[key]


class CFile:
    def __init__(self, path):
        self.file = open(path, 'w')
        self.file.write('/* Made from isa/. */\n')
        self.file.writelines('#include "isa/%s.h"\n' % name for name in ('internal', 'effects', 'matrix', 'rows'))
        self.file.write('#include "target/features.inc"\n')

    def text(self, text):
        self.file.write(text)

    def array(self, type_, name, items, extern=False, bounds='[]'):
        self.file.write('%sconst %s %s%s = {\n' % ('' if extern else 'static ', type_, name, bounds))
        self.file.writelines('%s,\n' % x for x in items)
        self.file.write('};\n')

    def pool(self, name, pool):
        """Characters of octal escapes, so that no digit behind one is taken for a part of it."""
        self.file.write('const char %s[] =\n' % name)
        for text in pool.texts:
            self.file.write('"%s\\0"\n' % ''.join('\\%03o' % ord(c) if c < ' ' or c in '"\\' else c for c in text))
        self.file.write(';\n')


def c_name(generation):
    return generation.replace('.', '_').replace('-', '_')


def emit_registers(all_tables, path):
    """The rows of isa.c's table of generations, one initialiser a wave size."""
    with tables.Output(path) as out:
        for name, facts in zip(all_tables.generations, all_tables.registers):
            rows = ['ISA(GFX%s, %s, %s, %s, %s, %s)' % (c_name(name).upper(), wave, facts['sgprs'], facts['ttmp'],
                                                       facts['m0'], facts['null']) for wave in facts['waves'].split(',')]
            out.write('[OG_GFX%s] = {%s},\n' % (c_name(name).upper(), ', '.join(rows + ['{0}'] * (2 - len(rows)))))


def emit_latencies(all_tables, header, c):
    header.write('enum og_latency_class {\n')
    header.writelines('  OG_LATENCY_%s,\n' % c_name(name).upper() for name in all_tables.latencies)
    header.write('  OG_LATENCY_COUNT\n};\n')
    c.array('uint16_t', 'og_latencies[OG_GENERATION_COUNT][OG_LATENCY_COUNT]', [
        '[OG_GFX%s] = {%s}' % (c_name(generation).upper(), ', '.join(
            str(cycles[i] or 0) for cycles in all_tables.latencies.values()))
        for i, generation in enumerate(all_tables.generations)], extern=True, bounds='')


def emit(all_tables, out):
    c = CFile(os.path.join(out, 'isa_tables.c'))
    with tables.Output(os.path.join(out, 'rows.h')) as header:
        header.write('/* Made from isa/. */\n#ifndef OG_ISA_ROWS_H\n#define OG_ISA_ROWS_H\nenum og_row_id {\n')
        rows = sorted(row.name for row in all_tables.rows)
        header.writelines('  OG_ROW_%s,\n' % name.upper() for name in rows)
        header.write('  OG_ROW_COUNT\n};\n')
        emit_latencies(all_tables, header, c)
        header.write('#endif\n')
    emit_registers(all_tables, os.path.join(out, 'isas.inc'))
    writer = Writer(all_tables, c)
    made = [writer.generation(i, expand.forms_of(all_tables, i)) for i in range(len(all_tables.generations))]
    c.array('struct og_row', 'og_rows', [writer.row(name) for name in rows], extern=True)
    c.text('const unsigned og_rows_count = %d;\n' % len(rows))
    c.array('struct og_slot', 'og_slot_table', writer.slots.items, extern=True)
    c.array('struct og_mod_slot', 'og_mod_slot_table', writer.mods.items, extern=True)
    c.array('struct og_shape', 'og_shapes', ['{%d, %d, %d, %d, %d, %d}' % key for key in writer.shapes], extern=True)
    c.array('struct og_memory', 'og_memories', [writer.memory(m) for m in writer.memories], extern=True)
    c.array('struct og_matrix', 'og_matrices', [writer.matrix(m) for m in writer.matrices], extern=True)
    c.pool('og_isa_names', writer.names)
    c.pool('og_isa_programs', writer.programs)
    c.array('uint16_t', 'og_needed_features',
            ['OG_FEATURE_' + f.upper().replace('-', '_') for f in all_tables.features], extern=True)
    c.text('const unsigned og_needed_features_count = %d;\n' % len(all_tables.features))
    c.text('const struct og_tables *const og_all_tables[OG_GENERATION_COUNT] = {\n')
    c.text(''.join('  [OG_GFX%s] = &tables_%s,\n' % (name.upper(), name) for name in made) + '};\n')


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    try:
        emit(tables.Tables(HERE, sys.argv[2:]), sys.argv[1])
    except tables.Wrong as wrong:
        raise SystemExit(wrong)


if __name__ == '__main__':
    main()
