#!/usr/bin/env python3
"""What shaders of graphics have and kernels may use, too, and what else compilers of kernels seldom emit: interpolation and
parameters in LDS, direct reads of LDS, loads that tell of missing pages, the global data share, scratch by scalar loads,
forks and loops over half waves. In kernels of their own, against what the manuals say, told here once more."""
import math
from fractions import Fraction

import instructions
from instructions import Case, add_products, any_bits, clamped, half, matches, special
from small_floats import decode, encode

# ---- interpolation --------------------------------------------------------------------------------------------------

def normal(rng, _):
    """f32 of which no sum or product is a denormal or overflows; now and then 0."""
    return 0 if rng.randrange(16) == 0 else rng.getrandbits(1) << 31 | rng.randrange(100, 150) << 23 | rng.getrandbits(23)


def fused(factor, weight, addend, to="f32"):
    return add_products("f32", [[("f32", factor), ("f32", weight)]], ("f32", addend)) if to == "f32" else None


def widened(bits):
    """A half as f32."""
    return encode("f32", decode("f16", bits), bits >> 15)


def signed(bits, negative):
    return bits ^ (0x80000000 if negative else 0)


def half_pair(rng):
    return sum(rng.getrandbits(1) << at + 15 | rng.randrange(10, 18) << at + 10 | rng.getrandbits(10) << at for at in (0, 16))


def moderate(rng, _=0):
    """f32 of whose sums halves are normal numbers, mostly."""
    return rng.getrandbits(1) << 31 | rng.randrange(118, 134) << 23 | rng.getrandbits(23)


def narrowed(factor, weight, addend, to_zero=False, to="f16"):
    """factor * weight + addend of f32: rounded to f32 and then to a half; towards 0 once, which comes to the same."""
    if not to_zero:
        x = decode("f32", fused(factor, weight, addend))
        return encode("f16", x, x < 0)
    exact = decode("f32", factor) * decode("f32", weight) + decode("f32", addend)
    code = encode(to, exact, exact < 0)
    nearest = decode(to, code)
    return code - 1 if isinstance(nearest, float) or abs(nearest) > abs(exact) else code


def into_half(old, bits, high):
    return old & (0xffff if high else 0xffff0000) | bits << 16 * high


def halves_of_registers():
    """gfx11's results in halves, and rounded towards 0 (RDNA3, 16.11)."""
    def draw(rng, i):
        return half_pair(rng) if i == 0 else moderate(rng)

    def draw_p10(rng, i):
        return moderate(rng) if i == 1 else half_pair(rng)

    def p2(lanes, from_high, to_high, to_zero):
        return [into_half(0x5a5a5a5a, narrowed(widened(half(lanes[(n & ~3) + 2][0], from_high)), lane[1], lane[2], to_zero), to_high)
                for n, lane in enumerate(lanes)]

    def p10(lanes, high):
        return [narrowed(widened(half(lanes[(n & ~3) + 1][0], high)), lane[1], widened(half(lanes[n & ~3][2], high)), True, "f32")
                for n, lane in enumerate(lanes)]

    out = [Case(f"v_interp_p2_{kind}f16_f32 {a} {b}", f"v_interp_p2_{kind}f16_f32 {{d}}, {{0}}, {{1}}, {{2}} op_sel:[{a},0,0,{b}]",
                [1, 1, 1], 1, draw, lambda lanes, a=a, b=b, to_zero=bool(kind): p2(lanes, a, b, to_zero), lane=False)
           for kind in ("", "rtz_") for a in (0, 1) for b in (0, 1)]
    return out + [Case(f"v_interp_p10_rtz_f16_f32 {high}", f"v_interp_p10_rtz_f16_f32 {{d}}, {{0}}, {{1}}, {{2}} op_sel:[{high},0,{high},0]",
                       [1, 1, 1], 1, draw_p10, lambda lanes, high=high: p10(lanes, high), lane=False) for high in (0, 1)]


