#!/usr/bin/env python3
"""Turns isa/semantics.sem into C: python3 semantics.py OUTPUT-FOLDER semantics.sem... [MORE.isa...]

Writes scalar_ops.inc (handlers and their table, by row), vector_ops.inc (the same for vector instructions, one
loop over the lanes per operand shape; compiled once per host instruction set) and vector_rows.inc (what decoding
must know about each: types of operands, flags). Which instructions commute is told by the rows of the tables."""
import os
import re
import sys

import tables

TOKEN = re.compile(r'\b(D|OLD|S0|S1|S2)\.([uif])(16|32|64)\b')
RELATIONS = {
    'f': '0', 't': '1', 'tru': '1', 'lt': 'S0.T < S1.T', 'eq': 'S0.T == S1.T', 'le': 'S0.T <= S1.T',
    'gt': 'S0.T > S1.T', 'lg': 'S0.T < S1.T || S0.T > S1.T', 'ne': 'S0.T != S1.T', 'ge': 'S0.T >= S1.T',
    'o': '!(nan_C(S0.T) || nan_C(S1.T))', 'u': 'nan_C(S0.T) || nan_C(S1.T)', 'nge': '!(S0.T >= S1.T)',
    'nlg': '!(S0.T < S1.T || S0.T > S1.T)', 'ngt': '!(S0.T > S1.T)', 'nle': '!(S0.T <= S1.T)',
    'neq': '!(S0.T == S1.T)', 'nlt': '!(S0.T < S1.T)'}


class Row:
    """One line of the table: name, flags, statements, and which operands with which types they use."""

    def __init__(self, name, flags, text):
        self.name, self.text = name, text.strip()
        self.flags = {f for f in flags if '=' not in f}
        self.near = next((f[5:] for f in flags if f.startswith('near=')), None)  # hardware's error
        self.types = {}  # operand -> types in order of appearance
        for operand, kind, width in TOKEN.findall(text):
            types = self.types.setdefault(operand, [])
            if kind + width not in types:
                types.append(kind + width)

    def uses(self, word):
        return re.search(r'\b%s\b' % word, self.text) is not None

    def writes(self, word):
        return re.search(r'\b%s\b(\.\w+)? = ' % word, self.text) is not None

    def width(self, operand):
        return max((int(t[1:]) for t in self.types.get(operand, [])), default=0)

    def is_half(self, operand):
        return 'f16' in self.types.get(operand, [])

    def statements(self):
        return [TOKEN.sub(lambda m: '%s_%s%s' % m.groups(), s.strip()) for s in self.text.split(';') if s.strip()]

    def type_name(self, operand):
        types = self.types.get(operand)
        return 'OG_AS_NONE' if not types else 'OG_AS_' + types[0].upper()


def parse(paths):
    sections = {}
    for path in paths:
        read(path, sections)
    return sections


def read(path, sections):
    section = None
    for number, line in enumerate(open(path), 1):
        line = line.rstrip('\n')
        if not line.strip() or line.startswith('#'):
            continue
        if line.startswith('['):
            section = sections.setdefault(line.strip('[]'), [])
            continue
        head, colon, text = line.partition(':')
        if not colon:
            sys.exit('%s:%d: expected "mnemonic : statements"' % (path, number))
        name, *flags = head.split()
        if name == 'compare':
            for kind in flags:
                for relation in text.split():
                    section.append(compare(relation, kind))
            continue
        section.append(Row(name, flags, text))


def compare(relation, kind):
    text = 'CO = ' + RELATIONS[relation].replace('.T', '.' + kind).replace('_C',
                                                                           '_f32' if kind == 'f16' else '_' + kind)
    if relation in ('f', 't', 'tru'):  # the operands count for modifiers and widths all the same
        text = '(void)S0.%s; (void)S1.%s; ' % (kind, kind) + text
    return Row('v_cmp_%s_%s' % (relation, kind), [], text)


C_TYPE = {'u': 'u', 'i': 'i', 'f': 'f'}


def identifier(row):
    return row.name.replace('.', '_')


# ---- scalar ---------------------------------------------------------------------------------------------------------

