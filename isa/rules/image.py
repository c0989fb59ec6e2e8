"""Forms of image instructions (MIMG, VIMAGE, VSAMPLE), rays among them, and of tensor instructions.

A row says by words which addresses it needs beside the coordinates; how many registers they take follows, from one
dimension with addresses of 16 bits to three dimensions with addresses of 32."""
from form import dwords
from memory import NULL, Memory

FAMILIES = ('image', 'image_sample', 'image_msaa', 'image_ray', 'tensor')
MODIFIERS = ('dmask', 'dim', 'unorm', 'cpol', 'r128', 'a16', 'tfe', 'lwe', 'da', 'd16')
FLAGS = {'load': {'LOAD'}, 'store': {'STORE'}, 'atomic': {'ATOMIC', 'LOAD', 'STORE'}, 'query': set()}
# Counters of gfx10 and later, by what is done: while something comes back, while something is written.
COUNTERS = {'load': ('reads',), 'query': ('reads',), 'store': ('writes',), 'atomic': ('reads', 'writes')}
SPECIAL = {'image_sample': 'sample', 'image_msaa': 'sample', 'image_ray': 'bvh'}  # from gfx12 on
# What stands in an address beside the coordinates (enum og_address).
ADDRESS = {'offset', 'bias', 'compare', 'derivatives', 'g16', 'lod', 'mip', 'clamp', 'no-coordinates', 'zero', 'gather',
           'horizontal'}
RAY_BITS = (('dmask', 0xf), ('unorm', 1), ('r128', 1))  # what rays have in fields of other images


def expand(form, signature, words):
    if form.family == 'tensor':
        return tensor(form, signature)
    form.reads.add('exec')
    form.address = words & ADDRESS
    if form.family == 'image_msaa':
        form.traits.add('msaa')
    effects(form, signature, words)
    if form.family == 'image_ray':
        return rays(form, signature)
    least, most = addresses(form, words)
    # From gfx10 on a sample may leave out its data: it only warms the caches.
    may_leave_out = form.family == 'image_sample' and form.memory and 'gather' not in words and form.since('10.1')
    forms = []
    for size, layouts in layouts_of(form, least, most):
        for data in (True, False) if may_leave_out else (True,):
            for layout in layouts:
                some = form.copy()
                some.size = size
                one(some, signature, words, layout, data)
                if form.since('12'):  # addresses that a dimension leaves out may be anything
                    for index in range(len(layout), min(most, 4)):
                        (at, width, _), = some.field('vaddr%d' % index)
                        some.loose |= (1 << width) - 1 << at
                forms.append(some)
    return forms


# -- what it does to memory -----------------------------------------------------------------------------------------


def effects(form, signature, words):
    """An image atomic raises `vm` (from gfx12 on `load`) where it returns, `vs` (`store`) where not, as a bit of the
    cache policy says: both are told. On gfx6 what writes raises `exp` too, until its data are read."""
    operand = next((o for o in signature.sources + signature.results if o.takes == 'image'), None)
    access = ('query' if not operand else 'store' if operand in signature.results else
              'atomic' if operand.operation else 'load')
    if operand:
        form.memory = Memory('image', access, 'signed' if 'signed' in words else operand.type, None, 4, 1, 1, operand.operation, None, False, False)
    form.flags |= FLAGS[access]
    if 'gather' in words or form.family == 'image_msaa' and form.since('11'):
        form.flags.add('GATHER4')  # four data, however many dmask names
    if form.since('12'):
        names = {'reads': SPECIAL.get(form.family, 'load'), 'writes': 'store'}
    elif form.since('10.1'):
        names = {'reads': 'vm', 'writes': 'vs'}
    else:
        form.counters.add('vm')
        names = {'writes': 'vm' if form.since('7') else 'exp', 'reads': 'vm'}
    form.counters |= {names[what] for what in COUNTERS[access]}


# -- addresses ------------------------------------------------------------------------------------------------------


def addresses(form, words):
    """The least and most registers of addresses."""
    if form.family != 'image_sample':
        return 1, 4
    before = len(words & {'compare', 'bias', 'offset'})
    behind = len(words & {'lod', 'clamp'})
    slopes = 'derivatives' in words
    return before + slopes + 1, before + slopes * (4 if 'g16' in words else 6) + 3 + behind


def layouts_of(form, least, most):
    """[(size of the form, [sizes of each register or run of registers])]: one run; from gfx10 on also registers apart,
    of which from gfx11 on the last may be a run; from gfx12 on only those."""
    whole = (64, [[run(least, most)]])
    if not form.since('10.1'):
        return [whole]
    if form.since('12'):
        return [(96, apart(least, most, 4))]
    if form.since('11'):
        return [whole, (96, apart(max(2, least), most, 5))]
    groups = {}
    for layout in apart(max(2, least), most, 13):
        groups.setdefault(64 + 32 * further_dwords(layout), []).append(layout)
    return [whole] + list(groups.items())


def run(least, most):
    """Sizes of a run of registers; older compilers take as many as there are tuples of: 4 for 3, 8 for 5 to 7."""
    return list(range(least, most + 1)) + [4] * (most == 3) + [8] * (5 <= most <= 7)


def apart(least, most, places):
    """Layouts of addresses in registers of their own; the last of all places holds what is left."""
    return [[[1]] * (count - 1) + [list(range(1, most - places + 2)) if count == places else [1]]
            for count in range(least, min(most, places) + 1)]


