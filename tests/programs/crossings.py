#!/usr/bin/env python3
"""Lanes that read other lanes, and elements looked up in tables of registers: in kernels of their own, with some lanes off, against
what the manuals say, told here once more. Processors with -w64 run waves of 64 lanes."""
import instructions
from instructions import Case, any_bits

OLD = 0x5a5a5a5a  # what the result's register had
CHOICES = (0x13579bdf, 0xfdb97531), (0x76543210, 0xfedcba98), (0, 0), (0x00f0a5c3, 0x81e7d2b4)


def with_lanes_off(text, wave, mask):
    """The instruction with EXEC's lanes as `mask` says."""
    parts = [("exec_lo", mask & 0xffffffff)] + ([("exec_hi", mask >> 32)] if wave == 64 else [])
    return "\n".join([f"s_mov_b32 {part}, {value:#x}" for part, value in parts] + [text] +
                     [f"s_mov_b32 {part}, -1" for part, _ in parts])


def masks(wave):
    return [(1 << wave) - 1, 0x0f53c0ff9ab3e71d & (1 << wave) - 1]


# ---- rows of 16 lanes (RDNA1 to RDNA4, V_PERMLANE16_B32 and its kin) ---------------------------------------------------

def row_permutes(processor, wave):
    """A nibble chooses the lane of the own row, or of the row beside it. op_sel: bit 0 fetches from lanes that are off, bit 1 puts
    0 where nothing is fetched."""
    def taken(lanes, lane, choice, other, mask, fetch, bound):
        source = (lane & ~15) ^ other | choice
        if not mask >> lane & 1:
            return OLD
        if not fetch and not mask >> source & 1:
            return 0 if bound else OLD
        return lanes[source][0]

    out = []
    new = processor.startswith("gfx12")
    for name, other in ("v_permlane16", 0), ("v_permlanex16", 16):
        for number, mask in enumerate(masks(wave)):
            for fetch, bound in (0, 0), (1, 0), (0, 1), (1, 1):
                modifiers = f" op_sel:[{fetch},{bound}]"
                low, high = CHOICES[fetch + 2 * bound]
                if not processor.startswith("gfx125"):
                    text = f"s_mov_b32 s20, {low:#x}\ns_mov_b32 s21, {high:#x}\n" + \
                        with_lanes_off(f"{name}_b32 {{d}}, {{0}}, s20, s21{modifiers}", wave, mask)
                    out.append(Case(f"{name}_b32 {number} {modifiers}", text, [1], 1, any_bits,
                                    lambda lanes, other=other, mask=mask, fetch=fetch, bound=bound, table=high << 32 | low:
                                    [taken(lanes, n, table >> 4 * (n % 16) & 15, other, mask, fetch, bound)
                                     for n in range(len(lanes))], lane=False))
                if new:
                    out.append(Case(f"{name}_var_b32 {number} {modifiers}",
                                    with_lanes_off(f"{name}_var_b32 {{d}}, {{0}}, {{1}}{modifiers}", wave, mask), [1, 1], 1, any_bits,
                                    lambda lanes, other=other, mask=mask, fetch=fetch, bound=bound:
                                    [taken(lanes, n, lanes[n][1] & 15, other, mask, fetch, bound) for n in range(len(lanes))],
                                    lane=False))
    return out


def half_waves(wave):
    """V_PERMLANE64_B32: the other half of the wave, whatever EXEC says of it; in waves of 32 lanes nothing happens (RDNA3, 16.8)."""
    return [Case(f"v_permlane64_b32 {number}", with_lanes_off("v_permlane64_b32 {d}, {0}", wave, mask), [1], 1, any_bits,
                 lambda lanes, mask=mask: [lanes[n ^ 32][0] if wave == 64 and mask >> n & 1 else OLD for n in range(len(lanes))],
                 lane=False) for number, mask in enumerate(masks(wave))]


# ---- groups of lanes (CDNA5, 15.14) ----------------------------------------------------------------------------------