def scalar(row):
    out = ['/* %s: %s */' % (row.name, row.text)]
    out.append('static const struct og_operation *%s(struct og_wave *wave, const struct og_operation *op) {' % identifier(row))
    for i in range(3):
        for t in row.types.get('S%d' % i, []):
            out.append('  const %s S%d_%s = %s;' % (t, i, t,
                                                    convert(t,
                                                            'og_scalar%d(wave, op, %d)' % (64 if t[1:] == '64' else 32, i))))
    for t in row.types.get('OLD', []):
        out.append('  const %s OLD_%s = %s;' % (t, t, convert(t, 'og_load%s(og_at(wave, op->d))' % t[1:])))
    if row.uses('SIMM'):
        out.append('  const u32 SIMM = (u32)op->constant[2];')
    if row.uses('PC'):
        out.append('  const u64 PC = og_pc(wave->program, og_next(op));')
    if row.uses('SCC'):
        out.append('  u32 SCC = wave->s[OG_S_SCC];' if re.search(r'(?<!^)(?<!; )\bSCC\b(?! = )', row.text)
                   else '  u32 SCC;')
    if row.uses('VCC'):
        out.append('  const u64 VCC = og_mask(wave, OG_S_VCC);')
    if row.uses('MODE'):
        out.append('  u32 MODE = wave->mode;')
    if row.uses('EXEC'):
        out.append('  u64 EXEC = og_mask(wave, OG_S_EXEC);')
    for t in row.types.get('D', []):
        out.append('  %s D_%s;' % (t, t))
    end = '  return og_next(op);'
    body = []
    for statement in row.statements():
        if statement.startswith('BRANCH('):
            end = '  return %s ? og_branch(wave, op->detail) : og_next(op);' % statement[6:]
        elif statement.startswith('JUMP('):
            end = '  return og_jump(wave, op, %s);' % statement[5:-1]
        elif statement.startswith('STOP('):
            end = '  return og_wave_stop(wave, op, %s);' % statement[5:-1]
        else:
            body.append('  %s;' % statement)
    out += body
    for t in row.types.get('D', []):
        value = 'bits_of_f32(D_f32)' if t == 'f32' else '(u%s)D_%s' % (t[1:], t)
        out.append('  og_write_scalar%d(wave, op->d, %s);' % (64 if t[1:] == '64' else 32, value))
    if row.writes('MODE'):
        end = '  return mode_written(wave, op, MODE);'
    if row.writes('EXEC'):
        width = 32 if row.width('D') == 32 else 64
        out.append('  og_write_scalar%d(wave, OG_AT_S(OG_S_EXEC), %sEXEC);' % (width, '(u32)' if width == 32 else ''))
    if row.writes('SCC'):
        out.append('  wave->s[OG_S_SCC] = SCC;')
    if not any(w in ''.join(out[2:]) + end for w in ('wave',)):
        out.append('  (void)wave;')
    out.append(end)
    out.append('}')
    return '\n'.join(out)


# ---- vector ---------------------------------------------------------------------------------------------------------

def shapes(row):
    """Operand shapes with a handler of their own: V a register, S scalar or constant."""
    count = sum(1 for i in range(3) if 'S%d' % i in row.types)
    all_vector = 'V' * count
    if row.flags & {'packed', 'mix'} or '.' in row.name or row.uses('TABLE'):
        return [all_vector]
    return {1: ['V'], 2: ['VV', 'SV'], 3: ['VVV', 'SVV', 'VSV', 'VVS']}[count]


def load(row, i, shape):
    """Lines before the loop, and inside it, that bring in source i."""
    operand = 'S%d' % i
    before, inside = [], []
    for t in row.types[operand]:
        width = int(t[1:])
        bits = 'u64' if width == 64 else 'u32'
        if t == 'f16':
            if shape == 'S':
                before.append('const f32 %s_f16 = og_half_of(wave, og_scalar32(wave, op, %d));' % (operand, i))
            else:
                before.append('og_aligned f32 half%d[OG_LANES];' % i)
                before.append('og_load_halves(wave, half%d, s%d);' % (i, i))
                inside.append('const f32 %s_f16 = half%d[i];' % (operand, i))
            continue
        if shape == 'S':
            value = 'og_scalar%d(wave, op, %d)' % (64 if width == 64 else 32, i)
            target = before
        else:
            value = '((u64)s%d[i + OG_LANES] << 32 | s%d[i])' % (i, i) if width == 64 else 's%d[i]' % i
            target = inside
        target.append('const %s %s_%s = %s;' % (t, operand, t, convert(t, value)))
    return before, inside


