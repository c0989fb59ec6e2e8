"""Forms of LDS and GDS instructions (DS): `vdst, addr, data0, data1 offset gds`."""
from memory import ALWAYS_GDS, TRANSPOSES, Moves, banks, data, describe, result_flags, size_of

# Where an address stands in M0 instead of a register, besides the spaces that have none.
NO_ADDRESS = {'m0_base', 'addtid'}


def expand(form, signature, words):
    moves = Moves(signature)
    registers = [o for o in moves.to + moves.of if o.role != 'addr']
    forms = []
    for bank in banks(form, len(registers)):
        some = form.copy()
        if moves.main:
            write(some, moves, words, bank, len(registers))
        describe(some, moves, True, words)
        some.reads.add('exec')
        if moves.space in ALWAYS_GDS or moves.space == 'lds' and not form.since('900'):
            some.reads.add('m0')
        if moves.space == 'gws':
            some.flags |= {'GWS', 'CONVERGENT', 'LOAD', 'STORE'}
        if moves.space == 'lanes':
            some.flags.add('CONVERGENT')
        if 'async' in words:
            some.counters.add('async')
            some.reads.add('asynccnt')
            some.writes.add('asynccnt')
        if form.since('1250') and moves.operation in TRANSPOSES:
            some.only = 32
        forms.append(some)
    return forms


def write(form, moves, words, bank, count):
    def comma():
        form.put(', ' if form.slots else ' ')

    for operand in moves.to:
        if operand.role != 'addr':
            comma()
            data(form, bank, count, 'VDST', 'vdst', 'wr' if operand.both else 'w', size_of(operand),
                 result_flags(moves))
    if moves.space not in ('gws', 'gs_reg') and not words & NO_ADDRESS:
        comma()
        both = any(o.role == 'addr' for o in moves.to)
        form.slot('VADDR', 'VGPR', 'I32', 'rw' if both else 'r', form.field('addr'), sizes=[1])
    for operand, role, field in zip(moves.of, ('VDATA', 'DATA1'), ('data0', 'data1')):
        comma()
        data(form, bank, count, role, 'gws_data0' if moves.space == 'gws' else field, 'r', size_of(operand))
    if max(len(moves.reads), len(moves.writes)) == 2:
        form.mod('OFFSET0', form.field('offset0'))
        form.mod('OFFSET1', form.field('offset1'))
    else:
        form.mod('OFFSET', form.field('offset'), 'SWIZZLE' if moves.operation == 'swizzle' else 'PLAIN')
    if moves.space in ALWAYS_GDS:
        form.put(' gds')
        form.fix('gds')
    elif moves.operation not in ('permute', 'bvh_stack'):
        form.mod('GDS', form.fmt.fields.get('gds', ()))
