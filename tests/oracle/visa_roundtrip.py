#!/usr/bin/env python3
"""vISA text that ocloc makes of our OpenCL kernels: assembled (and so verified) and disassembled, it is the same byte
for byte.
usage: visa_roundtrip.py OFFGRID [--all]; without --all two sources, each for one platform."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs", "opencl", "*.cl")
WIDTHS = {"skl": ("", 8, 16, 32), "tgllp": ("", 8, 16, 32), "dg2": ("", 8, 16, 32), "pvc": ("", 16, 32)}


def compile_kernels(source, platform, width, folder):
    """The .visaasm files; none where ocloc refuses the source, as it does doubles on some platforms."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    if platform in ("tgllp", "dg2"):
        text = "\n\n".join(piece for piece in text.split("\n\n") if "double" not in piece)
    if width:
        text = re.sub(r"^(\s*)(__)?kernel void", rf"\1__attribute__((intel_reqd_sub_group_size({width}))) kernel void",
                      text, flags=re.M)
    with open(os.path.join(folder, "k.cl"), "w", encoding="utf-8") as file:
        file.write(text)
    environment = dict(os.environ, IGC_ShaderDumpEnable="1", IGC_DumpToCustomDir=folder)
    subprocess.run(["ocloc", "compile", "-file", os.path.join(folder, "k.cl"), "-device", platform, "-out_dir", folder],
                   capture_output=True, env=environment, check=False)
    return sorted(glob.glob(os.path.join(folder, "*.visaasm")))


def check(offgrid, path, platform):
    """None, or what went wrong."""
    binary, text = path + ".isa", path + ".again"
    for command in ([offgrid, "as", f"-mcpu={platform}", path, "-o", binary], [offgrid, "dis", binary, "-o", text]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr.splitlines()[0] if done.stderr else f"exit code {done.returncode}"
    with open(path, "rb") as one, open(text, "rb") as other:
        return None if one.read() == other.read() else "the text differs"


def run(job):
    offgrid, source, platform, width = job
    with tempfile.TemporaryDirectory() as folder:
        paths = compile_kernels(source, platform, width, folder)
        found = [(os.path.basename(path), check(offgrid, path, platform)) for path in paths]
    return len(found), [f"{os.path.basename(source)} {platform} {width}: {name}: {what}" for name,
                        what in found if what]


def main():
    if not shutil.which("ocloc"):
        print("ocloc is not installed")
        return 77
    sources = sorted(glob.glob(SOURCES))
    if "--all" in sys.argv:
        jobs = [(sys.argv[1], source, platform, width) for source in sources for platform in WIDTHS
                for width in WIDTHS[platform]]
    else:
        jobs = [(sys.argv[1], sources[0], "skl", ""), (sys.argv[1], sources[-1], "pvc", "")]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, jobs))
    files = sum(count for count, _ in results)
    wrong = [line for _, lines in results for line in lines]
    print("\n".join(wrong + [f"{files} files, {len(wrong)} wrong"]))
    return 1 if wrong or not files else 0


sys.exit(main())