def convert(t, bits):
    if t == 'f32':
        return 'f32_of_bits(%s)' % bits
    if t == 'f64':
        return 'f64_of_bits(%s)' % bits
    return '(%s)%s' % (t, bits)


EACH_HALF = 'OG_EACH_HALF(wave) OG_LOOP for (int i = half; i < half + OG_LANES / 2; i++) {'


def vector_loop(row, shape, tried=False):
    """The lines before the loop over the lanes, in it, and after it; `tried`: results wait until all are there."""
    before, inside, after = [], [], []
    for i in range(3):
        if 'S%d' % i not in row.types:
            continue
        kind = shape[[k for k in range(3) if 'S%d' % k in row.types].index(i)]
        if kind == 'V':
            before.append('const u32 *s%d = og_lanes_of(wave, op->s[%d]);' % (i, i))
        b, n = load(row, i, kind)
        before += b
        inside += n
    for t in row.types.get('OLD', []):
        if t == 'f16':
            before += ['og_aligned f32 old_half[OG_LANES];', 'og_load_halves(wave, old_half, old);']
            inside.append('const f32 OLD_f16 = old_half[i];')
        else:
            bits = '((u64)old[i + OG_LANES] << 32 | old[i])' if t[1:] == '64' else 'old[i]'
            inside.append('const %s OLD_%s = %s;' % (t, t, convert(t, bits)))
    if row.uses('CI'):
        before += ['og_aligned u32 carry[OG_LANES];',
                   'og_expand_mask(carry, %s);' % ('og_mask(wave, OG_S_VCC)' if 'S2' in row.types
                                                   else 'og_mask_at(wave, op->s[2])')]
        inside.append('const u32 CI = carry[i] & 1;')
    if row.uses('LANE'):
        inside.append('const u32 LANE = (u32)i;')
    if row.uses('MODE'):
        before.append('const u32 MODE = wave->mode;')
    if row.uses('TABLE'):
        before.append('const u32 TABLE = ((const struct og_modifiers *)op->detail)->table;')
    if row.uses('CO'):
        inside.append('bool CO;')
    for t in row.types.get('D', []):
        inside.append('%s D_%s;' % ('f32' if t == 'f16' else t, t))
    inside += [s + ';' for s in row.statements()]
    for t in row.types.get('D', []):
        name = 'D_' + t
        if t == 'f16':
            before.append('og_aligned f32 result_half[OG_LANES];')
            inside.append('result_half[i] = D_f16;')
            after += ['OG_ENTER_TO_HALF(wave);'] if stored_later(row) else []
            after += ['og_aligned u32 result[OG_LANES];', 'og_store_halves(wave, result, result_half);',
                      'OG_LOOP for (int i = 0; i < OG_LANES; i++) d[i] = m[i] ? %s : d[i];' %
                      ('(d[i] & 0xffff0000) | result[i]' if 'keep' in row.flags else 'result[i]')]
            continue
        if tried:
            before.append('og_aligned %s results[OG_LANES];' % t)
            inside.append('results[i] = D_%s;' % t)
            after.append(EACH_HALF)
            after += ['  ' + line for line in store_results(row, t, 'results[i]')] + ['}']
            continue
        inside += store_results(row, t, name)
    if row.uses('CO'):
        before.append('og_aligned u32 co[OG_LANES];')
        inside.append('co[i] = CO ? ~(u32)0 : 0;')
    return before, inside, after


def store_results(row, t, name):
    """What puts the active lanes' results, `name`, into D."""
    if t[1:] == '64':
        return ['const u64 result = %s;' % ('bits_of_f64(%s)' % name if t == 'f64' else '(u64)' + name),
                'd[i] = m[i] ? (u32)result : d[i];',
                'd[i + OG_LANES] = m[i] ? (u32)(result >> 32) : d[i + OG_LANES];']
    value = {'f32': 'bits_of_f32(%s)', 'u32': '%s', 'i32': '(u32)%s', 'u16': '(u32)%s', 'i16': '(u32)(u16)%s'}[t] % name
    return ['d[i] = m[i] ? %s%s : d[i];' % ('(d[i] & 0xffff0000) | ' if 'keep' in row.flags else '', value)]


def stored_later(row):
    """Whether it computes in 32 bits, as their mode says, and is then rounded to halves, as theirs does."""
    return row.types.get('D') == ['f16'] and row.types.get('S0') == ['f32']


