"""Forms of FLAT, GLOBAL and SCRATCH instructions: `vdst, vaddr, vdata, saddr offset cpol`."""
from memory import NULL, NULL_GFX10, TRANSPOSES, Moves, banks, data, describe, policy, result_flags, returning, size_of

SEGMENTS = {'flat': 0, 'scratch': 1, 'global': 2}
EXEC_HI = 127


def expand(form, signature, words):
    moves = Moves(signature)
    if not moves.main:
        return [bare(form, moves, words)]
    forms = []
    for to_lds in (False, True) if may_go_to_lds(form, moves, words) else (False,):
        for returns in returning(form, moves):
            for only, share in waves(form, moves, words):
                for mode in modes(form, moves, words, to_lds):
                    registers = [] if to_lds else (moves.to if returns else []) + moves.of
                    for bank in banks(form, len(registers), returns and 'returns_to_vgpr' in words):
                        some = form.copy()
                        some.only = only
                        write(some, moves, mode, bank, len(registers), returns, to_lds, share)
                        finish(some, moves, returns, to_lds)
                        forms.append(some)
    return forms


def may_go_to_lds(form, moves, words):
    """Loads of up to a dword had a bit that sent them to LDS, at M0, until rows of their own did."""
    return (form.since('900') and not form.since('11') and not (form.since('942') and not form.since('10.1')) and
            moves.space != 'flat' and moves.to and not moves.atomic and not moves.half and size_of(moves.to[0]) == 1 and
            'addtid' not in words)


def waves(form, moves, words):
    """[(wave size or 0, what its lanes hold is divided by)]: lanes of a wave exchange what they load."""
    if moves.operation in TRANSPOSES:
        return [(32, 1)] if form.since('1250') else [(64, 2), (32, 1)]
    return [(32, 1)] if 'wave32' in words else [(0, 1)]


def modes(form, moves, words, to_lds):
    """[(dwords of vaddr, dwords of saddr)]: how addresses may be told; 0 where one is off."""
    if 'addtid' in words:
        return [(0, 2), (0, 0)]
    if moves.operation == 'tensor_save':
        return [(0, 2)]
    if moves.space == 'flat':
        return [(2, 0), (1, 2)] if form.since('1250') else [(2, 0)]
    if moves.space != 'scratch':
        return [(1, 2), (2, 0)]
    if form.since('11') or form.since('942') and not form.since('10.1'):
        return [(0, 1), (1, 1), (0, 0), (1, 0)]
    none = form.since('10.1') and (to_lds or form.since('10.3'))
    return [(0, 1), (1, 0), (0, 0)] if none else [(0, 1), (1, 0)]


def null(form, moves, mode):
    """The register number that stands for no saddr."""
    if form.since('11'):
        return NULL
    return NULL_GFX10 if form.since('10.1') and (moves.space, mode) != ('scratch', (0, 0)) else EXEC_HI


def takes_any_base(form, moves, mode, to_lds):
    """Whether EXEC and null may be the scalar address (LLVM's register classes): in scratch memory, and mostly where no
    register is loaded or stored at an address of the lane's own."""
    return (moves.space == 'scratch' or not mode[0] or to_lds or moves.with_lds or moves.operation == 'prefetch' or
            moves.space == 'flat' and moves.atomic)


def write(form, moves, mode, bank, count, returns, to_lds, share):
    def comma(word=''):
        form.put((', ' if form.slots or form.program else ' ') + word)

    vaddr, saddr = mode
    if moves.to and returns and not to_lds:
        comma()
        data(form, bank, count, 'VDST', 'vdst', 'wr' if moves.to[0].both else 'w', size_of(moves.to[0]) // share,
             result_flags(moves))
    elif moves.with_lds and moves.writes[0].takes == 'lds' and form.since('12'):
        comma()
        form.slot('VDST', 'VGPR', 'I32', 'r', form.field('vdst'), sizes=[1])  # the address in LDS
    if vaddr:
        comma()
        form.slot('VADDR', 'VGPR', 'I32', 'r', form.field('vaddr'), sizes=[vaddr])
    elif moves.space == 'scratch':
        comma('off')
    if moves.of:
        comma()
        data(form, bank, count, 'VDATA', 'vdata', 'r', size_of(moves.of[0]))
    elif moves.with_lds and moves.reads[0].takes == 'lds':
        comma()
        form.slot('VDATA', 'VGPR', 'I32', 'r', form.field('vdata'), sizes=[1])
    if saddr:
        comma()
        form.slot('SADDR', 'SGPR', 'I32', 'r', form.field('saddr'), sizes=[saddr],
                  flags=[] if takes_any_base(form, moves, mode, to_lds) else ['NO_EXEC', 'NO_NULL'])
    else:
        if moves.space != 'flat':
            comma('off')
        if moves.space != 'flat' or form.since('10.1'):
            form.fix('saddr', null(form, moves, mode))
    if 'seg' in form.fmt.fields:
        form.fix('seg', SEGMENTS.get(moves.space, SEGMENTS['global']))
    if moves.space == 'scratch' and vaddr and 'sve' in form.fmt.fields:
        form.fix('sve')
    signed = form.since('12') or moves.space != 'flat'
    form.mod('OFFSET', form.fmt.fields.get('offset', ()), 'SIGNED' if signed else 'PLAIN')
    policy(form, moves, returns, drop=[4] if no_scc(form, moves, bank) else [])
    if to_lds:
        form.put(' lds')
        form.fix('lds')


def no_scc(form, moves, bank):
    """The atomics of floats came without the bit scc; gfx942 gave it to them, but where AccVGPRs take a double."""
    if not moves.atomic or not moves.is_float or not form.since('908') or form.since('10.1'):
        return False
    return not form.since('942') or bank == 'AGPR' and moves.main.type == 'f64'


def bare(form, moves, words):
    """Caches, and the end of tensors' transfers: all that they take is a cache policy."""
    form.fix('seg', SEGMENTS['global'])
    form.fix('saddr', NULL)
    if 'tensor' in words:
        form.put(' ')  # LLVM prints another there
    policy(form, moves, False)
    describe(form, moves, not words & {'writes_back', 'tensor'})
    form.reads.add('exec')
    return form


def finish(form, moves, returns, to_lds):
    describe(form, moves, returns or moves.with_lds, to_lds=to_lds)
    form.reads.add('exec')
    if moves.space in ('flat', 'scratch'):
        form.reads.add('flat_scratch')
    if moves.space == 'flat' and not form.since('900'):
        form.reads.add('m0')  # the bound of LDS (AMDGPU backend guide, "M0")
    if to_lds or moves.with_lds and not form.since('12'):
        form.reads.add('m0')  # where in LDS
    if moves.with_lds and form.since('12'):
        form.reads.add('asynccnt')
        form.writes.add('asynccnt')