GROUPS = [(1, 32), (5, 8), (3, 4), (0, 16), (31, 32), (2, 2), (7, 16), (9, 8), (1, 1)]


def group_permutes():
    """Within groups of so many lanes each one reads the lane of a number, the one so far below or above it, or that whose number
    differs in these bits; its own, where that is not in the group."""
    def chosen(kind, n, by, width):
        base = n // width * width
        if kind == "bcast":
            return base + by % width
        other = {"up": n - by, "down": n + by, "xor": n ^ by}[kind]
        if kind == "xor":  # a group further down may be read, none further up
            return other if other < base + width else n
        return other if base <= other < base + width else n

    out = []
    for kind in "bcast", "up", "down", "xor":
        for number, (by, width) in enumerate(GROUPS):
            mask = masks(32)[number % 2]
            text = f"s_mov_b32 s20, {by}\ns_mov_b32 s21, {width}\n" + \
                with_lanes_off(f"v_permlane_{kind}_b32 {{d}}, {{0}}, s20, s21", 32, mask)
            out.append(Case(f"v_permlane_{kind}_b32 {by} {width}", text, [1], 1, any_bits,
                            lambda lanes, kind=kind, by=by, width=width, mask=mask:
                            [lanes[chosen(kind, n, by, width)][0] if mask >> n & 1 else OLD for n in range(len(lanes))], lane=False))
    for width in 1, 2, 8, 32:
        out.append(Case(f"v_permlane_idx_gen_b32 {width}", f"s_mov_b32 s20, {width}\nv_permlane_idx_gen_b32 {{d}}, {{0}}, s20", [1], 1,
                        any_bits, lambda lanes, width=width: [4 * (n // width * width + lane[0] % width)
                                                              for n, lane in enumerate(lanes)], lane=False))
    return out


# ---- tables (CDNA5, V_PERM_PK16_*) -----------------------------------------------------------------------------------

def tables():
    """Sixteen elements, the upper ones in the first source; a nibble for each of sixteen results chooses."""
    out = []
    for width, high, low in (4, 1, 1), (6, 1, 2), (8, 2, 2):
        def reference(first, second, indices, width=width, low=low):
            table, mask = second | first << 32 * low, (1 << width) - 1
            return sum((table >> width * (indices >> 4 * n & 15) & mask) << width * n for n in range(16))
        name = f"v_perm_pk16_b{width}_u4"
        out.append(Case(name, f"{name} {{d}}, {{0}}, {{1}}, {{2}}", [high, low, 2], width // 2, any_bits, reference))
        constants = "s[20:21]" if high == 2 else "s20"
        out.append(Case(f"{name} scalar", f"s_mov_b32 s20, 0x13579bdf\ns_mov_b32 s21, 0x2468ace0\n{name} {{d}}, {constants}, {{0}}, {{1}}",
                        [low, 2], width // 2, any_bits, lambda second, indices, reference=reference, high=high:
                        reference(0x2468ace013579bdf & (1 << 32 * high) - 1, second, indices)))
    return out


PROCESSORS = {
    "gfx1010": lambda: row_permutes("gfx1010", 64), "gfx1030": lambda: row_permutes("gfx1030", 64),
    "gfx1100": lambda: row_permutes("gfx1100", 32) + half_waves(32), "gfx1100-w64": lambda: row_permutes("gfx1100", 64) + half_waves(64),
    "gfx1150": lambda: row_permutes("gfx1150", 32) + half_waves(32), "gfx1150-w64": lambda: half_waves(64),
    "gfx1200": lambda: row_permutes("gfx1200", 32) + half_waves(32), "gfx1200-w64": lambda: row_permutes("gfx1200", 64) + half_waves(64),
    "gfx1250": lambda: group_permutes() + tables() + row_permutes("gfx1250", 32),
    "gfx1251": lambda: group_permutes() + tables() + row_permutes("gfx1251", 32),
}

if __name__ == "__main__":
    instructions.main(__doc__, PROCESSORS)