def further_dwords(layout):
    """How many dwords hold the addresses behind the first, four in each."""
    return (len(layout) + 2) // 4


def address_slots(form, layout, access=None):
    form.put(', [' if len(layout) > 1 else ', ')
    for index, sizes in enumerate(layout):
        form.put(', ' if index else '')
        field = 'vaddr%d' % index if 'vaddr0' in form.fmt.fields else 'vaddr'
        form.slot('VADDR%d' % index if index else 'VADDR', 'VGPR', 'B32', access[index] if access else 'r',
                  form.field(field), sizes=sizes)
    if len(layout) > 1:
        form.put(']')
    if 'nsa' in form.fmt.fields:
        form.fixed |= (form.size - 64) // 32 << form.field('nsa')[0][0]


# -- one form -------------------------------------------------------------------------------------------------------


def one(form, signature, words, layout, data):
    """A form with given registers of addresses, with or without data."""
    sampled = form.family == 'image_sample'
    if sampled and len(layout) > 1 and not form.since('12') and (data or not form.since('11')):
        form.put(' ')  # LLVM prints another there
    form.put(' ')
    if data:
        texels = next((o for o in signature.results if o.takes != 'image'), None)
        field = form.field('vdata')
        form.slot('VDATA', 'VGPR_AGPR' if any(to == 9 for _, _, to in field) else 'VGPR', 'B32',
                  'w' + 'r' * texels.both if texels else 'r', field, sizes=data_sizes(form, words))
    else:
        form.put('off')
        form.assemble_only = True
    address_slots(form, layout)
    form.put(', ')
    scalar(form, 'SRSRC', 8)
    if sampled:
        form.put(', ')
        scalar(form, 'SSAMP', 4)
    converted = any(o.type == 'texel' for o in signature.results + signature.sources)
    for name in MODIFIERS:
        if name in form.fmt.fields and (name != 'd16' or converted):
            form.mod(name.upper(), form.field(name))


def scalar(form, role, size):
    """A descriptor: of the image or of its sampler."""
    name = role.lower() if role.lower() in form.fmt.fields else role.lower()[1:]
    form.slot(role, 'SGPR', 'B32', 'r', form.field(name), sizes=[size])


def data_sizes(form, words):
    """Registers of data: the components of dmask, or an atomic's one or two, and as many to compare with; one more for
    tfe."""
    if 'gather' in words:
        return [2, 4, 5]
    operation = form.memory and form.memory.operation
    if operation:
        sizes = [2, 4] if operation == 'cmpswap' else [1, 2]
    else:
        sizes = [4, 2] if 'GATHER4' in form.flags else [1, 2, 3, 4]
    return sizes + [s + 1 for s in sizes]


# -- rays and tensors -----------------------------------------------------------------------------------------------


def rays(form, signature):
    """Addresses are parts of a ray; on gfx10 those apart take a register for each dword. With a16 the direction and its
    inverse lie together in one vector."""
    parts = [o for o in signature.sources if o.takes != 'image']
    short = [o for o in parts if o.role != 'inverse']
    form.address = {'ray'} | ({'node64'} if dwords(parts[0].type) == 2 else set())
    forms = []
    for a16, given in ((0, parts), (1, short)) if short != parts else ((0, parts),):
        sizes = [dwords(o.type) for o in given]
        separate = [[s] for s in sizes] if form.since('11') else [[1]] * sum(sizes)
        for layout in (separate,) if form.since('12') else ([[sum(sizes)]], separate):
            some = form.copy()
            some.size = (96 if form.since('12') else 64 if len(layout) == 1 else 96 if form.since('11') else
                         64 + 32 * further_dwords(layout))
            some.put(' ')
            some.slot('VDATA', 'VGPR', 'B32', 'w', some.field('vdata'), sizes=[dwords(signature.results[0].type)])
            address_slots(some, layout, ['r' + 'w' * o.both for o in given] if form.since('11') else None)
            some.put(', ')
            scalar(some, 'SRSRC', 4)
            for name, value in RAY_BITS:
                if name in some.fmt.fields:
                    some.fixed |= value << some.field(name)[0][0]
            if short != parts:
                at = some.field('a16')[0][0]
                some.fixed |= a16 << at
                some.mod('A16', some.field('a16'))
                some.covered &= ~(1 << at)  # it stands in the text, but each of the forms has its own
            forms.append(some)
    return forms


def tensor(form, signature):
    """Between LDS and memory, as descriptors in scalar registers say; the last two may be left out."""
    memory = signature.sources[0]
    groups = signature.sources[1:]
    form.flags |= {'LOAD', 'STORE'}
    form.counters |= {'tensor', 'x'}
    access = 'load' if memory.takes == 'global' else 'store'
    form.traits |= {'from-lds'} if access == 'store' else set()
    form.memory = Memory('global', access, 'tensor', None, 1, 1, 1, None, None, True, False)
    forms = []
    for count in (len(groups), 2):
        some = form.copy()
        for index, operand in enumerate(groups):
            field = some.field('vaddr%d' % index)
            if index >= count:
                some.fixed |= NULL << field[0][0]
                continue
            some.put(', ' if index else ' ')
            some.slot('VADDR%d' % index if index else 'VADDR', 'SGPR', 'B32', 'r', field, sizes=[dwords(operand.type)])
        some.mod('R128', some.field('r128'))
        some.mod('CPOL', some.field('cpol'))
        forms.append(some)
    return forms
