"""Ways of giving the same objects to a linker: archives, thin ones, lazy objects, a first link with -r, files of
arguments, symbols renamed, defined and hidden. Both linkers get the same arguments."""
import os
import subprocess


def run(*command, cwd=None):
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")


def archive(objects, folder, name, thin):
    path = os.path.join(folder, name)
    if os.path.exists(path):
        os.remove(path)
    run("llvm-ar-22", "rcT" if thin else "rc", path, *objects)
    return path


def inputs(rng, objects, folder):
    """(name of the way, arguments that stand for the objects)"""
    some = rng.randint(1, len(objects))
    first, rest = objects[:some], objects[some:]
    way = rng.choice(["plain", "whole", "thin", "lazy", "library", "response", "state"])
    if way == "whole":
        return way, ["--whole-archive", archive(first, folder, "w.a", False), "--no-whole-archive", *rest]
    if way == "thin":
        return way, ["--whole-archive", archive(objects, folder, "t.a", True)]
    if way == "lazy":  # the object before and behind asks for what the others define
        return way, [*first, "--start-lib", *rest, "--end-lib"]
    if way == "library":
        archive(rest or first, folder, "libmine.a", False)
        return way, [*first, f"-L{folder}", "-lmine"] if rest else ["-L", folder, "--whole-archive", "-l", "mine"]
    if way == "response":
        path = os.path.join(folder, "arguments")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(f'"{o}"' for o in objects))
        return way, ["@" + path]
    if way == "state":
        return way, ["--push-state", "--whole-archive", archive(first, folder, "s.a", False), "--pop-state",
                     "--start-group", *rest, "--end-group"]
    return way, objects


def options(rng, functions, data, folder, symbols_needed):
    """Arguments that rename, define, hide and drop. `functions`: none calls one before it."""
    chosen = []
    if rng.random() < 0.3:
        chosen.append("--gc-sections")
    if rng.random() < 0.3:
        i = rng.randrange(len(functions) - 1)
        chosen += [f"--wrap={functions[i]}", f"--defsym=__wrap_{functions[i]}={functions[i + 1]}"]
    if rng.random() < 0.3:
        chosen += ["--defsym", f"made={rng.choice(data)}+{rng.choice([0, 4])}", f"--defsym=number=({rng.randint(0, 9)}+3)*2"]
    if rng.random() < 0.3:
        path = os.path.join(folder, "script")
        hidden = rng.sample(functions + data, 2)
        with open(path, "w", encoding="utf-8") as file:
            file.write(rng.choice(["/* all but two */ { local: %s; %s; };", "{ global: k*; f*; d*; local: %s; %s; };",
                                   "{ global: *; local: %s; \"%s\"; };"]) % tuple(hidden))
        chosen += [rng.choice(["--version-script=", "-version-script="]) + path]
    if rng.random() < 0.2:
        chosen.append(rng.choice(["--hash-style=gnu", "--hash-style=sysv", "--hash-style=both"]))
    if rng.random() < 0.2:
        chosen.append("-q" if symbols_needed or rng.random() < 0.5 else "-s")
    if rng.random() < 0.2:
        chosen.append(rng.choice(["-S", "-X", "--build-id", "--build-id=md5", "--build-id=0x0102", "-z norelro",
                                  "-z max-page-size=65536", "--threads=2", "-O2", "--plugin-opt=O3", "--exclude-libs=ALL"]))
        chosen[-1:] = chosen[-1].split()
    if "-q" in chosen and chosen[-1] == "-O2":  # lld 22 then writes zeros for the relocations of data that it keeps
        chosen.pop()
    return chosen


def link(rng, linker, arguments, given, folder, output, partial):
    """None, or what the linker said against it. With `partial`, the objects become one first."""
    joined = os.path.join(folder, "joined.o")
    commands = [[*linker, "-r", *given, "-o", joined]] if partial else []
    commands.append([*linker, *arguments, *([joined] if partial else given), rng.choice(["-o", "--output="]) + output])
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{' '.join(command)}\n{done.stderr}"
    return None


def both(rng, offgrid, arguments, given, folder, partial):
    """The two files, or None where both linkers refuse; ends the program where one does."""
    ours, theirs = os.path.join(folder, "ours"), os.path.join(folder, "theirs")
    a = link(rng, [offgrid, "ld"], arguments, given, folder, ours, partial)
    b = link(rng, ["ld.lld-22"], [*arguments, "-shared", "-Bsymbolic"], given, folder, theirs, partial)
    if a is None and b is None:
        return ours, theirs
    if a is not None and b is not None:
        return None
    raise SystemExit(f"only one linker takes this: offgrid {a or 'does'}, lld {b or 'does'}")