def of_registers():
    """gfx11: P0, P10 and P20 stand in lanes 0, 1 and 2 of each quad (RDNA3, 12.3)."""
    def p10(lanes, negate=(0, 0, 0), clamp=False):
        out = []
        for n, lane in enumerate(lanes):
            quad = lanes[n & ~3:(n & ~3) + 4]
            want = fused(signed(quad[1][0], negate[0]), signed(lane[1], negate[1]), signed(quad[0][2], negate[2]))
            out.append(clamped("f32", want) if clamp else want)
        return out

    def p2(lanes):
        return [fused(lanes[(n & ~3) + 2][0], lane[1], lane[2]) for n, lane in enumerate(lanes)]

    def halves(rng, i):
        return rng.getrandbits(1) << 15 | rng.randrange(10, 18) << 10 | rng.getrandbits(10) | \
            (rng.getrandbits(1) << 31 | rng.randrange(10, 18) << 26 | rng.getrandbits(10) << 16) if i != 1 else normal(rng, i)

    def p10_halves(high):
        def reference(lanes):
            return [fused(widened(half(lanes[(n & ~3) + 1][0], high)), lane[1], widened(half(lanes[n & ~3][2], high)))
                    for n, lane in enumerate(lanes)]
        return reference

    return [Case("v_interp_p10_f32", "v_interp_p10_f32 {d}, {0}, {1}, {2}", [1, 1, 1], 1, normal, p10, lane=False),
            Case("v_interp_p10_f32 -", "v_interp_p10_f32 {d}, -{0}, {1}, -{2}", [1, 1, 1], 1, normal,
                 lambda lanes: p10(lanes, (1, 0, 1)), lane=False),
            Case("v_interp_p10_f32 clamp", "v_interp_p10_f32 {d}, {0}, -{1}, {2} clamp", [1, 1, 1], 1, normal,
                 lambda lanes: p10(lanes, (0, 1, 0), True), lane=False),
            Case("v_interp_p2_f32", "v_interp_p2_f32 {d}, {0}, {1}, {2}", [1, 1, 1], 1, normal, p2, lane=False)] + [
            Case(f"v_interp_p10_f16_f32 {high}", f"v_interp_p10_f16_f32 {{d}}, {{0}}, {{1}}, {{2}} op_sel:[{high},0,{high},0]",
                 [1, 1, 1], 1, halves, p10_halves(high), lane=False) for high in (0, 1)]


PARAMETERS = 64  # where they begin in LDS, in dwords; attributes of two triangles, of which the second begins with quad 3
ATTRIBUTE = "v_lshlrev_b32 v200, 2, v0\nds_{write} v200, {{0}} offset:{at}\nds_{write} v200, {{1}} offset:{at2}\n"


