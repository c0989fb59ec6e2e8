"""How many registers the operands of an image, and of a matrix of small floats, need by the modifiers beside them."""
import re

DIM = ['1D', '2D', '3D', 'CUBE', '1D_ARRAY', '2D_ARRAY', '2D_MSAA', '2D_MSAA_ARRAY']
COORDINATES, GRADIENTS = (1, 2, 3, 3, 2, 3, 3, 4), (2, 4, 6, 4, 2, 4, 4, 4)
IMAGES = ('MIMG', 'VIMAGE', 'VSAMPLE')
SMALL_FLOATS = ['MATRIX_FMT_' + name for name in ('FP8', 'BF8', 'FP6', 'BF6', 'FP4')]
DWORDS = [8, 8, 6, 6, 4, 8, 8, 8]  # of a matrix, by its format


def has(form, mod):
    return any(name == mod for name, _, _ in form.shape.mods)


def address_words(name, dim, a16):
    parts, sampled = name.split('_')[1:], re.match('image_(sample|gather4)', name)
    count = 0 if name == 'image_get_resinfo' else COORDINATES[dim]
    count += len([p for p in parts if p in ('mip', 'resinfo') or sampled and p in ('l', 'cl')])
    count = (count + 1) // 2 if a16 else count
    count += len([p for p in parts if sampled and p in ('c', 'b', 'o')])
    if sampled and ('d' in parts or 'cd' in parts):
        count += (GRADIENTS[dim] // 2 + 1) // 2 * 2 if 'g16' in parts else GRADIENTS[dim]
    return count


def image(writer, form):
    """Modifiers for which the form has the right number of addresses, and the size of the last of them."""
    places = [s for s in form.shape.slots if re.fullmatch(r'VADDR\d*', s['role'])]
    dimensioned = form.format.startswith(IMAGES) and has(form, 'DIM')
    if writer.major < 10 or not dimensioned or not places or writer.chance(0.15):
        return {}, {}
    for _ in range(40):
        dim, a16 = writer.rng.randrange(8), writer.chance(0.25)
        last = address_words(form.name, dim, a16) - sum(s['sizes'][0] for s in places[:-1])
        if last in places[-1]['sizes']:
            break
    wanted = {'A16': 'a16' if a16 else ''} if has(form, 'A16') else {}
    wanted['DIM'] = 'dim:%s%s' % (writer.rng.choice(['', 'SQ_RSRC_IMG_']), DIM[dim])
    return wanted, {places[-1]['role']: last}


def fitting(form, tail, major, addresses):
    """Dwords by role."""
    given = dict(m.split(':')[:2] for m in tail if re.fullmatch(r'(dmask|cbsz|blgp|matrix_[ab]_fmt):\w+', m))
    number = {m: int(n, 0) for m, n in given.items() if re.fullmatch(r'0x[0-9a-f]+|\d+', n)}
    if form.format.startswith(IMAGES) and has(form, 'DMASK'):
        components = 4 if 'gather4' in form.name else max(bin(number.get('dmask', 0) & 15).count('1'), 1)
        packed = 'd16' in tail and major >= 9
        return dict(addresses, VDATA=((components + 1) // 2 if packed else components) + ('tfe' in tail))
    if form.name.startswith('v_wmma') and 'f8f6f4' in form.name:
        formats = [given.get('matrix_%s_fmt' % m) for m in 'ab']
        formats = [SMALL_FLOATS.index(f) if f in SMALL_FLOATS else number.get('matrix_%s_fmt' % m, 0) & 7
                   for m, f in zip('ab', formats)]
        return {'SRC0': 2 * DWORDS[formats[0]], 'SRC1': 2 * DWORDS[formats[1]]}
    if form.name.startswith('v_mfma') and 'f8f6f4' in form.name:
        return {'SRC0': DWORDS[number.get('cbsz', 0) & 7], 'SRC1': DWORDS[number.get('blgp', 0) & 7]}
    return {}
