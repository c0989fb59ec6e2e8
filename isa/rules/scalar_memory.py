"""Forms of scalar memory instructions (SMRD, SMEM): `sdata, sbase, offset cpol`."""
from form import IMMEDIATES
from memory import NULL, NULL_GFX10, Moves, bit_of, describe, policy, returning, size_of


def expand(form, signature, words):
    moves = Moves(signature)
    if not moves.main:
        return [bare(form, moves)]
    forms = []
    for mode in modes(form, moves):
        for returns in returning(form, moves):
            some = form.copy()
            write(some, moves, mode, returns, words)
            describe(some, moves, True)
            if moves.space == 'scratch':
                some.reads.add('flat_scratch')
            if moves.operation:
                some.flags.add('SIDE_EFFECTS')
            forms.append(some)
    return forms


def bare(form, moves):
    """Without memory: caches, and clocks that the memory unit reads."""
    for operand in moves.to:
        form.put(' ')
        form.slot('SDST', 'SGPR', 'I32', 'w', form.field('sdst'), sizes=[size_of(operand)])
    describe(form, moves, True)
    form.flags.add('SIDE_EFFECTS')
    return form


def modes(form, moves):
    """How offsets may be told: a register, a constant (gfx7: also as a literal), both. gfx9 has two encodings of a
    register without a constant."""
    if moves.operation == 'prefetch':
        return ['both']
    if form.encoding == 'smrd':
        return ['register', 'constant', 'literal'] if form.since('7') else ['register', 'constant']
    if form.since('12'):
        return ['both', 'constant']
    if form.since('10.1'):
        return ['both', 'register', 'constant']
    return ['alone', 'constant', 'both', 'register'] if form.since('900') else ['register', 'constant']


def write(form, moves, mode, returns, words):
    def comma():
        form.put(', ' if form.slots else ' ')

    def base():
        if 'pc_rel' not in words:
            comma()
            form.slot('SBASE', 'SGPR', 'I32', 'r', form.field('sbase'), sizes=[4 if moves.space == 'buffer' else 2])

    select(form, mode)
    pieces, signed = form.field('literal' if mode == 'literal' else 'offset'), form.since('900')
    if form.since('12') and moves.space == 'buffer':
        (at, width, to), signed = pieces[0], False  # 23 bits, the 24th is the sign
        pieces = [(at, width - 1, to)]
        form.must |= 1 << at + width - 1
    flags = ['SIGNED'] if signed else []
    if moves.operation == 'prefetch':
        base()
        comma()
        form.slot('OFFSET', 'OFFSET', 'I32', 'r', pieces, flags=flags)
        comma()
        form.slot('SOFFSET', 'SGPR', 'I32', 'r', form.field('soffset'), sizes=[1])
        comma()
        immediate(form, moves)
        return
    if moves.operation == 'probe':
        comma()
        immediate(form, moves)
    elif returns:
        comma()
        form.slot('SDST', 'SGPR', 'I32', 'rw' if moves.atomic else 'w', form.field('sdst'),
                  sizes=[size_of((moves.of if moves.atomic else moves.to)[0])])
    elif moves.of:
        comma()
        form.slot('SDATA', 'SGPR', 'I32', 'r', form.field('sdata'), sizes=[size_of(moves.of[0])])
    base()
    comma()
    if mode in ('constant', 'literal'):
        form.slot('OFFSET', 'OFFSET', 'I32', 'r', pieces, flags=flags)
    else:
        field = 'soffset_alone' if mode == 'alone' else 'soffset'
        form.slot('SOFFSET', 'SGPR', 'I32', 'r', form.field(field), sizes=[1])
    if mode == 'both':
        form.mod('OFFSET', pieces, 'SIGNED' if signed else 'PLAIN')
    if moves.operation == 'discard' or form.since('12') and moves.operation == 'probe':
        return
    if form.encoding == 'smrd' or moves.operation == 'probe':
        form.mod('CPOL')  # that stands nowhere
    else:
        policy(form, moves, returns)
        if moves.atomic:
            form.must |= bit_of(form.field('cpol'), 0)


def immediate(form, moves):
    """A number of fewer bits than the register whose place it takes."""
    form.fix('sdst', 0, held=True)
    form.slot('SDATA', IMMEDIATES[moves.of[0].type], 'I32', 'r', form.field('sdata'))
    form.must &= ~form.covered


def select(form, mode):
    """The bits that tell how the offset is given."""
    if form.encoding == 'smrd':
        if mode == 'literal':
            form.fix('offset', 0xff, held=True)
            form.size = 64
        else:
            form.fix('imm', mode == 'constant')
    elif not form.since('10.1'):
        form.fix('imm', mode in ('constant', 'both'))
        if form.since('900') and mode != 'constant':
            form.fix('soe', mode != 'alone', held=True)
    elif mode == 'constant':
        form.fix('soffset', NULL if form.since('11') else NULL_GFX10, held=True)
    elif mode == 'register':
        form.fix('offset', 0, held=True)
