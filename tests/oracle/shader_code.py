"""What Mesa's RADV makes of the shaders in tests/oracle/shaders/ for processors that need not be there: for shaders.py and
shader_values.py."""
import glob
import os
import re
import subprocess
import sys

SHADERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shaders")
DRIVER = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json"
# What RADV_FORCE_FAMILY calls them.
PROCESSORS = {"gfx600": "tahiti", "gfx601": "pitcairn", "gfx602": "hainan", "gfx700": "kaveri", "gfx701": "hawaii",
              "gfx704": "bonaire", "gfx802": "tonga", "gfx803": "fiji", "gfx810": "stoney", "gfx900": "vega10",
              "gfx902": "raven", "gfx904": "vega12", "gfx906": "vega20", "gfx908": "arcturus", "gfx909": "raven2", "gfx90c": "renoir",
              "gfx1010": "navi10", "gfx1011": "navi12", "gfx1012": "navi14", "gfx1030": "navi21", "gfx1031": "navi22",
              "gfx1033": "vangogh", "gfx1100": "gfx1100", "gfx1102": "gfx1102"}
# What the driver ends with an error of its own at: Mesa 22 has halves on gfx6 and gfx7 that no such processor has; it has no
# images on gfx908.
UNSUPPORTED = {("gfx6", "small.comp"), ("gfx7", "small.comp"), ("gfx908", "images.comp")}
LINE = re.compile(r"^\t(.*?)\s*; ((?:[0-9a-f]{8} ?)+)$")
# Mesa asks CLRX to print what LLVM cannot print: this keeps its input.
PRINTER = """#!/bin/sh
for last; do :; done
n=0
while [ -e "$SHADER_CODE.$n" ]; do n=$((n + 1)); done
[ ! -f "$last" ] || cp "$last" "$SHADER_CODE.$n"
"""


def prepare(folder):
    """Puts into the folder what stands for CLRX."""
    path = os.path.join(folder, "clrxdisasm")
    with open(path, "w", encoding="ascii") as file:
        file.write(PRINTER)
    os.chmod(path, 0o755)


def compile_shaders(folder):
    """The shaders as SPIR-V: compute shaders alone, a vertex shader with a fragment shader."""
    compiled = {}
    for source in sorted(glob.glob(os.path.join(SHADERS, "*.*"))):
        out = os.path.join(folder, os.path.basename(source) + ".spv")
        command = ["glslangValidator", "-V", "--target-env", "vulkan1.2", source, "-o", out]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        compiled[os.path.basename(source)] = out
    both = [compiled.pop("points.vert"), compiled.pop("colour.frag")]
    return [(name, [path]) for name, path in compiled.items()] + [("points.vert, colour.frag", both)]


def programs_of(tool, processor, name, shader, folder):
    """Yields what the driver makes: (assembly text or None, words of each instruction)."""
    if any(processor.startswith(start) and name == which for start, which in UNSUPPORTED):
        return
    code = os.path.join(folder, "code")
    for old in glob.glob(code + ".*"):
        os.remove(old)
    environment = dict(os.environ, RADV_FORCE_FAMILY=PROCESSORS[processor], VK_ICD_FILENAMES=DRIVER, SHADER_CODE=code,
                       MESA_SHADER_CACHE_DISABLE="true", PATH=folder + ":" + os.environ["PATH"])
    done = subprocess.run([tool, "code", *shader], capture_output=True, text=True, check=False, env=environment)
    if done.returncode == 77:
        print("no RADV here: " + done.stderr.strip())
        sys.exit(77)
    if done.returncode:
        sys.exit(f"{processor} {name}: the driver ended with {done.returncode}: {done.stderr}")
    for path in sorted(glob.glob(code + ".*")):
        with open(path, "rb") as file:
            data = file.read()
        yield None, [[f"{int.from_bytes(data[i:i + 4], 'little'):08x}"] for i in range(0, len(data), 4)]
    for program in done.stdout.split("=== ")[1:]:
        text, words = [], []
        for line in program.split("\n")[1:]:
            found = LINE.match(line)
            text += [found[1]] if found else [line] if line.startswith("BB") else []
            words += [found[2].split()] if found else []
            repeated = re.match(r"\t\(then repeated (\d+) times\)", line)
            text += [text[-1]] * int(repeated[1]) if repeated else []
            words += [words[-1]] * int(repeated[1]) if repeated else []
            if line and not found and not repeated and not line.startswith("BB"):
                text = None
                break
        if words and text is not None:
            yield text, words


def features(processor):
    return ["-mattr=+wavefrontsize64"] if processor.startswith("gfx1") else []
