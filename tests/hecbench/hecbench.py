#!/usr/bin/env python3
"""HeCBench's HIP and OpenMP programs, unmodified, on the drop-in HSA runtime: builds them, runs them with the arguments
of programs.txt, judges them by what they verify themselves, and writes the table of docs/programs.md.

What is built and run is kept in --work (default: beside the unpacked HeCBench), so that a second call goes on where the
first one stopped: NAME.build and NAME.run are the logs. --again runs once more what did not pass.
"""
import argparse
import concurrent.futures
import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import data
import device

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(HERE, "programs.txt")
DOCUMENT = os.path.join(ROOT, "docs", "programs.md")
# What programs say of themselves. Counts and sizes of errors that are nothing do not count as failure.
WRONG = re.compile(r"\bFAIL|\b[Ff]ail\b|\b[Ff]ailed\b|[Mm]ismatch|\b[Ii]ncorrect|\b(hip|HIP|HSA) ?[Ee]rror|offgrid: ")
RIGHT = re.compile(r"\bPASS|\bPass\b|\bPassed|\bpassed\b|\bSuccess|\bsuccess|SUCCESS|\bpass\b|\bcorrect\b|\bCorrect\b")
BUILD_LIMIT = 1200  # seconds; the largest takes minutes
# Where the linker of Debian's hipcc's compiler is; the default lld is an older one.
COMPILER = "/usr/lib/llvm-15/bin"
# Of a model: the folders' ending and the makefile.
SOURCES = {"hip": ("hip", "Makefile"), "cc": ("hip", "Makefile"), "omp": ("omp", "Makefile.aomp"),
           "ompcc": ("omp", "Makefile.aomp"), "gcc": ("omp", "Makefile.aomp")}
# Files that no package of Debian 12 has, or that HIP 5.2.3 has not yet.
ABSENT = [(r"^hipcub/", "hipCUB is not in Debian"), (r"^thrust/", "rocThrust is not in Debian"),
          (r"^hipblas/", "hipBLAS is not in Debian"), (r"^hipblaslt/", "hipBLASLt is not in Debian"),
          (r"^hipfft/", "hipFFT is not in Debian"), (r"^hip/hip_bf16", "HIP 5.2 has no bfloat16"),
          (r"^hip/hip_fp8", "HIP 5.2 has no float8"), (r"^rccl", "RCCL is not in Debian"), (r"^mpi\.h", "needs MPI and RCCL"),
          (r"^torch$", "a module for PyTorch")]
BITCODE = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"  # of rocm-device-libs


class Run:
    """One call of an executable: variables of the environment, then `./other` where it is not main, then arguments."""
    def __init__(self, text):
        words = shlex.split(text)
        self.environment = {}
        while words and re.match(r"[A-Z_]+=", words[0]):
            name, _, self.environment[name] = words.pop(0).partition("=")
        self.executable = words.pop(0)[2:] if words and words[0].startswith("./") else "main"
        self.arguments = words

    def __str__(self):
        other = [f"./{self.executable}"] if self.executable != "main" else []
        return shlex.join([f"{n}={v}" for n, v in self.environment.items()] + other + self.arguments)


class Program:
    """The lines of programs.txt on a program: `runs`; `why` a reason not to run; `says` what is right; `cuts` for sizes
    that no argument sets: (file, what stands there, what takes its place); `files`: (path, what data.py makes)."""
    def __init__(self, name, text="", why=None):
        self.name, self.why, self.cuts, self.files = name, why, [], []
        text, _, says = text.partition(" => ")
        self.says = re.compile(says.strip()) if says else None
        self.runs = [Run(run) for run in text.split(" ; ")]


def read_table(model):
    """{name: Program}. A line of NAME-omp is for the OpenMP program only and goes before NAME's."""
    programs, own = {}, set()
    for line in open(TABLE, encoding="utf-8"):
        found = re.match(r"([\w.-]+?)(-omp)?([:!~<])\s*(.*)", line)
        if not found or (found[2] and SOURCES[model][0] == "hip"):
            continue
        name, kind, text = found[1], found[3], found[4]
        if kind == "<":
            programs[name].files.append(text.split(": "))
        elif kind == "~":
            file, change = text.split(": ", 1)
            programs[name].cuts.append((file, *change.split(" => ")))
        elif found[2] or name not in own:
            before = programs.get(name) or Program(name)
            programs[name] = Program(name, "", text) if kind == "!" else Program(name, text)
            programs[name].cuts, programs[name].files = before.cuts, before.files
            own.update([name] if found[2] else [])
    return programs


