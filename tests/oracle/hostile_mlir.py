"""Hostile MLIR: the modules of tests/lit/xegpu with bytes, words and lines changed, left out and doubled, and ones nested deeply. `opt` and `run`
end with an exit code of theirs, whatever they are given; a sanitizer build tells more."""
import argparse
import random
import re
import subprocess
import sys
from pathlib import Path


def mutate(text, r):
    for _ in range(r.choice([1, 1, 2, 4])):
        what = r.randrange(6)
        if what == 0:
            at = r.randrange(len(text))
            text = text[:at] + chr(r.randrange(1, 256)) + text[at + 1:]
        elif what == 1:
            lines = text.split("\n")
            del lines[r.randrange(len(lines))]
            text = "\n".join(lines)
        elif what == 2:
            lines = text.split("\n")
            lines.insert(r.randrange(len(lines)), r.choice(lines))
            text = "\n".join(lines)
        elif what == 3:  # a number for another
            numbers = list(re.finditer(r"\d+", text))
            pick = r.choice(numbers)
            text = text[:pick.start()] + r.choice(["0", "1", "-1", "3", "17", "64", "4096", "65536", "2147483648", "9223372036854775807", "99999999999999999999"]) + text[pick.end():]
        elif what == 4:  # a word for another of the text
            words = list(re.finditer(r"[%@#!^]?[\w.]+", text))
            pick, other = r.choice(words), r.choice(words)
            text = text[:pick.start()] + other.group(0) + text[pick.end():]
        else:
            at = r.randrange(len(text))
            text = text[:at] + text[at + r.randrange(1, 40):]
        if not text:
            return "x"
    return text


DEEP = ["(" * 100000, "module {" * 5000, "func.func @f(%a: " + "vector<" * 50000, "#a = " + "[" * 100000, "#a = " + "{a=" * 50000, "!a = " + "memref<" * 50000,
        "#a = dense<" + "[" * 100000, "func.func @f() { %a = arith.constant dense<0> : vector<" + "4194304x" * 12 + "i8> return }",
        "func.func @f() {" + "scf.if %c {" * 3000, "\"" * 3, "%", "#xegpu.", "!xegpu.tensor_desc<", "func.func @main() { " + "\"builtin.module\"() ({ " * 3000]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("seed", options.seed, flush=True)
    r, failed = random.Random(options.seed), 0
    corpus = [p.read_text() for p in sorted(Path(options.corpus).glob("*.mlir"))]
    texts = DEEP + [mutate(r.choice(corpus), r) for _ in range(options.count)]
    path = Path(f"hostile_{options.seed}.mlir")
    for text in texts:
        path.write_text(text, encoding="latin-1")
        for verb in (["opt"], ["opt", "--generic"], ["run", "--timeout", "5"], ["run", "--timeout", "5", "--kernel", "beyond"]):
            run = subprocess.run([options.offgrid, *verb, str(path)], capture_output=True, check=False)
            if run.returncode not in (0, 1, 2, 3, 4) or b"anitizer" in run.stderr:
                failed += 1
                kept = Path(f"hostile_{options.seed}_{failed}.mlir")
                kept.write_text(text, encoding="latin-1")
                print(f"{' '.join(verb)} of {kept} ended with {run.returncode}: {run.stderr[-1500:].decode(errors='replace')}")
                if failed > 5:
                    sys.exit(1)
    path.unlink()
    print(f"{len(texts)} texts, {failed} faults")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
