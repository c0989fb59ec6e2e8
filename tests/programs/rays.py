#!/usr/bin/env python3
"""Walks through trees with the instructions for rays (rays/rays.cl, compiled by clang-22), and holds what they find against every
triangle tested here, in double precision. The trees are written here, too, as GPURT and RADV describe their nodes.

usage: rays.py --offgrid BUILD/offgrid [--processors gfx1030,...] [--seed N]"""
import argparse
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

import toolchain
import value_rows

HERE = os.path.dirname(os.path.abspath(__file__))
PROCESSORS = "gfx1030,gfx1100,gfx1150,gfx1200"
RAYS, TRIANGLES, NONE = 96, 90, 0xffffffff
SORT, GROW, BARYCENTRICS, COMPRESSED, SMALL, WIDE, INSTANCES, FIRST = (1 << 63, 6 << 55, 1 << 120, 1 << 115, 1 << 116,
                                                                       1 << 117, 1 << 118, 1 << 52)
RESOURCE = 8 << 124 | ((1 << 42) - 1) << 64 | GROW


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def bits_of(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def bounds(points):
    return [min(p[i] for p in points) for i in range(3)], [max(p[i] for p in points) for i in range(3)]


def union(boxes):
    return [min(b[0][i] for b in boxes) for i in range(3)], [max(b[1][i] for b in boxes) for i in range(3)]


def parts_of(items, count):
    """Cuts a list of (box, ...) into so many by its widest direction."""
    low, high = union([item[0] for item in items])
    axis = max(range(3), key=lambda i: high[i] - low[i])
    items = sorted(items, key=lambda item: item[0][0][axis] + item[0][1][axis])
    return [part for k in range(count) if (part := items[len(items) * k // count:len(items) * (k + 1) // count])]


# -- plain trees ----------------------------------------------------------------------------------------------------


def half_outward(x, way):
    """The bits of a half that is not beyond x, or not below it."""
    if math.isnan(x):
        return 0x7e00
    bits = struct.unpack("<H", struct.pack("<e", x))[0]
    value = struct.unpack("<e", struct.pack("<H", bits))[0]
    if (value - x) * way >= 0:
        return bits
    if value == 0:
        return 1 if way > 0 else 0x8001
    return bits + 1 if (value > 0) == (way > 0) else bits - 1


class Tree:
    """Nodes of 64 and 128 bytes; a pointer is the address in 8 bytes, and the type. A group is what stands in a triangle node:
    ([(box, vertices, where its pointer is noted)], the node's vertices)."""

    def __init__(self, rng, small, halves):
        self.data, self.rng, self.small, self.halves = bytearray(), rng, small, halves

    def place(self, size):
        at = len(self.data)
        self.data += bytes(size)
        return at

    def leaf(self, group, at):
        triangles, corners = group
        flat = [c for corner in corners for c in corner]
        struct.pack_into(f"<{len(flat)}f", self.data, at, *flat)
        struct.pack_into("<I", self.data, at + 60, 0x09090909)  # the weights of the second and the third vertex
        for kind, triangle in enumerate(triangles):
            triangle[2].append(at >> 3 | kind)
        return [(at >> 3 | kind, triangle[0]) for kind, triangle in enumerate(triangles)]

    def kind(self):
        return 4 if self.small or (self.halves and self.rng.random() < 0.5) else 5

    def root(self, groups):
        kind = self.kind()
        at = self.place(128)
        self.box(groups, at, kind)
        return at >> 3 | kind

    def box(self, groups, at, kind):
        """Children of a node of exponents have to stand one behind the other."""
        few = sum(len(g[0]) for g in groups) <= 4
        whole = [(union([t[0] for t in g[0]]), g) for g in groups]
        parts = [[g] for g in groups] if few else [[g for _, g in part] for part in parts_of(whole, min(4, len(groups)))]
        plans = []
        for part in parts:
            is_leaf = len(part) == 1 and (few or len(part[0][0]) == 1)
            kinds = 0 if is_leaf else self.kind()
            plans.append((part, kinds, self.place(128 if kinds == 5 else 64)))
        children = []
        for part, child_kind, place in plans:
            if child_kind == 0:
                children += self.leaf(part[0], place)
            else:
                self.box(part, place, child_kind)
                children.append((place >> 3 | child_kind, union([t[0] for g in part for t in g[0]])))
        children += [(NONE, ([math.nan] * 3, [math.nan] * 3))] * (4 - len(children))
        if self.small:
            self.exponents(children, at, plans[0][2])
            return
        struct.pack_into("<4I", self.data, at, *(c[0] for c in children))
        for k, (_, (low, high)) in enumerate(children):
            if kind == 4:
                struct.pack_into("<6H", self.data, at + 16 + 12 * k, *(half_outward(x, -1) for x in low),
                                 *(half_outward(x, 1) for x in high))
            else:
                struct.pack_into("<6f", self.data, at + 16 + 24 * k, *low, *high)

    def exponents(self, children, at, first):
        """Signs and 17 bits of mantissa, cut: the reader rounds outwards."""
        kinds = [2 if pointer == NONE else pointer & 7 for pointer, _ in children]
        exponents = [max(bits_of(abs(x)) >> 23 for p, b in children if p != NONE for x in (b[0][i], b[1][i])) for i in range(3)]
        word = first >> 6 | kinds[0] << 29 | kinds[1] << 32 | kinds[2] << 35 | kinds[3] << 38
        word |= exponents[0] << 56 | exponents[1] << 64 | exponents[2] << 72
        position = 80
        for pointer, box in children:
            for ends in box:
                for axis in range(3):
                    x = 0.0 if pointer == NONE else ends[axis]
                    word |= (int(abs(x) / 2.0 ** (exponents[axis] - 127 - 16)) | (x < 0) << 17) << position
                    position += 18
        self.data[at:at + 64] = word.to_bytes(64, "little")


# -- compressed trees -----------------------------------------------------------------------------------------------


class Packed:
    """Nodes of 128 bytes: boxes with eight children of 12 bits a coordinate, up to eight pairs of triangles, instances."""

    def __init__(self, rng):
        self.data, self.rng, self.start = bytearray(), rng, 0  # where the tree's base is

    def place(self, count=1):
        at = len(self.data)
        self.data += bytes(128 * count)
        return at

    def triangles(self, at, items):
        """items: (vertices of one triangle or two, geometry, first number). Up to 16 corners with all their bits."""
        corners, word = [], 0
        for index, (own, geometry, number) in enumerate(items):
            fields = [0, 0]
            for k, triangle in enumerate(own):
                for c, corner in enumerate(triangle):
                    if corner not in corners:
                        corners.append(corner)
                    fields[k] |= corners.index(corner) << (2 + 4 * c)
            stop = index + 1 == len(items)
            word |= (stop | fields[1] << 1 | fields[0] << 15) << (1024 - 29 * (index + 1))
        raw = [[bits_of(c) for c in corner] for corner in corners]
        lengths, prefixes = [], []
        zeros = 0
        while zeros < 20 and not any(x >> zeros & 1 for r in raw for x in r):
            zeros += 1
        for axis in range(3):
            own = [r[axis] for r in raw]
            prefix = 0
            while prefix < 31 - zeros and len({x >> (31 - prefix) for x in own}) == 1:
                prefix += 1
            prefixes.append((own[0] >> (32 - prefix) if prefix else 0, prefix))
            lengths.append(32 - zeros - prefix)
        for axis in range(3):
            word |= (lengths[axis] - 1) << 5 * axis
        word |= zeros << 15 | (len(items) - 1) << 28
        position = 52
        for value, width in prefixes:
            word |= value << position
            position += width
        for r in raw:
            for axis in range(3):
                word |= (r[axis] >> zeros & ((1 << lengths[axis]) - 1)) << position
                position += lengths[axis]
        first, geometry, more, below = items[0][2], items[0][1], 8, 4
        middle = 1024 - 29 * len(items) - (2 * len(items) - 1) * more - 12
        word |= 2 << 20 | 2 << 24 | 12 << 32 | more << 37 | middle << 42  # 4 bits of geometry, and 12 or 8 of number
        word |= first << middle | geometry << (middle - 4)
        for index, (own, geometry, number) in enumerate(items):
            for k in range(len(own)):
                i = 2 * index + k
                if i:
                    word |= ((number + k) & 0xff) << (middle + 12 + (i - 1) * more)
                    word |= geometry << (middle - 4 - i * below)
        if position > middle - 4 * 2 * len(items):
            return False
        self.data[at:at + 128] = word.to_bytes(128, "little")
        return True

    @staticmethod
    def quantize(boxes):
        low, high = union(boxes)
        origin = [f32(math.floor(x)) for x in low]
        exponents = [max(1, math.ceil(math.log2(max(high[i] - origin[i], 1e-6))) + 127) for i in range(3)]
        out = []
        for box in boxes:
            step = [2.0 ** (exponents[i] - 127 - 12) for i in range(3)]
            out.append(([int((box[0][i] - origin[i]) // step[i]) for i in range(3)],
                        [max(0, math.ceil((box[1][i] - origin[i]) / step[i]) - 1) for i in range(3)]))
        return origin, exponents, out

    @staticmethod
    def child(low, high, kind, length, mask):
        return struct.pack("<3I", low[0] | low[1] << 12, low[2] | high[0] << 12 | mask << 24,
                           high[1] | high[2] << 12 | kind << 24 | length << 28)

    def box(self, at, children):
        """children: (box, 'box' or a type, address, mask), those of a kind one behind the other from the first one on."""
        origin, exponents, ends = self.quantize([c[0] for c in children])
        inner = next((c[2] - self.start for c in children if c[1] == 5), 0)
        other = next((c[2] - self.start for c in children if c[1] != 5), 0)
        node = struct.pack("<3I3f3BBI", inner >> 3, other >> 3, 0, *origin, *exponents, (len(children) - 1) << 4, 0x7f)
        for (_, kind, _, mask), (low, high) in zip(children, ends, strict=True):
            node += self.child(low, high, kind, 1, mask)
        self.data[at:at + 128] = node + bytes(128 - len(node))

    def build(self, items, at):
        """items: (box, triangles of a pair, geometry, number). Fills the node at `at`."""
        parts = parts_of(items, min(8, len(items)))
        leaves = [p for p in parts if len(p) <= 3]
        inner = [p for p in parts if len(p) > 3]
        leaf_at, inner_at = self.place(len(leaves)), self.place(len(inner))
        children = []
        for k, part in enumerate(leaves):
            if not self.triangles(leaf_at + 128 * k, [item[1:] for item in part]):
                raise AssertionError("a packed node is too small")
            children.append((union([i[0] for i in part]), 0, leaf_at + 128 * k, 0xff))
        for k, part in enumerate(inner):
            self.build(part, inner_at + 128 * k)
            children.append((union([i[0] for i in part]), 5, inner_at + 128 * k, 0xff))
        self.box(at, children)

    def instance(self, at, to_object, below, box, mask):
        """Its tree's root stands where `below` says, at most 8 nodes behind."""
        node = struct.pack("<12f", *(x for row in to_object for x in row))
        node += struct.pack("<QII", below >> 3, 0, 0x123456 | mask << 24)
        origin, exponents, ends = self.quantize([box])
        node += struct.pack("<3f3BB", *origin, *exponents, 0) + self.child(*ends[0], 5, 1, 0xff)
        self.data[at:at + 128] = node + bytes(128 - len(node))


# -- what is expected -----------------------------------------------------------------------------------------------


def cross(a, b):
    return [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def meets(triangle, origin, direction):
    """(distance, I, J, how far from an edge), or None: by the plane and three areas, another way than the executor's."""
    a, b, c = triangle
    normal = cross([b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)])
    slope = dot(normal, direction)
    if slope == 0:
        return None
    distance = dot(normal, [a[i] - origin[i] for i in range(3)]) / slope
    point = [origin[i] + distance * direction[i] for i in range(3)]
    area = dot(normal, normal)
    weights = []
    for p, q in ((b, c), (c, a), (a, b)):
        weights.append(dot(normal, cross([q[i] - p[i] for i in range(3)], [point[i] - p[i] for i in range(3)])) / area)
    return (distance, weights[1], weights[2], min(weights)) if distance >= 0 else None


def nearest(scene, origin, direction, extent):
    """The nearest hit and whether it is one beyond doubt."""
    found = sorted((h + (name,) for name, t in scene if (h := meets(t, origin, direction)) and h[3] > -1e-5),
                   key=lambda h: h[0])
    found = [h for h in found if h[0] < extent]
    sure = all(abs(h[3]) > 1e-5 for h in found[:2]) and (len(found) < 2 or found[1][0] - found[0][0] > 1e-4)
    return (found[0] if found else None), sure and (not found or extent - found[0][0] > 1e-4)


def make_rays(rng, halves, triangles):
    """Most of them towards a triangle."""
    rays = []
    for _ in range(RAYS):
        origin = [f32(rng.uniform(-12, 12)) for _ in range(3)]
        target = [rng.uniform(-6, 6) for _ in range(3)]
        if rng.random() < 0.7:
            chosen = rng.choice(triangles)
            target = [sum(corner[i] for corner in chosen) / 3 for i in range(3)]
        direction = [f32(target[i] - origin[i]) for i in range(3)]
        if halves:
            direction = [rng.choice((-1, 1)) * 2.0 ** rng.randrange(-3, 3) for _ in range(3)]
            origin = [f32(target[i] - 4 * direction[i]) for i in range(3)]
        elif rng.random() < 0.2:
            direction[rng.randrange(3)] = 0.0
        rays.append((origin, direction, rng.choice((1e30, 1e30, 1.0))))
    return rays


def make_scene(rng, strips):
    """[(triangles, vertices of their node)]: of strips a node's types take three of five vertices."""
    scene = []
    while sum(len(t) for t, _ in scene) < TRIANGLES:
        middle = [rng.uniform(-6, 6) for _ in range(3)]
        corners = [tuple(f32(middle[i] + rng.uniform(-1.6, 1.6)) for i in range(3)) for _ in range(5)]
        count = rng.randrange(1, 5) if strips else 1
        taken = ((0, 1, 2), (1, 3, 2), (2, 3, 4), (2, 4, 0))[:count]
        scene.append(([[corners[k] for k in t] for t in taken], corners))
    return scene


class Check:
    def __init__(self, options, code, processor, folder, rng):
        self.options, self.code, self.processor, self.folder, self.rng = options, code, processor, folder, rng
        self.compared = 0

    def run(self, kernel, data, root, resource, rays):
        names = [os.path.join(self.folder, n) for n in ("nodes", "rays", "hits")]
        with open(names[0], "wb") as file:
            file.write(data)
        with open(names[1], "wb") as file:
            for origin, direction, extent in rays:
                file.write(struct.pack("<8f", *origin, extent, *direction, 1))
        done = subprocess.run([self.options.offgrid, "run", self.code, "--timeout", "60", "--kernel", kernel, "--grid", str(RAYS),
                               "--group", "32", "--arg", "in:" + names[0], "--arg", f"u32:{root}", "--arg",
                               "struct:" + resource.to_bytes(16, "little").hex(), "--arg", "in:" + names[1], "--arg",
                               f"out:{names[2]}:{16 * RAYS}"], capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"{kernel}: {done.stderr.strip()[:500]}")
        with open(names[2], "rb") as file:
            return list(struct.iter_unpack("<3fI", file.read()))

    def hits(self, kernel, scene, got, rays):
        """scene: [(nodes that are right, vertices)]."""
        sure_ones = found = 0
        for index, ((origin, direction, extent), mine) in enumerate(zip(rays, got, strict=True)):
            wanted, sure = nearest(scene, origin, direction, extent)
            if not sure:
                continue
            sure_ones += 1
            found += wanted is not None
            fine = mine[3] == NONE if wanted is None else (
                mine[3] in wanted[4] and all(math.isclose(a, b, rel_tol=2e-5, abs_tol=2e-5) for a, b in zip(mine[:3], wanted)))
            if not fine:
                raise AssertionError(f"{kernel}: ray {index} {origin} {direction} {extent}: {mine}, not {wanted}")
        if sure_ones < RAYS // 2 or found < RAYS // 8:
            raise AssertionError(f"{kernel}: {sure_ones} rays are beyond doubt, {found} meet a triangle")
        self.compared += sure_ones
        value_rows.compared_kernel(self.options.offgrid, self.processor, self.code, kernel, r"^\s*(?:image_bvh|ds_bvh)\w+")

    def plain(self, kernel, resource, small=False, halves=False, boxes_of_halves=True):
        scene, groups = [], []
        for triangles, corners in make_scene(self.rng, not small):
            groups.append(([(bounds(t), t, []) for t in triangles], corners))
            scene += [(notes, t) for _, t, notes in groups[-1][0]]
        tree = Tree(self.rng, small, boxes_of_halves)
        root = tree.root(groups)
        rays = make_rays(self.rng, halves, [t for _, t in scene])
        got = self.run(kernel, tree.data, root, resource | RESOURCE | BARYCENTRICS, rays)
        self.hits(kernel, scene, got, rays)

    def compressed(self, kernel, instances):
        tree, items, scene = Packed(self.rng), [], []
        number = 0
        while number < TRIANGLES:
            middle = [self.rng.uniform(-6, 6) for _ in range(3)]
            grain = self.rng.choice((2.0 ** -6, 2.0 ** -14))
            corners = [tuple(f32(round((middle[i] + self.rng.uniform(-1.6, 1.6)) / grain) * grain) for i in range(3))
                       for _ in range(4)]
            own = [corners[:3], corners[1:]][:self.rng.randrange(1, 3)]
            geometry = self.rng.randrange(16)
            items.append((bounds([c for t in own for c in t]), own, geometry, number))
            scene += [([number + k | geometry << 16], t) for k, t in enumerate(own)]
            number += 2
        resource = RESOURCE | SORT | COMPRESSED | WIDE | INSTANCES | FIRST
        if instances:
            # Two of the same tree, beside each other and turned, and one that the mask hides.
            top = tree.place()
            at = tree.place(3)
            below = tree.place()
            tree.start = below
            tree.build(items, below)
            tree.start = 0
            whole = union([i[0] for i in items])
            turns = ((((0, 1, 0), (0, 0, 1), (1, 0, 0)), (9.5, 0.25, 0)), (((-1, 0, 0), (0, 0, 1), (0, 1, 0)), (-9.5, 0, 1)),
                     (((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0)))
            children, everything = [], []
            for k, (turn, shift) in enumerate(turns):
                to_object = [list(row) + [-dot(row, shift)] for row in turn]
                from_object = lambda p, t=turn, s=shift: tuple(sum(t[j][i] * p[j] for j in range(3)) + s[i] for i in range(3))
                corners = [from_object([whole[(n >> i) & 1][i] for i in range(3)]) for n in range(8)]
                mask = 0x10 if k == 2 else 1 << k
                tree.instance(at + 128 * k, to_object, below, whole, mask)
                children.append((bounds(corners), 6, at + 128 * k, mask))
                if k < 2:
                    everything += [(names, [from_object(p) for p in t]) for names, t in scene]
            tree.box(top, children)
            scene = everything
        else:
            top = tree.place()
            tree.build(items, top)
        rays = make_rays(self.rng, False, [t for _, t in scene])
        got = self.run(kernel, tree.data, top >> 3 | 5, resource, rays)
        self.hits(kernel, scene, got, rays)


def check(check_one):
    major = int(check_one.processor.removeprefix("gfx")[:-2])
    for order in (SORT, 0) + ((SORT | 1 << 53, SORT | 2 << 53) if major > 10 else ()):
        check_one.plain("walk", order)
    check_one.plain("walk_short", SORT)
    check_one.plain("walk_halves", SORT, halves=True)
    check_one.plain("walk_short_halves", SORT, halves=True)
    if major > 10:
        check_one.plain("walk_stack", SORT)
    if major > 11:
        check_one.plain("walk", SORT | FIRST)
        check_one.plain("walk", SORT | SMALL, small=True)
        check_one.plain("walk_two", SORT, boxes_of_halves=False)
        check_one.plain("walk_two", SORT | WIDE)
        check_one.compressed("walk_eight_stack", False)
        check_one.compressed("walk_eight", True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=PROCESSORS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    missing = toolchain.missing("clang-22")
    if missing:
        print("not installed: " + ", ".join(missing))
        return 77
    print("seed", options.seed)
    failures = compared = 0
    for processor in options.processors.split(","):
        major = processor.removeprefix("gfx")[:-2]
        stack = ["-DSTACK" + major] if major in ("11", "12") else []
        with tempfile.TemporaryDirectory() as folder:
            code = os.path.join(folder, "rays.co")
            fine, messages = toolchain.compile_opencl(os.path.join(HERE, "rays/rays.cl"), code, 2, processor,
                                                      ["-cl-std=CL2.0", *stack])
            one = Check(options, code, processor, folder, random.Random(options.seed))
            try:
                assert fine, messages[:500]
                check(one)
            except AssertionError as error:
                print(f"{processor}: {error}")
                failures += 1
            compared += one.compared
    print(f"{len(options.processors.split(','))} processors, {failures} failed, {compared} rays compared")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