class Place:
    """Where the sources are and where binaries and logs of one model and processor go."""
    def __init__(self, options, gpu):
        self.model, self.gpu, self.options = options.model, gpu, options
        self.kind, self.makefile = SOURCES[self.model]
        inner = os.path.join(options.hecbench, "src")
        self.source = inner if os.path.isdir(inner) else options.hecbench
        self.work = os.path.join(options.work or os.path.dirname(os.path.abspath(options.hecbench)), f"bin-{gpu}")
        os.makedirs(self.work, exist_ok=True)

    def names(self):
        """Programs of the model, by the folders that are there."""
        ending = f"-{self.kind}"
        return sorted(n.removesuffix(ending) for n in os.listdir(self.source) if n.endswith(ending))

    def folder(self, name):
        return os.path.join(self.source, f"{name}-{self.kind}")

    def kept(self, name, kind):
        """The log of building or running, or the folder of executables."""
        return os.path.join(self.work, f"{name}-{self.model}.{kind}")


def kept_ir(place, program):
    """Where the device code's IR is kept, of all processors."""
    return os.path.join(os.path.dirname(place.work), "ir", program.name)


@contextlib.contextmanager
def lent_headers(place, program):
    """Has the headers that a makefile names as the folder's own and that stand in the CUDA program's folder only."""
    folder, lent = place.folder(program.name), []
    with open(os.path.join(folder, place.makefile), encoding="utf-8") as makefile:
        for rule in re.findall(r"^[^\t#]*?:(.*)", makefile.read(), re.M):
            for name in re.findall(r"(?<!\S)[\w-]+\.(?:h|hpp|cuh)(?!\S)", rule):
                path, owner = os.path.join(folder, name), os.path.join(place.source, f"{program.name}-cuda", name)
                if not os.path.exists(path) and os.path.exists(owner):
                    os.symlink(owner, path)
                    lent.append(path)
    try:
        yield
    finally:
        for path in lent:
            os.remove(path)


def cuts_of(place, program):
    """(source, what stands there, what takes its place) of what is cut in the sources of this model."""
    for file, old, new in program.cuts:
        path = os.path.join(place.source, file)
        if place.kind == "omp":
            path = re.sub(r"\.cu$", ".cpp", path.replace(f"{program.name}-hip/", f"{program.name}-omp/"))
            if not os.path.exists(path):
                continue
        with open(path, encoding="utf-8", newline="") as source:
            there = old in source.read()
        if not there and (place.kind == "hip" or f"{program.name}-omp/" in file):
            raise SystemExit(f"{TABLE}: {program.name}: {file} has no '{old}'")
        if there:
            yield path, old, new


@contextlib.contextmanager
def cut_sources(place, program):
    """Has the sizes in a program's sources cut; they are as they were when it is built."""
    originals = {}
    try:
        for path, old, new in list(cuts_of(place, program)):
            with open(path, encoding="utf-8", newline="") as source:
                text = source.read()
            originals.setdefault(path, text)
            with open(path, "w", encoding="utf-8", newline="") as source:
                source.write(text.replace(old, new))
        yield
    finally:
        for path, text in originals.items():
            with open(path, "w", encoding="utf-8", newline="") as source:
                source.write(text)