def other_width(row):
    """Whether the 16- and 64-bit floats' mode governs."""
    if row.types.get('D') == ['f64'] and row.types.get('S0') == ['f32']:  # exact: what MODE says of sources counts
        return False
    operand = 'D' if row.types.get('D', [''])[0].startswith('f') else 'S0'
    kind = row.types.get(operand, [''])[0]
    return kind in ('f16', 'f64') or row.name.startswith('v_cvt_f16') or 'f16' in row.types.get('D', [])


def tried_first(row, shape, inside, usual):
    """What goes before the loop over the lanes: one with statements that do for most numbers, which sees whether they
    did."""
    kind = row.types['D'][0]
    if usual:
        short = vector_loop(usual, shape, True)[1]
    else:
        short = [re.sub(r'(min|max|med3)(imum)?_f32\(', r'\1_of_numbers(', line).replace(', MODE)', ')')
                 for line in inside]
        sources = ['S%d_%s' % (i, kind) for i in range(len(shape))]
        pairs = zip(sources[::2], sources[1::2] + sources[-1:])
        short.append('others |= %s;' % ' | '.join('(u32)__builtin_isunordered(%s, %s)' % pair for pair in pairs))
    out = ['u64 others = 0;'] if kind == 'f64' else ['u32 others = 0;']
    if kind == 'f32':
        out = ['u32 others = (MODE & OG_MODE_DENORM_32) ^ OG_MODE_DENORM_32;', 'if (!others)']
    return out + ['OG_EACH_LANE_ALIKE(wave, i) {'] + ['  ' + line for line in short] + ['}', 'if (others)']


STRIP_TYPES = {'f16': 'floats', 'f32': 'floats', 'u16': 'words', 'u32': 'words', 'u64': 'struct word_pair'}


def strip_of(t, rows):
    """A strip of an operand of that type, which stands in these rows."""
    if t == 'u64':
        return '{load(%s + i), load(%s + OG_LANES + i)}' % (rows, rows)
    return {'f16': 'halves(loaded_halves(load(%s + i), wave->mode))', 'f32': '(floats)load(%s + i)',
            'u16': 'load(%s + i) & 0xffff', 'u32': 'load(%s + i)'}[t] % rows


def strip_loop(row, shape):
    """vector_loop() of what is said of strips of lanes: each source of one type."""
    before, inside, after = [], [], []
    sources = [k for k in range(3) if 'S%d' % k in row.types]
    for kind, i in zip(shape, sources):
        name, (t,) = 'S%d' % i, row.types['S%d' % i]
        vector = STRIP_TYPES[t]
        if kind == 'V':
            before.append('const u32 *s%d = og_lanes_of(wave, op->s[%d]);' % (i, i))
            inside.append('const %s %s_%s = %s;' % (vector, name, t, strip_of(t, 's%d' % i)))
            continue
        before += [line.replace('%s_%s' % (name, t), 'scalar%d' % i) for line in load(row, i, kind)[0]]
        value = {'f16': '(floats)all(bits_of_f32(scalar%d))', 'f32': '(floats)all(bits_of_f32(scalar%d))',
                 'u64': '{all((u32)scalar%d), all((u32)(scalar%d >> 32))}'}.get(t, 'all(scalar%d)')
        before.append('const %s %s_%s = %s;' % (vector, name, t, value.replace('%d', str(i))))
    for t in row.types.get('OLD', []):
        inside.append('const %s OLD_%s = %s;' % (STRIP_TYPES[t], t, strip_of(t, 'old')))
    if row.uses('MODE'):
        before.append('const u32 MODE = wave->mode;')
    (t,) = row.types['D']
    inside += ['%s D_%s;' % (STRIP_TYPES[t], t)] + [s + ';' for s in row.statements()]
    if t == 'f16':
        before.append('og_aligned f32 result_half[OG_LANES];')
        inside.append('store_floats(result_half + i, D_f16);')
        after += ['og_aligned u32 result[OG_LANES];', 'og_store_halves(wave, result, result_half);',
                  'OG_LOOP for (int i = 0; i < OG_LANES; i++) d[i] = m[i] ? result[i] : d[i];']
    elif t == 'u64':
        inside += ['store_where(d + i, load(m + i), D_u64.low);',
                   'store_where(d + OG_LANES + i, load(m + i), D_u64.high);']
    else:
        inside.append('store_where(d + i, load(m + i), (words)D_%s);' % t)
    return before, inside, after


