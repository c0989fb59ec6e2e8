#!/usr/bin/env python3
"""A process that is killed while it uses the library leaves nothing behind: it has no file and no shared memory
with a name, and the next one starts as if it had never been.

usage: killed.py PROGRAM...   (each is killed at several moments, then run to its end)
"""
import glob
import os
import random
import signal
import subprocess
import sys
import time

ROUNDS = 12


def named_remains():
    """Names that outlive processes."""
    return {name for name in glob.glob("/dev/shm/*") + glob.glob("/tmp/*offgrid*") if owned(name)}


def owned(path):
    try:
        return os.stat(path).st_uid == os.getuid() and "offgrid" in path
    except FileNotFoundError:
        return False


def named_files(process):
    """Files with a name that the process may write to, open or mapped."""
    found = set()
    try:
        for fd in glob.glob(f"/proc/{process}/fd/*"):
            target = os.readlink(fd)
            flags = int(open(fd.replace("/fd/", "/fdinfo/"), encoding="ascii").read().split("flags:")[1].split()[0], 8)
            if int(os.path.basename(fd)) > 2 and target.startswith("/") and flags & os.O_ACCMODE:
                found.add(target)
        for line in open(f"/proc/{process}/maps", encoding="utf-8"):
            fields = line.split(maxsplit=5)
            if len(fields) == 6 and fields[1][3] == "s" and "w" in fields[1]:
                found.add(fields[5].strip())
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        pass  # it has ended
    return {name for name in found if not name.endswith("(deleted)") and not name.startswith("/dev/")}


def main():
    chance, wrong, caught = random.Random(1), set(), 0
    before = named_remains()
    for program in sys.argv[1:]:
        environment = dict(os.environ, OFFGRID_GPU="gfx906,gfx1030", OFFGRID_LOG="none", OFFGRID_STRESS="100000")
        for _ in range(ROUNDS):
            child = subprocess.Popen([program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 0.3))
            wrong |= named_files(child.pid)
            caught += child.poll() is None
            child.send_signal(signal.SIGKILL)
            child.wait()
        environment["OFFGRID_STRESS"] = "20"
        if subprocess.run([program], env=environment, capture_output=True, check=False).returncode:
            wrong.add(f"{program} fails after others were killed")
    wrong |= {f"left behind: {name}" for name in named_remains() - before}
    print(f"{caught} processes killed")
    sys.exit("\n".join(sorted(map(str, wrong))) or (0 if caught else "none was caught alive"))


main()