def build(places, program):
    """Compiles one program by its own makefile, -O3 as it says, and keeps its executables: of HIP one for all."""
    place = places[0]
    folder = place.folder(program.name)
    make = ["make", "-r", "-f", place.makefile]  # rules of make's own call the host's compiler
    if place.kind == "hip":
        options = [f"-B{COMPILER}"] + [f"--offload-arch={p.gpu}" for p in places]
        if place.model == "cc":
            options = ["-foffload-lto", f"-B{device.install(os.path.join(place.work, 'lld'))}"] + options
        command = make + [f"CC=hipcc {' '.join(options)}", f"ARCH={place.gpu}", "EXTRA_CFLAGS=-w"]
    elif place.model in ("omp", "ompcc"):
        ours = f"-B{device.install(os.path.join(place.work, 'wrapper'), 'clang-linker-wrapper')}" if place.model == "ompcc" else ""
        command = make + [f"CC=clang++-15 {ours}", f"ARCH={place.gpu}", f"EXTRA_CFLAGS=-w --rocm-device-lib-path={BITCODE}"]
    else:  # what the makefiles give a CPU's compiler is what GCC takes
        command = make + ["CC=g++-12", "DEVICE=cpu", "EXTRA_CFLAGS=-w -foffload=amdgcn-amdhsa "
                          f"-foffload-options=-march={place.gpu} -foffload-options=-lm"]
    run_bounded(make + ["clean"], folder, 60)
    with cut_sources(place, program), lent_headers(place, program):
        code, text, _ = run_bounded(command, folder, BUILD_LIMIT, {**os.environ, "DEVICE_IR": kept_ir(place, program)})
    wanted = [] if program.why else {run.executable for run in program.runs}
    made = [e for e in wanted if os.path.isfile(os.path.join(folder, e))]
    for kept in (p.kept(program.name, "bin") for p in places):
        shutil.rmtree(kept, ignore_errors=True)
        for executable in made:
            os.makedirs(os.path.dirname(os.path.join(kept, executable)), exist_ok=True)
            shutil.copy(os.path.join(folder, executable), os.path.join(kept, executable))
    code = code or len(made) != len(wanted)
    for place in places:
        with open(place.kept(program.name, "build"), "w", encoding="utf-8") as log:
            log.write(f"exit {int(code)}\n{text}")


def run_bounded(command, folder, limit, environment=None):
    """(exit code or None for too long, output, seconds) of a command, its children ended with it."""
    start = time.monotonic()
    child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, start_new_session=True, env=environment)
    try:
        output, _ = child.communicate(timeout=limit)
        code = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        output, _ = child.communicate()
        code = None
    return code, output.decode("utf-8", "replace"), time.monotonic() - start


def absent_prerequisite(place, name):
    """What a makefile's rules need of another folder and is not there; make then only says that it knows no rule."""
    with open(os.path.join(place.folder(name), place.makefile), encoding="utf-8") as makefile:
        for word in re.findall(r"^%?\S+:.*?(\.\./\S+)", makefile.read(), re.M):
            if not os.path.exists(os.path.join(place.folder(name), word)):
                return word
    return None


def in_words(missing):
    """What a missing file is part of."""
    for pattern, reason in ABSENT:
        if re.search(pattern, missing):
            return reason
    return f"not in the archive: {missing.removeprefix('../')}" if missing.startswith("../") else f"missing: {missing}"


def build_failure(place, name):
    """Why there is no executable, None where there is one."""
    with open(place.kept(name, "build"), encoding="utf-8", errors="replace") as log:
        first, *lines = log.read().splitlines()
    if first == "exit 0":
        return None
    missing = re.search(r"fatal error: '([^']+)' file not found|cannot find (-l\w+)|No module named '(\w+)'"
                        r"|No rule to make target '([^']+)'", "\n".join(lines))
    if missing:
        named = next(m for m in missing.groups() if m)
        return in_words(absent_prerequisite(place, name) or named if named.endswith(".o") else named)
    error = next((line for line in lines if re.search(r"\berror: |Error \d|cannot|exceeds", line)), "compiler failed")
    return re.sub(r"^\S*?:\d+:\d+: ", "", error).strip()[:110]


def judge(code, output, says):
    """PASS, `runs` for a program that verifies nothing, or what is wrong."""
    if code is None:
        return "time-out"
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    if code:
        return f"exit {code}"
    if says:
        return "PASS" if says.search(output) else "FAIL"
    if WRONG.search(output):
        return "FAIL"
    return "PASS" if RIGHT.search(output) else "runs"


def with_our_code(place, program, offgrid):
    """(folder of executables whose device code is by `offgrid cc`, None), or what it refuses."""
    made = place.kept(program.name, "ours")
    os.makedirs(made, exist_ok=True)
    ir = kept_ir(place, program)
    for executable in {call.executable for call in program.runs}:
        refused = device.replace(offgrid, os.path.join(place.kept(program.name, "bin"), executable), ir, place.gpu,
                                 os.path.join(made, executable))
        if refused:
            return made, refused
    return made, None