def vector_handler(row, shape, nearest=None, usual=None):
    name = identifier(row)
    out = [vector_handler(nearest, shape)] if nearest else []
    out.append('static const struct og_operation *%s_%s(struct og_wave *wave, const struct og_operation *op) {' %
               (name, shape))
    tried = 'numbers' in row.flags or usual
    before, inside, after = strip_loop(row, shape) if 'strips' in row.flags else vector_loop(row, shape, tried)
    if nearest:
        out.append('  if (!(wave->mode & OG_MODE_ROUND_16_64))')
        out.append('    return %s_%s(wave, op);' % (identifier(nearest), shape))
    if 'D' in row.types:
        out += ['  u32 *d = og_lanes_of(wave, op->d);', '  const u32 *m = wave->lanes;']
    if 'OLD' in row.types:
        out.append('  const u32 *old = d;')
    if 'nearest' in row.flags:
        out.append('  OG_ENTER_NEAREST(wave);')
    elif row.types.get('D') == ['f32'] and row.types.get('S0') == ['f64']:
        out.append('  OG_ENTER_FROM_64(wave);')
    elif other_width(row) and not stored_later(row):
        out.append('  OG_ENTER_64(wave);')
    out += ['  ' + line for line in before]
    if tried:
        out += ['  ' + line for line in tried_first(row, shape, inside, usual)]
    alike = row.types.get('D') in (['f16'], ['f32'], ['f64']) or any('fma' in line or 'mad_f32' in line for line in inside)
    out.append('  OG_EACH_STRIP(wave, i) {' if 'strips' in row.flags else '  OG_EACH_LANE_ALIKE(wave, i) {' if alike else
               '  ' + EACH_HALF)
    out += ['    ' + line for line in inside]
    out.append('  }')
    out += ['  ' + line for line in after]
    if 'nearest' in row.flags:
        out.append('  OG_LEAVE_NEAREST(wave);')
    elif other_width(row) or row.types.get('S0') == ['f64']:
        out.append('  OG_LEAVE_64(wave);')
    if row.uses('CO'):
        out.append('  og_write_mask(wave, op, og_pack_mask(co));')
    out += ['  return og_next(op);', '}']
    return '\n'.join(out)


SLOTS = {'V': 'all_vector', 'VV': 'all_vector', 'VVV': 'all_vector', 'SV': 'scalar_0', 'SVV': 'scalar_0',
         'VSV': 'scalar_1', 'VVS': 'scalar_2'}


