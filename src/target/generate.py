#!/usr/bin/env python3
"""Turns processors.txt into C: the feature names and one struct og_processor a row, the features' numbers, and the list of
generations of *.isa as a macro. usage: generate.py OUTPUT_FOLDER FILE..."""
import os
import re
import sys


# Features that are chosen for a target rather than given with a processor.
CHOICES = {"xnack", "sramecc", "cumode", "wavefrontsize32", "wavefrontsize64", "tgsplit", "real-true16"}


# The columns of a `limits` line, as struct og_processor calls them.
LIMITS = ("vgprs_total vgprs_max vgpr_granule vgprs_counted_by sgprs_total sgprs_max sgpr_granule sgprs_counted_by "
          "user_sgprs_max waves_per_simd simds_per_cu lds_bytes lds_granule scratch_granules_max scratch_granule "
          "agprs_max unified_vgprs").split()


def read_entries(path):
    """Logical lines: comments dropped, indented continuations joined."""
    entries = []
    for line in open(path, encoding="utf-8"):
        line = line.split("#")[0].rstrip()
        if line.startswith((" ", "\t")):
            entries[-1] += " " + line.strip()
        elif line:
            entries.append(line)
    return entries


def parse(entries):
    limits, families, processors = {}, {}, {}
    for entry in entries:
        if entry.startswith("limits "):
            limits[entry.split()[1]] = entry.split()[2:]
            continue
        head, _, tail = entry.partition(":")
        words, features = head.split(), tail.split()
        if words[0] == "family":
            families[words[1]] = set(features)
            continue
        _, name, generation, mach, aliases, flags = words
        if features[0].startswith("="):
            features = processors[features[0][1:]]["features"]
        else:
            features = families[features[0]] | set(features[1:])
        processors[name] = dict(generation=generation, mach=mach, features=features,
                                aliases=[] if aliases == "-" else aliases.split(","), flags=flags.split(","),
                                limits=limits[generation])
    return processors


def version(name):
    """gfx90a is 9.0.10: the last two characters are hexadecimal minor and stepping."""
    digits = re.fullmatch(r"gfx(\d+)([0-9a-f])([0-9a-f])", name)
    if digits:
        return int(digits[1]), int(digits[2], 16), int(digits[3], 16)
    generic = re.fullmatch(r"gfx(\d+)(?:-(\d+))?-generic", name)
    return (int(generic[1]), int(generic[2] or 0), 0) if generic else (0, 0, 0)


def processor_row(name, p, bits):
    """One designated initialiser; the features that decide a field are looked up here and nowhere else."""
    major, minor, stepping = version(name)
    has = lambda feature: feature in p["features"]
    limits = dict(zip(LIMITS, map(int, p["limits"]), strict=True))
    if has("1536-physical-vgprs"):
        for column in ("vgprs_total", "vgpr_granule"):
            limits[column] = limits[column] * 3 // 2
    wave32 = major >= 10
    fields = dict(
        name=f'"{name}"', aliases="(const char *const[]){%s}" % ", ".join([f'"{a}"' for a in p["aliases"]] + ["NULL"]),
        generation="OG_" + p["generation"], major=major, minor=minor, stepping=stepping, mach=p["mach"],
        generic_version=int(name.endswith("-generic")), xnack=int(has("xnack-support")),
        sramecc=int(has("sramecc-support")),
        xnack_default=int("xnack-default" in p["flags"]), sramecc_default=int("sramecc-default" in p["flags"]),
        apu=int("apu" in p["flags"]), wave_size=32 if wave32 and not has("wavefrontsize64") else 64, wave32=int(wave32),
        wave64=int(not has("wavefrontsize32") or not has("gfx1250-insts")),
        cumode=int(wave32 and not has("gfx1250-insts")),
        features="{{%s}}" % ", ".join(f"{b:#x}" for b in bits), **limits)
    return "  {" + ", ".join(f".{k} = {v}" for k, v in fields.items()) + "},\n"


def feature_names(processors):
    return sorted(CHOICES.union(*(p["features"] for p in processors.values())))


def write_features(names, out):
    out.write("/* Generated from processors.txt. */\nenum og_feature {\n")
    out.writelines(f'  OG_FEATURE_{name.upper().replace("-", "_")},\n' for name in names)
    out.write("};\n")


def write(processors, names, out):
    index = {name: i for i, name in enumerate(names)}
    out.write("/* Generated from processors.txt. */\n")
    out.write("static const char *const feature_names[] = {\n")
    out.writelines(f'  "{name}",\n' for name in names)
    out.write("};\nstatic const struct og_processor processors[] = {\n")
    for name, p in processors.items():
        bits = [0] * 5
        for feature in p["features"]:
            bits[index[feature] >> 6] |= 1 << (index[feature] & 63)
        out.write(processor_row(name, p, bits))
    out.write("};\n")


def write_generations(paths, out):
    names = [line.split()[1] for path in paths for line in open(path, encoding="utf-8") if line.startswith("generation ")]
    marks = ["X(GFX%s)" % re.sub(r"\W", "_", name).upper() for name in names]
    out.write("/* Generated from isa/generations.isa. */\n#define OG_GENERATIONS(X) %s\n" % " ".join(marks))


def main():
    folder, *paths = sys.argv[1:]
    tables = [p for p in paths if p.endswith(".isa")]
    entries = [entry for p in paths if not p.endswith(".isa") for entry in read_entries(p)]
    processors = parse(entries)
    names = feature_names(processors)
    with open(os.path.join(folder, "processors.inc"), "w", encoding="utf-8") as out:
        write(processors, names, out)
    with open(os.path.join(folder, "features.inc"), "w", encoding="utf-8") as out:
        write_features(names, out)
    with open(os.path.join(folder, "generations.inc"), "w", encoding="utf-8") as out:
        write_generations(tables, out)


if __name__ == "__main__":
    main()