def run(place, program):
    """Runs one program as often as its line says; the log's first line has the verdict and the seconds."""
    verdicts, texts, total = [], [], 0.0
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    environment["OMP_TARGET_OFFLOAD"] = "mandatory"  # what the host computes in the device's place proves nothing
    offgrid = os.path.join(place.options.build, "offgrid")
    for file, description in program.files:
        data.make(os.path.join(place.folder(program.name), file), description)
    kept = place.kept(program.name, "bin")
    if place.model in ("cc", "ompcc"):
        kept, refused = with_our_code(place, program, offgrid)
        if refused:
            with open(place.kept(program.name, "run"), "w", encoding="utf-8") as log:
                log.write(f"refused 0.0\n{refused}\n")
            return "refused", 0.0
    for call in program.runs:
        path = os.path.join(kept, call.executable)
        command = [offgrid, "exec", f"--gpu={place.gpu}", "--", path, *call.arguments]
        code, output, seconds = run_bounded(command, place.folder(program.name), place.options.limit,
                                            {**environment, **call.environment})
        verdicts.append(judge(code, output, program.says))
        texts.append(f"$ {shlex.join(command)}\n{output}")
        total += seconds
    verdict = next((v for v in verdicts if v not in ("PASS", "runs")), "PASS" if "PASS" in verdicts else "runs")
    with open(place.kept(program.name, "run"), "w", encoding="utf-8") as log:
        log.write(f"{verdict} {total:.1f}\n" + "\n".join(texts))
    return verdict, total


def verdict_of(place, name):
    """The verdict and the seconds of the last run, (None, 0) where there was none."""
    try:
        with open(place.kept(name, "run"), encoding="utf-8", errors="replace") as log:
            verdict, _, seconds = log.readline().strip().rpartition(" ")
            return verdict, float(seconds)
    except FileNotFoundError:
        return None, 0.0


def chosen(options, place, programs):
    """Programs in turn that --only names; with --every N each Nth of those that came to a good end on --like's
    processor within 20 seconds."""
    names = [name for name in place.names() if re.search(options.only, name)]
    if options.every:
        known = Place(options, options.like)
        known.model = known.kind
        results = {name: verdict_of(known, name) for name in names}
        names = [n for n in names if results[n][0] in ("PASS", "runs") and results[n][1] <= 20][::options.every]
    return [programs.get(name) or Program(name) for name in names]


def build_all(options, places, programs):
    todo = [p for p in chosen(options, places[0], programs) if not os.path.exists(places[-1].kept(p.name, "build"))]
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for done, program in zip(pool.map(lambda p: build(places, p), todo), todo):
            print(f"{program.name}: {build_failure(places[0], program.name) or 'built'}", flush=True)


def run_all(options, place, programs):
    todo = []
    for program in chosen(options, place, programs):
        before, _ = verdict_of(place, program.name)
        built = os.path.exists(place.kept(program.name, "build")) and not build_failure(place, program.name)
        if built and not program.why and (before is None or (options.again and before not in ("PASS", "runs"))):
            todo.append(program)
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        running = {pool.submit(run, place, program): program for program in todo}
        for done in concurrent.futures.as_completed(running):
            verdict, seconds = done.result()
            print(f"{running[done].name}: {verdict} ({seconds:.1f} s)", flush=True)


def arguments_of(place, program):
    runs = "; ".join(str(run) for run in program.runs) or "-"
    return ", ".join(f"`{t}`" for t in [runs] + [new.strip() for _, _, new in cuts_of(place, program)])


