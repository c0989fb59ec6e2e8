"""Forms of buffer instructions (MUBUF, MTBUF, VBUFFER): `vdata, vaddr, srsrc, soffset offen offset cpol`."""
from memory import COMPONENTS, Moves, banks, bit_of, data, describe, policy, returning, size_of

# How addresses are told: dwords of vaddr, words, fields.
MODES = {'off': (0, '', ()), 'offen': (1, ' offen', ('offen',)), 'idxen': (1, ' idxen', ('idxen',)),
         'both': (2, ' idxen offen', ('idxen', 'offen')), 'addr64': (2, ' addr64', ('addr64',))}


def expand(form, signature, words):
    moves = Moves(signature)
    if not moves.main:
        return [bare(form, moves, words)]
    if moves.with_lds:
        return [from_lds(form, moves)]
    forms = []
    for only in packings(form, moves):
        for variant in variants(form, moves):
            for mode in ['off', 'offen', 'idxen', 'both'] + ['addr64'] * (not form.since('8')):
                some = form.copy()
                some.only = only
                write(some, moves, mode, variant, only == 'unpacked')
                describe(some, moves, variant == 'returns' or not moves.atomic and bool(moves.reads),
                         to_lds=variant == 'lds')
                some.reads |= {'exec', 'm0'} if variant == 'lds' else {'exec'}
                forms.append(some)
    return forms


def packings(form, moves):
    """gfx8 has chips that keep 16-bit components in a register each, and chips that pack them."""
    several = COMPONENTS.get(moves.main.type, 1) > 1 and any(o.takes == 'd16' for o in moves.to + moves.of)
    return ['unpacked', 'packed'] if several and form.since('8') and not form.since('900') else [0]


def variants(form, moves):
    if moves.atomic:
        return ['returns' if r else 'plain' for r in returning(form, moves)]
    if moves.space == 'typed':
        return ['plain']
    out = ['plain']
    if may_go_to_lds(form, moves):
        out.append('lds')
    if not form.since('90a') or form.since('10.1'):
        out.append('tfe')
    return out


def may_go_to_lds(form, moves):
    """Loads of a dword may go to LDS, at M0, until gfx11; gfx950 adds longer ones."""
    if not moves.to or moves.half or form.since('11') or any(o.takes == 'd16' for o in moves.to):
        return False
    longest = form.since('950') and not form.since('10.1') and moves.main.type in ('b96', 'b128')
    return longest or size_of(moves.to[0]) == 1


def write(form, moves, mode, variant, unpacked):
    def comma(word=''):
        form.put((', ' if form.slots else ' ') + word)

    vaddr, text, fields = MODES[mode]
    if variant != 'lds':
        registers = (moves.of or moves.to)[0]
        both = variant == 'returns' or registers.both
        access = 'wr' if both else 'r' if moves.of else 'w'
        size = size_of(registers, moves, unpacked) + (variant == 'tfe')
        comma()
        data(form, banks(form, 1)[0], 1, 'VDATA', 'vdata', access, size)
    if vaddr:
        comma()
        form.slot('VADDR', 'VGPR', 'I32', 'r', form.field('vaddr'), sizes=[vaddr])
    else:
        comma('off')
    resource(form)
    if moves.space == 'typed':
        form.mod('FORMAT', form.field('format'))
    elif 'format' in form.fmt.fields:
        form.fix('format', 1)
    if text:
        form.put(text)
    for field in fields + ((variant,) if variant in ('tfe', 'lds') else ()):
        form.fix(field)
    form.mod('OFFSET', form.field('offset'))
    drop = [4] if no_scc(form, moves, unpacked) else []
    if moves.atomic and not form.since('11'):
        drop.append(2)  # gfx10 has no dlc for atomics of buffers
    policy(form, moves, variant == 'returns', drop)
    if variant in ('tfe', 'lds'):
        form.put(' ' + variant)


def resource(form):
    form.put(', ' if form.slots or form.program else ' ')
    form.slot('SRSRC', 'SGPR', 'I32', 'r', form.field('srsrc'), sizes=[4])
    form.put(', ')
    form.slot('SOFFSET', 'SGPR' if form.since('12') else 'SGPR_INLINE', 'I32', 'r', form.field('soffset'), sizes=[1])


def no_scc(form, moves, unpacked):
    """The atomics of floats came to gfx90a without the bit scc, as gfx8's 16-bit components that are not packed."""
    if moves.atomic:
        return form.since('90a') and not form.since('942') and moves.is_float
    return form.since('8') and not form.since('900') and (
        unpacked or any(o.takes == 'd16' for o in moves.to + moves.of) and COMPONENTS[moves.main.type] == 1)


def bare(form, moves, words):
    """Caches: all that they take is a cache policy, which gfx90a does not print."""
    if 'policy' in words:
        form.mod('CPOL', [p for p in form.field('cpol') if p[2] != 1], shown=form.since('942'))
    else:
        form.must |= bit_of(form.field('cpol'), 4)  # scc
    describe(form, moves, True)
    form.reads.add('exec')
    return form


def from_lds(form, moves):
    """A dword from LDS, at M0, to memory."""
    resource(form)
    form.mod('OFFSET', form.field('offset'))
    form.put(' lds')
    form.fix('lds')
    policy(form, moves, False)
    describe(form, moves, False)
    form.reads |= {'exec', 'm0'}
    return form