def main():
    folder, *paths = sys.argv[1:]
    sections = parse([p for p in paths if p.endswith('.sem')])
    rows_of = tables.Tables(os.path.dirname(os.path.abspath(__file__)), [p for p in paths if p.endswith('.isa')])
    commuted = rows_of.commuted()
    rows = sorted(sections['scalar'], key=lambda r: r.name)
    with tables.Output(folder + '/scalar_ops.inc') as out:
        for row in rows:
            out.write(scalar(row) + '\n\n')
        out.write('static const struct og_scalar_row scalar_rows[] = {\n')
        for row in rows:
            detail = 'true' if 'BRANCH' in row.text else 'false'
            dwords = [(max(row.width('D'), row.width('OLD')) + 31) // 32] + [
                (row.width('S%d' % i) + 31) // 32 for i in range(3)]
            signed = 'true' if row.name.endswith('_i64') else 'false'
            out.write('  {OG_ROW_%s, %s, %s, %s, {%s}},\n' % (row.name.upper(), identifier(row), detail, signed,
                                                           ', '.join(map(str, dwords))))
        out.write('};\n')
        write_index(out, 'scalar_of_row', {row.name: number for number, row in enumerate(rows)})

    with tables.Output(folder + '/near_rows.inc') as out:
        for row in sections['scalar'] + sections['vector']:
            if row.near:
                bound = 'not documented' if row.near == 'untold' else row.near.replace('ulp', ' ulp')
                out.write('{OG_ROW_%s, "%s"},\n' % (row.name.upper(), bound))

    rows = sorted((r for r in sections['vector'] if '.' not in r.name), key=lambda r: r.name)
    clamped, nearest, usual, both = ({r.name[:-len(suffix)]: r for r in sections['vector'] if r.name.endswith(suffix)}
                                     for suffix in ('.clamp', '.nearest', '.usual', '.both'))
    with tables.Output(folder + '/vector_ops.inc') as out:
        for row in rows:
            out.write('/* %s: %s */\n' % (row.name, row.text))
            for shape in shapes(row):
                out.write(vector_handler(row, shape, nearest.get(row.name), usual.get(row.name)) + '\n')
            for alone in (clamped.get(row.name), both.get(row.name)):
                if alone:
                    out.write(vector_handler(alone, shapes(alone)[0]) + '\n')
            out.write('\n')
        out.write('const struct og_vector_handlers OG_VARIANT(og_vector_handlers)[] = {\n')
        for row in rows:
            slots = ['.%s = %s_%s' % (SLOTS[s], identifier(row), s) for s in shapes(row)]
            for slot, alone in (('clamped', clamped.get(row.name)), ('both', both.get(row.name))):
                if alone:
                    slots.append('.%s = %s_%s' % (slot, identifier(alone), shapes(alone)[0]))
            out.write('  {%s},\n' % ', '.join(slots))
        out.write('};\n')
    with tables.Output(folder + '/vector_rows.inc') as out:
        out.write('const struct og_vector_row og_vector_rows[] = {\n')
        for row in rows:
            flags = ['OG_VECTOR_' + f.upper() for f in sorted(row.flags - {'nearest', 'numbers', 'strips'})]
            flags += ['OG_VECTOR_COMMUTES'] if commuted.get(row.name) == row.name else []
            flags += ['OG_VECTOR_CARRY_IN'] if row.uses('CI') and 'S2' not in row.types else []
            flags += ['OG_VECTOR_CARRY_OUT'] if row.uses('CO') else []
            flags += ['OG_VECTOR_READS_D'] if 'OLD' in row.types else []
            flags += ['OG_VECTOR_TABLE'] if row.uses('TABLE') else []
            out.write('  {OG_ROW_%s, {%s}, %s, %s},\n' % (
                (row.name if row.name in rows_of.names else 'v_dual_' + row.name[2:]).upper(), ', '.join(row.type_name('S%d' % i) for i in range(3)), row.type_name('D'),
                ' | '.join(flags) or '0'))
        out.write('};\nconst size_t og_vector_row_count = sizeof(og_vector_rows) / sizeof(og_vector_rows[0]);\n')
        write_index(out, 'vector_of_row', of_vector_rows(rows, rows_of), lambda name: re.match('v_cmps?x_', name))
        digits = two_over_pi()
        out.write('const uint32_t og_two_over_pi[] = {%s, 0, 0, 0};\n' % ', '.join('0x%08x' % d for d in digits))


def of_vector_rows(rows, rows_of):
    """{row of the tables: number of its semantics}: of the instruction itself, of v_cmp_ for comparisons that write EXEC or
    signal, and of what each half of a pair does alone, under whichever name it has in a generation."""
    numbers = {row.name: number for number, row in enumerate(rows)}
    spelt = {spelling: name for name, row in rows_of.names.items() for spelling in row.names if spelling}
    out = {}
    for name in rows_of.names:
        like = re.sub(r'^v_(cmpx|cmpsx|cmps)_', 'v_cmp_', name)
        alone = 'v_' + name[len('v_dual_'):] if name.startswith('v_dual_') else like
        number = numbers.get(alone, numbers.get(spelt.get(alone)))
        if number is not None:
            out[name] = number
    return out


def write_index(out, name, numbers, writes_exec=lambda name: False):
    out.write('static const uint16_t %s[OG_ROW_COUNT] = { /* one more than the number; 0: none */\n' % name)
    for row, number in numbers.items():
        out.write('  [OG_ROW_%s] = %s%d,\n' % (row.upper(), 'WRITES_EXEC | ' if writes_exec(row) else '', number + 1))
    out.write('};\n')


def two_over_pi():
    """The first 38 * 32 bits of the fraction of 2/pi, pi by Machin's formula."""
    bits = 38 * 32
    one = 1 << (bits + 64)

    def arctan_inverse(n):
        total, term, k = 0, one // n, 1
        while term:
            total += term // k if k % 4 == 1 else -(term // k)
            term //= n * n
            k += 2
        return total
    pi = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
    value = (2 * one << bits) // pi
    return [value >> (bits - 32 * (i + 1)) & 0xffffffff for i in range(38)]


if __name__ == '__main__':
    main()