def markdown(places, programs):
    """The table: a line per program, a column per processor, and the sums above it."""
    results, sums, first = {}, {p.gpu: {} for p in places}, places[0]
    for name in first.names():
        program = programs.get(name) or Program(name)
        for place in places:
            cell = "–"
            if os.path.exists(place.kept(name, "build")):
                verdict, _ = verdict_of(place, name)
                failure = build_failure(place, name)
                cell = f"not built: {failure}" if failure else program.why or verdict or "–"
            results[name, place.gpu] = cell.replace("|", "\\|")
            kind = cell if cell in ("PASS", "runs", "–") else "not built" if cell.startswith("not built") else \
                "no data" if program.why else "fails"
            sums[place.gpu][kind] = sums[place.gpu].get(kind, 0) + 1
    titles = ["processor", "pass", "run to the end and verify nothing", "fail", "not run, for the reason in its line",
              "do not build", "not tried (–)"]
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for gpu, s in sums.items():
        row = [gpu] + [s.get(k, 0) for k in ("PASS", "runs", "fails", "no data", "not built", "–")]
        lines.append(f"| {' | '.join(map(str, row))} |")
    lines += ["", f"| program | arguments | {' | '.join(sums)} |", "|---" * (2 + len(places)) + "|"]
    for name in first.names():
        arguments = arguments_of(first, programs.get(name) or Program(name))
        lines.append(f"| {name} | {arguments} | {' | '.join(results[name, p.gpu] for p in places)} |")
    return "\n".join(lines) + "\n"


def write_document(model, text):
    """Puts the table between the document's marks."""
    begin, end = f"<!-- hecbench {model} -->\n", f"<!-- end hecbench {model} -->\n"
    with open(DOCUMENT, encoding="utf-8") as file:
        before, rest = file.read().split(begin)
    _, after = rest.split(end)
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(before + begin + text + end + after)


def missing_instructions(options, place):
    """What of each binary's device code the executor does not run."""
    offgrid = os.path.join(options.build, "offgrid")
    text = subprocess.run([offgrid, "targets", "--coverage", f"-mcpu={place.gpu}"], capture_output=True, text=True,
                          check=True).stdout
    gaps = {name for line in text.splitlines()[1:] if " with `" not in line for name in line.split(":")[1].split()}
    found = {}
    for name in place.names():
        for executable in sorted(os.listdir(place.kept(name, "bin"))) if os.path.isdir(place.kept(name, "bin")) else []:
            done = subprocess.run([offgrid, "dis", os.path.join(place.kept(name, "bin"), executable)],
                                  capture_output=True, text=True, check=False)
            for word in set(re.findall(r"^\s+([a-z]\w+)", done.stdout, re.M)):
                if re.sub(r"_(e32|e64|dpp|sdwa|e64_dpp)$", "", word) in gaps:
                    found.setdefault(word, []).append(name)
    for word, names in sorted(found.items()):
        print(f"{word}: {' '.join(names)}")
    print(f"{len(found)} instructions missing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", default=["build", "run", "table"],
                        help="of build, run, table, document, missing (default: build run table)")
    parser.add_argument("--hecbench", required=True, help="the unpacked HeCBench")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="offgrid's build folder")
    parser.add_argument("--work", help="where binaries and logs are kept")
    parser.add_argument("--model", choices=list(SOURCES), default="hip",
                        help="HIP by hipcc, HIP with device code by `offgrid cc`, OpenMP by clang 15, the same with device code by "
                             "`offgrid cc`, OpenMP by GCC 12 (default: %(default)s)")
    parser.add_argument("--gpu", default="gfx906", help="processor, or several with commas")
    parser.add_argument("--only", default="", help="programs whose names have this regular expression")
    parser.add_argument("--every", type=int, default=0, metavar="N",
                        help="only each Nth of the programs that came to a good end on --like's in 20 seconds")
    parser.add_argument("--like", default="gfx906", help="(default: %(default)s)")
    parser.add_argument("--limit", type=float, default=120, help="seconds that each run may take")
    parser.add_argument("--again", action="store_true", help="run what did not pass before, too")
    parser.add_argument("-j", type=int, default=1)
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # not before cut sources are whole again
    programs = read_table(options.model)
    places = [Place(options, gpu) for gpu in options.gpu.split(",")]
    for step in options.steps:
        if step == "build":
            for group in [places] if places[0].kind == "hip" else [[place] for place in places]:
                build_all(options, group, programs)
        for place in places:
            if step == "run":
                run_all(options, place, programs)
            elif step == "missing":
                missing_instructions(options, place)
        if step == "table":
            sys.stdout.write(markdown(places, programs))
        elif step == "document":
            write_document(options.model, markdown(places, programs))


if __name__ == "__main__":
    main()
