"""The forms that the instruction tables make, as the comparing scripts walk over them."""
import os
import sys
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, 'isa'), os.path.join(ROOT, 'isa/rules')]
import expand  # noqa: E402
import tables  # noqa: E402

TABLES = tables.Tables(os.path.join(ROOT, 'isa'))
MADE = {}


def index_of(generation):
    """By the name of isa/generations.isa behind `gfx`."""
    return TABLES.generations.index(generation[3:])


def of(generation):
    """[form] of a generation, with its shape's slots and modifiers as dictionaries and tuples."""
    if generation not in MADE:
        MADE[generation] = [described(f) for f in expand.forms_of(TABLES, index_of(generation))]
    return MADE[generation]


def described(form):
    form.format = form.encoding.upper()
    slots = [dict(role=s.role, takes=s.takes, type=s.type, flags='|'.join(sorted(s.flags)), sizes=list(s.dwords),
                  pieces=s.pieces, modifiers=s.modifiers) for s in form.slots]
    form.shape = types.SimpleNamespace(slots=slots, mods=[tuple(m) for m in form.mods], program=form.program)
    return form


def aliases(generation):
    """{other name: name}"""
    index = index_of(generation)
    return {other: name for first, end, pairs in TABLES.aliases if first <= index < end for other, name in pairs}


def features():
    return list(TABLES.features)


def names():
    """Every mnemonic of any generation."""
    return sorted({f.name for g in TABLES.generations for f in of('gfx' + g)})
