"""Runs each command of a table of mistakes and compares exit code and the first line of what is said.

usage: mistakes.py TABLE OFFGRID FOLDER

A row is "CODE WORDS..." and below it the line, which may end in "..." where the rest changes from run to run.
"""
import os
import shutil
import subprocess
import sys

table, offgrid, folder = sys.argv[1:]
inputs = os.path.dirname(os.path.abspath(__file__))
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
os.chdir(folder)


def run(words):
    return subprocess.run([offgrid, *words], capture_output=True, stdin=subprocess.DEVNULL, check=False)


for name in ("k", "two", "undefined"):
    shutil.copy(os.path.join(inputs, f"mistake_{name}.s"), name + ".s")
    run(["as", name + ".s"])
for name in ("k", "two"):
    run(["ld", name + ".o", "-o", name + ".co"])
target = '.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n'
for name, content in {
    "plain.s": b"v_mov_b32 v0, v1\n",
    "bad.s": target.encode() + b" v_mvo_b32 v0, v1\n",
    "wide.s": target.encode() + b" v_add_f32 v0, v1, v256\n",
    "text.bin": b"hello\n",
    "hex.txt": b"0x00,zz\n",
    "bits.bc": b"BC\xc0\xde",
    "short.co": open("k.co", "rb").read()[:100],
}.items():
    with open(name, "wb") as file:
        file.write(content)

rows = [line.rstrip("\n") for line in open(table, encoding="utf-8") if not line.startswith("//") and line.strip()]
wrong = 0
for row, expected in zip(rows[::2], rows[1::2]):
    code, *words = row.split(" ")
    ran = run([word for word in words if word])
    said = ran.stderr.decode(errors="replace").split("\n")[0]
    expected = expected.strip()
    same = said.startswith(expected[:-3]) if expected.endswith("...") else said == expected
    if not same or ran.returncode != int(code):
        wrong += 1
        print(f"offgrid {' '.join(words)}\n  expected {code}: {expected}\n  seen     {ran.returncode}: {said}")
print(f"{len(rows) // 2} mistakes, {wrong} told otherwise than expected")
sys.exit(wrong != 0)