def parameters(lanes, quad, attribute, channel, vertex):
    """The dword of LDS (RDNA3, 12.2.1), which the lanes' two sources fill one after the other."""
    index = attribute * 2 * 12 + (quad >= 3) * 12 + vertex * 4 + channel
    return lanes[index % len(lanes)][index // len(lanes)]


def in_lds(processor):
    """Of parameters in LDS: loads of gfx11 and gfx12, and interpolation of older processors."""
    new = processor.startswith(("gfx11", "gfx12"))
    wave = 32 if new else 64
    wait = "s_wait_dscnt 0x0" if processor.startswith("gfx12") else "s_waitcnt 0"
    fill = ATTRIBUTE.format(write="store_b32" if new else "write_b32", at=4 * PARAMETERS, at2=4 * PARAMETERS + 4 * wave) + \
        f"{wait}\ns_mov_b32 m0, {1 << (15 + 3) | 4 * PARAMETERS:#x}\n"
    prefix = "ds" if processor.startswith("gfx12") else "lds"
    done = {"gfx11": "s_waitcnt expcnt(0)", "gfx12": "s_wait_expcnt 0x0"}.get(processor[:5], "s_nop 0")

    def load(attribute, channel):
        return lambda lanes: [parameters(lanes, n // 4, attribute, channel, n % 4) if n % 4 < 3 else 0
                              for n in range(len(lanes))]

    def p1(attribute, channel):
        return lambda lanes: [fused(parameters(lanes, n // 4, attribute, channel, 1), lane[2],
                                    parameters(lanes, n // 4, attribute, channel, 0)) for n, lane in enumerate(lanes)]

    def p2(attribute, channel):
        return lambda lanes: [fused(parameters(lanes, n // 4, attribute, channel, 2), lane[2], lane[3])
                              for n, lane in enumerate(lanes)]

    def move(attribute, channel, vertex):
        return lambda lanes: [parameters(lanes, n // 4, attribute, channel, vertex) for n in range(len(lanes))]

    if new:
        return [Case(f"{prefix}_param_load {attribute}.{channel}", fill + f"{prefix}_param_load {{d}}, attr{attribute}.{channel}\n{done}",
                     [1, 1], 1, any_bits, load(attribute, "xyzw".index(channel)), lane=False)
                for attribute, channel in ((0, "x"), (1, "z"), (0, "w"))]
    out = [Case(f"v_interp_p1_f32 {a}.{c}", fill + f"v_interp_p1_f32 {{d}}, {{2}}, attr{a}.{c}", [1, 1, 1], 1, normal,
                p1(a, "xyzw".index(c)), lane=False) for a, c in ((0, "x"), (1, "y"), (0, "z"))]
    out += [Case(f"v_interp_p2_f32 {a}.{c}", fill + f"v_mov_b32 {{d}}, {{3}}\nv_interp_p2_f32 {{d}}, {{2}}, attr{a}.{c}",
                 [1, 1, 1, 1], 1, normal, p2(a, "xyzw".index(c)), lane=False) for a, c in ((1, "x"), (0, "w"))]
    out += [Case(f"v_interp_mov_f32 {slot}", fill + f"v_interp_mov_f32 {{d}}, {slot}, attr1.y", [1, 1], 1, normal,
                 move(1, 1, vertex), lane=False) for slot, vertex in (("p0", 0), ("p10", 1), ("p20", 2))]
    return out + ([] if processor.startswith(("gfx6", "gfx7")) else halves_in_lds(processor, fill))


def halves_in_lds(processor, fill):
    """Parameters that are halves of dwords, the upper ones by `high` (GCN3, 12.16; Vega, 12.17): gfx8's result clears the other half of
    its register, and so does what Vega calls legacy."""
    def draw(rng, i):
        return moderate(rng) if i == 2 else half_pair(rng)

    def draw_p2(rng, i):
        return moderate(rng) if i >= 2 else half_pair(rng)

    def parameter(lanes, n, vertex, high):
        return widened(half(parameters(lanes, n // 4, 1, 2, vertex), high))

    out = []
    for high in 0, 1:
        end = " high" if high else ""
        out += [Case(f"v_interp_p1ll_f16 {high}", fill + f"v_interp_p1ll_f16 {{d}}, {{2}}, attr1.z{end}", [1, 1, 1], 1, draw,
                     lambda lanes, high=high: [fused(parameter(lanes, n, 1, high), lane[2], parameter(lanes, n, 0, high))
                                               for n, lane in enumerate(lanes)], lane=False),
                Case(f"v_interp_p1lv_f16 {high}", fill + f"v_interp_p1lv_f16 {{d}}, {{2}}, attr1.z, {{3}}{end}", [1, 1, 1, 1], 1, draw,
                     lambda lanes, high=high: [fused(parameter(lanes, n, 1, high), lane[2], widened(half(lane[3], high)))
                                               for n, lane in enumerate(lanes)], lane=False)]
        for name in ("v_interp_p2_f16", "v_interp_p2_legacy_f16") if processor.startswith("gfx9") else ("v_interp_p2_f16",):
            kept = 0 if processor.startswith("gfx8") or "legacy" in name else 0x5a5a0000
            out.append(Case(f"{name} {high}", fill + f"{name} {{d}}, {{2}}, attr1.z, {{3}}{end}", [1, 1, 1, 1], 1, draw_p2,
                            lambda lanes, high=high, kept=kept: [kept | narrowed(parameter(lanes, n, 2, high), lane[2], lane[3])
                                                                 for n, lane in enumerate(lanes)], lane=False))
    return out


def direct(processor):
    """One value of LDS for all lanes, of each type that M0 tells."""
    types = {0: lambda x: x & 0xff, 1: lambda x: x & 0xffff, 2: lambda x: x, 4: lambda x: (x & 0xff ^ 0x80) - 0x80,
             5: lambda x: (x & 0xffff ^ 0x8000) - 0x8000}
    new = processor.startswith(("gfx11", "gfx12"))
    wait = "s_wait_dscnt 0x0" if processor.startswith("gfx12") else "s_waitcnt 0"
    write = "ds_store_b32" if new else "ds_write_b32"
    load = "ds_direct_load {d}\ns_wait_expcnt 0x0" if processor.startswith("gfx12") else \
        "lds_direct_load {d}\ns_waitcnt expcnt(0)" if new else "v_mov_b32 {d}, src_lds_direct"
    out = []
    for number, read in types.items():
        text = f"v_lshlrev_b32 v200, 2, v0\n{write} v200, {{0}}\n{wait}\ns_mov_b32 m0, {number << 16 | 4 * 5:#x}\n" + load
        out.append(Case(f"direct read of type {number}", text, [1], 1, any_bits,
                        lambda lanes, read=read: [read(lanes[5][0]) & 0xffffffff] * len(lanes), lane=False))
    return out


# ---- memory ---------------------------------------------------------------------------------------------------------

def resident(processor):
    """Loads with tfe: a 0 behind the data, for there are no missing pages. s[4:5] is where the sources begin."""
    names = ("buffer_load_b32", "buffer_load_b64", "buffer_load_b128") if processor.startswith(("gfx11", "gfx12")) else \
        ("buffer_load_dword", "buffer_load_dwordx2", "buffer_load_dwordx4")
    flags = {"gfx9": 0x00027000, "gfx10": 0x31016000, "gfx11": 0x31016000, "gfx12": 0x31016000}
    flag = next(value for key, value in sorted(flags.items(), reverse=True) if processor.startswith(key))
    wait = "s_wait_loadcnt 0x0" if processor.startswith("gfx12") else "s_waitcnt vmcnt(0)"
    out = []
    for name, dwords in zip(names, (1, 2, 4)):
        text = "\n".join(f"v_mov_b32 v{100 + i}, 77" for i in range(dwords + 1)) + \
            f"\ns_mov_b32 s20, s4\ns_mov_b32 s21, s5\ns_mov_b32 s22, 0x10000\ns_mov_b32 s23, {flag:#x}\n" \
            f"{name} v[100:{100 + dwords}], v1, s[20:23], {'null' if processor.startswith('gfx12') else 0} offen tfe\n{wait}\n" \
            f"v_mov_b32 v110, v{99 + dwords}\nv_mov_b32 v111, v{100 + dwords}\n"
        low = "v_lshlrev_b64 {d}, 0, v[110:111]" if processor != "gfx1200" else "v_lshlrev_b64_e64 {d}, 0, v[110:111]"
        out.append(Case(f"{name} tfe", text + low, [dwords], 2, any_bits, lambda x, n=dwords: x >> 32 * (n - 1)))
    return out


def global_data():
    """Of the global data share, whose part M0 tells: base and size."""
    setup = "s_mov_b32 m0, 0x01000200\nv_lshlrev_b32 v200, 2, v0\n"  # base 0x100, 0x200 bytes
    wait = "\ns_waitcnt 0\n"
    return [
        Case("ds_write_b32, ds_read_b32 gds", setup + "ds_write_b32 v200, {0} gds" + wait + "ds_read_b32 {d}, v200 gds" + wait,
             [1], 1, any_bits, lambda x: x),
        Case("ds_add_rtn_u32 gds", setup + "ds_write_b32 v200, {0} gds" + wait + "ds_add_rtn_u32 v201, v200, {1} gds" + wait +
             "ds_read_b32 {d}, v200 gds" + wait, [1, 1], 1, any_bits, lambda a, b: a + b & 0xffffffff),
        Case("gds beyond M0's size", setup + "v_add_u32 v200, 0x1fe, v200\nds_write_b32 v200, {0} gds" + wait +
             "ds_read_b32 {d}, v200 gds" + wait, [1], 1, any_bits, lambda x: 0),
        Case("ds_append gds", "s_mov_b32 m0, 0x03000200\nv_mov_b32 v200, 0\nv_mov_b32 v201, 7\nds_write_b32 v200, v201 gds" + wait +
             "ds_append v202 gds" + wait + "ds_read_b32 {d}, v200 gds" + wait, [1], 1, any_bits, lambda x: 7 + 64),
    ]


def stored_from_lds():
    """From LDS at M0 to where a lane's source came from, by its number, of which it then reads what is there."""
    text = """v_lshlrev_b32 v200, 2, v0
ds_write_b32 v200, {1} offset:64
s_waitcnt 0
s_mov_b32 s20, s4
s_or_b32 s21, s5, 0x40000
s_mov_b32 s22, 0x10000
s_mov_b32 s23, 0x800000
s_mov_b32 m0, 64
buffer_store_lds_dword s[20:23], 0 lds
s_waitcnt 0
global_load_dword {d}, v200, s[4:5]
s_waitcnt 0"""
    return [Case("buffer_store_lds_dword", text, [1, 1], 1, any_bits, lambda a, b: b)]


def scalar_scratch():
    """Offsets in SGPRs count 64 bytes; lanes' sources are 64 bytes here, of which the third lane's are read."""
    return [Case(f"s_scratch_load_dword{suffix}", f"s_mov_b32 s20, 2\ns_scratch_load_dword{suffix} s[24:{23 + dwords}], s[4:5], s20\n"
                 f"s_waitcnt lgkmcnt(0)\nv_mov_b32 {{d}}, s{23 + dwords}" if dwords > 1 else
                 "s_mov_b32 s20, 2\ns_scratch_load_dword s24, s[4:5], s20\ns_waitcnt lgkmcnt(0)\nv_mov_b32 {d}, s24",
                 [16], 1, lambda rng, _: rng.getrandbits(512),
                 lambda lanes, n=dwords: [lanes[2][0] >> 32 * (n - 1) & 0xffffffff] * len(lanes), lane=False)
            for suffix, dwords in (("", 1), ("x2", 2), ("x4", 4))]


# ---- control --------------------------------------------------------------------------------------------------------

def forks():
    """Lanes whose number is below 24 go another way, and all meet again."""
    text = """v_mov_b32 {{d}}, 1
v_cmp_gt_u32 vcc, 24, v0
s_mov_b64 s[20:21], exec
s_cbranch_i_fork vcc, taken{name}
v_mov_b32 {{d}}, 2
s_branch meet{name}
taken{name}:
v_mov_b32 {{d}}, 3
meet{name}:
s_cbranch_join s30
s_mov_b64 exec, s[20:21]"""
    return [Case("s_cbranch_i_fork", "s_mov_b32 s30, 0\n" + text.format(name="_fork"), [1], 1, any_bits,
                 lambda lanes: [3 if n < 24 else 2 for n in range(len(lanes))], lane=False)]


def half_waves():
    """Both halves of a wave of 64 go round the loop, one after the other; a scalar tells which was there first."""
    text = """s_mov_b32 s20, 0
v_mov_b32 {d}, 0
s_subvector_loop_begin s21, behind_loop
loop:
s_add_u32 s20, s20, 1
v_add_nc_u32 {d}, s20, {d}
s_subvector_loop_end s21, loop
behind_loop:
s_mov_b64 exec, -1"""
    return [Case("s_subvector_loop", text, [1], 1, any_bits, lambda lanes: [1 if n < 32 else 2 for n in range(len(lanes))],
                 lane=False)]


# ---- gfx6 and gfx7 --------------------------------------------------------------------------------------------------

MOST = 0x7f7fffff


def clamped_functions():
    def number(rng, _):
        return rng.choice([0, 0x80000000, 0x7f800000, 0x3f800000, 0x40800000, 0xc0800000, normal(rng, 0), normal(rng, 0)])

    def exact(kind, bits):
        x = decode("f32", bits)
        if isinstance(x, float):
            return 0.0 if kind != "log" else x
        if x == 0:
            return -math.inf if kind == "log" or (bits >> 31 and kind == "rcp") else math.inf
        if x < 0 and kind != "rcp":
            return None
        return Fraction(1) / x if kind == "rcp" else Fraction(math.log2(x)) if kind == "log" else Fraction(1 / math.sqrt(x))

    def reference(kind, legacy):
        def result(bits):
            x = exact(kind, bits)
            if x is None or (kind == "rsq" and bits == 0x80000000) or bits == 0x7f800000:
                return lambda got: True
            if isinstance(x, float) and math.isinf(x):
                want = (x < 0) << 31 | (0 if legacy else MOST)
                return lambda got: got == want
            want = encode("f32", Fraction(x), x < 0)
            return lambda got: abs(got - want) <= 1 or got & 0x7fffffff == want & 0x7fffffff
        return result

    def mullit(a, b, c):
        x, y, z = (decode("f32", bits) for bits in (a, b, c))
        if isinstance(y, float) and not y > 0 or isinstance(z, float) and not z > 0 or not isinstance(z, float) and z <= 0 or \
                b == 0xff7fffff:
            return 0x80000000 | MOST
        if x == 0 or y == 0:
            return lambda got: got & 0x7fffffff == 0
        return lambda got: matches("f32", add_products("f32", [[("f32", a), ("f32", b)]], ("f32", (a ^ b) & 0x80000000)), got)

    out = [Case(f"v_{kind}_clamp_f32", f"v_{kind}_clamp_f32 {{d}}, {{0}}", [1], 1, number, reference(kind, False))
           for kind in ("rcp", "rsq", "log")]
    out += [Case(f"v_{kind}_legacy_f32", f"v_{kind}_legacy_f32 {{d}}, {{0}}", [1], 1, number, reference(kind, True))
            for kind in ("rcp", "rsq")]
    out.append(Case("v_mullit_f32", "v_mullit_f32 {d}, {0}, {1}, {2}", [1, 1, 1], 1,
                    lambda rng, i: rng.choice([normal(rng, i), normal(rng, i), 0xff7fffff, 0xff800000, 0]), mullit))
    return out


def inactive_lanes():
    """Lanes that EXEC has off give their values, too."""
    return [Case("ds_bpermute_fi_b32", "s_mov_b32 s20, exec_lo\ns_mov_b32 exec_lo, 0xffff\nv_lshlrev_b32 v200, 2, {1}\n"
                 "ds_bpermute_fi_b32 {d}, v200, {0}\ns_wait_dscnt 0x0\ns_mov_b32 exec_lo, s20", [1, 1], 1, any_bits,
                 lambda lanes: [lanes[lane[1] % 32][0] if n < 16 else 0x5a5a5a5a for n, lane in enumerate(lanes)], lane=False)]


PROCESSORS = {
    "gfx600": lambda: in_lds("gfx600"), "gfx700": lambda: clamped_functions() + in_lds("gfx700"),
    "gfx803": lambda: in_lds("gfx803"),
    "gfx900": lambda: in_lds("gfx900") + direct("gfx900") + resident("gfx900") + global_data() + scalar_scratch() + stored_from_lds() + forks(),
    "gfx906": lambda: in_lds("gfx906"), "gfx908": lambda: in_lds("gfx908"), "gfx1010": lambda: in_lds("gfx1010"),
    "gfx1030": lambda: in_lds("gfx1030") + resident("gfx1030") + half_waves(),
    "gfx1100": lambda: of_registers() + halves_of_registers() + in_lds("gfx1100") + direct("gfx1100") + resident("gfx1100"),
    "gfx1150": lambda: of_registers() + halves_of_registers() + in_lds("gfx1150") + direct("gfx1150"),
    "gfx1200": lambda: of_registers() + halves_of_registers() + in_lds("gfx1200") + direct("gfx1200") + resident("gfx1200") + inactive_lanes(),
    "gfx1250": inactive_lanes, "gfx1251": inactive_lanes,
}

if __name__ == "__main__":
    instructions.main(__doc__, PROCESSORS)
