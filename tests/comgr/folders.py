#!/usr/bin/env python3
"""`offgrid exec` puts the cache before libamd_comgr.so.2 where it knows all that the library exports, and nowhere else. The
libraries are small ones made here.

usage: folders.py --offgrid BUILD/offgrid
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

NAME = "libamd_comgr.so.2"
KNOWN = "void amd_comgr_get_version(void) {} void amd_comgr_do_action(void) {} void other(void) {}"
UNKNOWN = KNOWN + " void amd_comgr_action_info_set_something_new(void) {}"
USES = "void amd_comgr_used_not_defined(void); void amd_comgr_get_version(void) { amd_comgr_used_not_defined(); }"


def make(folder, name, text):
    """A folder with a library."""
    folder = os.path.join(folder, name)
    os.mkdir(folder)
    source = os.path.join(folder, "library.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", os.path.join(folder, NAME)], check=True)
    return folder


def damage(folder, name, content):
    folder = os.path.join(folder, name)
    os.mkdir(folder)
    with open(os.path.join(folder, NAME), "wb") as file:
        file.write(content)
    return folder


def has_cache(offgrid, *folders, **variables):
    """Whether the cache's folder stands before these."""
    environment = dict(os.environ, LD_LIBRARY_PATH=":".join(folders), **variables)
    code = "import os; print(os.environ['LD_LIBRARY_PATH'])"
    ran = subprocess.run([offgrid, "exec", "--", sys.executable, "-c", code], env=environment, capture_output=True,
                         text=True, check=True)
    path = ran.stdout.strip().split(":")
    before = path[:len(path) - len(folders)]
    assert path[len(before):] == list(folders), path
    return any(folder.endswith("/comgr") for folder in before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--offgrid", required=True)
    offgrid = os.path.abspath(parser.parse_args().offgrid)
    own = os.path.join(os.path.dirname(offgrid), "hsa/comgr")
    if not shutil.which("cc"):
        print("no compiler")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.environ["OFFGRID_CACHE"] = os.path.join(folder, "cache")
        known, unknown = make(folder, "known", KNOWN), make(folder, "unknown", UNKNOWN)
        library = open(os.path.join(known, NAME), "rb").read()
        cut = [damage(folder, f"cut{i}", library[:len(library) * i // 8]) for i in range(8)]
        cases = [
            ("a library that is known", True, [known], {}),
            ("one with a new function", False, [unknown], {}),
            ("the first one counts", False, [unknown, known], {}),
            ("the first one counts, known", True, [known, unknown], {}),
            ("functions that it only uses", True, [make(folder, "uses", USES)], {}),
            ("what is no library is passed over", True, [damage(folder, "text", b"text"), *cut, known], {}),
            ("and so are others behind it", False, [*cut, unknown], {}),
            ("a cache that is there already", True, [own, known], {}),
            ("and what it stands before", False, [own, unknown], {}),
            ("switched off", False, [known], {"OFFGRID_CACHE": "0"}),
        ]
        failed = [name for name, want, folders, variables in cases if has_cache(offgrid, *folders, **variables) != want]
    print("\n".join(f"failed: {name}" for name in failed) or f"{len(cases)} cases pass")
    return 1 if failed else 0


sys.exit(main())
