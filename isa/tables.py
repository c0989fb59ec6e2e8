"""Reads the instruction tables into one list of forms per generation."""
import os
import re


class Form:
    pass


def load(folder):
    generations, shapes, forms = {}, {}, None
    for line in open(os.path.join(folder, 'raw.isa')):
        line = line.rstrip('\n')
        if line.startswith('generation '):
            forms = generations.setdefault(line.split()[1], [])
        elif line.startswith('shape '):
            number, rest = line[6:].split('|', 1)
            shapes[number] = rest.split('|')
        else:
            _, name, shape, size, mask, value, wave, literal, defs, uses, flags, kinds = line.split('|', 11)
            f = Form()
            f.mnemonic, f.name = name, re.sub(r'_e(32|64)$', '', name)
            f.row = f.name
            f.format, f.fields, f.operands, f.tied, f.text = shapes[shape]
            f.size, f.mask, f.value = int(size), int(mask, 16), int(value, 16)
            f.wave = {'any': 0, 'w32': 32, 'w64': 64}[wave]
            f.literal = int(literal)
            f.defs, f.uses, f.flags, f.forms = defs, uses, flags, kinds
            forms.append(f)
    return generations
