"""How decoding finds the form of a word: buckets by bits 31..23, each with a window of bits that tells its forms
apart, and lists of candidates, the most exact first."""
import collections

WINDOWS = [(at, width) for at in (8, 9, 13, 14, 15, 16, 17, 18) for width in range(4, 11) if at + width <= 23]
END = 0xffff


def matches(form, at, width):
    """The values that `width` bits from `at` have in encodings of a form."""
    mask, value = form.mask >> at & (1 << width) - 1, form.value >> at & (1 << width) - 1
    out = [value & mask]
    for bit in range(width):
        if not mask >> bit & 1:
            out += [v | 1 << bit for v in out]
    return out


def chosen_forms(forms):
    """Of forms with the same fixed bits and needs one: images have the one with most addresses; what is there for the
    assembler alone is left out."""
    out = {}
    for i, form in enumerate(forms):
        if form.assemble_only:
            continue
        key = (form.mask, form.value, form.only, form.half, frozenset(form.needs))
        image = form.encoding in ('mimg', 'vimage', 'vsample')
        if image and key in out and len(form.slots) + len(form.mods) < len(forms[out[key]].slots) + len(
                forms[out[key]].mods):
            continue
        if key not in out or image or form.half:
            out[key] = i
    return list(out.values())


def dispatch(forms):
    buckets, entries, lists, list_at = [], [], [END], {(): 0}
    halves = {(f.name, f.encoding, f.only): bin(f.mask).count('1') for f in forms if f.half}

    def exactness(i):  # a form of whole registers stands behind the one with halves
        f, bits = forms[i], bin(forms[i].mask).count('1')
        return bits if f.half else min(bits, halves.get((f.name, f.encoding, f.only), 999) - 0.5)
    by_bucket = collections.defaultdict(list)
    for i in sorted(chosen_forms(forms), key=lambda i: -exactness(i)):
        for v in matches(forms[i], 23, 9):
            by_bucket[v].append(i)
    for bucket in range(512):
        members = by_bucket[bucket]
        at, width = best_window(forms, members) if len(members) > 3 else (0, 0)
        buckets.append((len(entries), at, width))
        chosen = [[] for _ in range(1 << width)]
        for i in members:
            for v in matches(forms[i], at, width):
                chosen[v].append(i)
        for candidates in map(tuple, chosen):
            if candidates not in list_at:
                list_at[candidates] = len(lists)
                lists.extend(candidates)
                lists.append(END)
            entries.append(list_at[candidates])
    return buckets, entries, lists


def best_window(forms, members):
    """The window whose lists are shortest, its table's own size counted too."""
    masks = collections.Counter(forms[i].mask & 0x7fffff for i in members)

    def cost(window):
        at, width = window
        bits = (1 << width) - 1 << at
        total = sum(n << bin(bits & ~mask).count('1') for mask, n in masks.items())
        return total / (1 << width) + (1 << width) / 256.0
    return min(WINDOWS, key=cost)
