#!/usr/bin/env python3
"""Code of a second code generator: what Mesa's ACO makes of Vulkan's shaders (tests/oracle/shaders/), which needs no card.
For each processor from gfx600 to gfx1102: the text that the driver prints (by LLVM 15) assembles to what its words are printed
as, `dis` of the words assembles to them again, and `lint --waits` finds no register that is touched too early. ACO places waits
and wait states by rules of its own, so this tells of a wait that offgrid believes in and hardware does not need. Exits with 77
without the driver.

usage: shaders.py OFFGRID SHADER_TOOL [PROCESSOR...]
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from shader_code import DRIVER, PROCESSORS, compile_shaders, features, prepare, programs_of

OFFGRID, TOOL = (os.path.abspath(path) for path in sys.argv[1:3])
# Where ACO of Mesa 22 and we differ knowingly: by hazard, which operand it may be about.
# - It waits between a VGPR's write and a DPP instruction for the operand whose lanes are moved, the first one, alone. The
#   manuals (Vega, 4.5) do not tell operands apart, and LLVM waits for all.
# - gfx11: lane masks that are overwritten were not guarded yet; later releases of Mesa do it.
KNOWN = {"VALU's VGPR to DPP": "not the first source",
         "mask to SALU": "any", "mask to VALU": "any", "mask VCC to VALU": "any"}
# Not followed: an else part that turns all lanes on and, from a copy of EXEC, its own on again. A store of the then part is
# taken to be outstanding for any lanes behind that.
KNOWN_PLACES = {("gfx6", "lanes.comp", "overwrites v0 while 'buffer_store_dword v0")}
# LLVM 15 prints the literal of a v_fma_mix as 0, and not which half a shift of 16 bits reads.
MISPRINTED = r"v_fma_mix\w* .*lit\(|v_(lshlrev|lshrrev|ashrrev)_[bi]16 .*op_sel"
HAZARD = re.compile(r"'(\S+) ([^']*)' at .*, for (\S+) \(([^)]*)\)")
counts = {"processors": 0, "programs": 0, "instructions": 0, "assembled": 0, "known findings": 0, "failed": 0}


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def fail(what, text):
    counts["failed"] += 1
    print(f"{what}: {text.strip()[:800]}")


def assembled(processor, source, folder):
    """The words that a source becomes, and the object; of a refused one what is said."""
    path, out = os.path.join(folder, "k.s"), os.path.join(folder, "k.o")
    with open(path, "w", encoding="ascii") as file:
        file.write(source)
    done = run(OFFGRID, "as", "-mcpu=" + processor, *features(processor), path, "-o", out)
    if done.returncode:
        return done.stderr, out
    raw = os.path.join(folder, "k.bin")
    subprocess.run(["llvm-objcopy-22", "-O", "binary", "-j", ".text", out, raw], check=True)
    with open(raw, "rb") as file:
        data = file.read()
    return [f"{int.from_bytes(data[i:i + 4], 'little'):08x}" for i in range(0, len(data), 4)], out


def printed(processor, out):
    """The instructions of an object as objdump prints them, without addresses, words, and where branches lead."""
    text = run(OFFGRID, "objdump", "-d", *features(processor), "--no-show-raw-insn", "--no-leading-addr", out).stdout
    lines = (re.sub(r"\s*(//.*|<.*)$", "", line).strip() for line in text.split("\n") if line.startswith("\t"))
    return [re.sub(r"^(s_c?branch\S*) .*", r"\1", line) for line in lines]


def kernel(processor, words):
    """Words as a kernel that starts with all registers a shader may have."""
    lines = "\n".join("\t.long " + ", ".join("0x" + word for word in instruction) for instruction in words)
    return (f'\t.amdgcn_target "amdgcn-amd-amdhsa--{processor}"\n'
            f'\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n{lines}\n'
            '\t.size k, .-k\n\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel k\n\t.amdhsa_next_free_vgpr 128\n'
            '\t.amdhsa_next_free_sgpr 80\n\t.end_amdhsa_kernel\n')


def known(processor, name, finding):
    """Whether Mesa is known to see this one otherwise."""
    if any(processor.startswith(p) and name == n and text in finding["message"] for p, n, text in KNOWN_PLACES):
        return True
    found = HAZARD.search(finding["message"])
    if not found or KNOWN.get(found[4]) is None:
        return False
    operands = [operand.split(" ")[0] for operand in found[2].split(", ")]
    return KNOWN[found[4]] == "any" or (len(operands) > 2 and operands[1] != found[3])


def check(processor, name, text, words, folder):
    counts["programs"] += 1
    counts["instructions"] += len(words)
    flat = [word for instruction in words for word in instruction]
    what = f"{processor} {name}"
    if text is not None:
        again, out = assembled(processor, "\n".join(text) + "\n", folder)
        counts["assembled"] += 1
        theirs = printed(processor, out) if again != flat and not isinstance(again, str) else again
    result, out = assembled(processor, kernel(processor, words), folder)
    if result != flat:
        return fail(what, str(result))
    if text is not None and again != flat:
        ours = printed(processor, out)
        differ = [f"{x} / {y}" for x, y in zip(theirs, ours) if x != y and not re.match(MISPRINTED, y)]
        differ += [] if len(ours) == len(theirs) else [str(theirs)]
        if differ:
            fail(what, f"the driver's text: {len(differ)} differ, the first {differ[0]}")
    source = run(OFFGRID, "dis", *features(processor), out)
    again, _ = assembled(processor, source.stdout, folder)
    if source.returncode or again != flat:
        fail(what, "dis: " + source.stderr + (again if isinstance(again, str) else ""))
    lint = run(OFFGRID, "lint", "--waits", "--json", out)
    findings = [f for f in json.loads(lint.stdout)["findings"] if f["severity"] == "error"]
    for finding in findings:
        if known(processor, name, finding):
            counts["known findings"] += 1
        else:
            fail(what, finding["message"])
    return None


def main():
    if not os.path.exists(DRIVER):
        print("Mesa's RADV is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        shaders = compile_shaders(folder)
        for processor in sys.argv[3:] or PROCESSORS:
            counts["processors"] += 1
            for name, paths in shaders:
                for text, words in programs_of(TOOL, processor, name, paths, folder):
                    check(processor, name, text, words, folder)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    sys.exit(counts["failed"] != 0 or counts["programs"] == 0)


main()
