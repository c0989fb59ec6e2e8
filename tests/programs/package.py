#!/usr/bin/env python3
"""Makes the Debian package and uses what it installs: command, library with header and pkg-config file, Python package, HSA
drop-in, man pages, completion and documents. 77: a tool for it is missing.

usage: package.py --offgrid BUILD/offgrid [--chroot]   --chroot: in a fresh Debian by debootstrap, not unpacked in a folder
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = """
#include <offgrid.h>
#include <stdio.h>
int main(void) { return printf("%s\\n", og_version()) < 0; }
"""
INSTALLED = ["bin/offgrid", "include/offgrid.h", "share/man/man1/offgrid-run.1*", "share/doc/offgrid/LICENSE",
             "share/doc/offgrid/docs/status.md", "share/doc/offgrid/README.md", "share/bash-completion/completions/offgrid", "lib/**/liboffgrid.so.0",
             "lib/**/offgrid/libhsa-runtime64.so.1", "lib/**/offgrid/comgr/libamd_comgr.so.2", "lib/**/pkgconfig/offgrid.pc", "lib/**/cmake/offgrid/offgrid-config.cmake",
             "lib/python3/dist-packages/offgrid/__init__.py"]


def run(*command, **more):
    ran = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if ran.returncode:
        sys.exit(f"{' '.join(command)}\nexit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def use_unpacked(package, folder):
    root = os.path.join(folder, "root")
    run("dpkg-deb", "-x", package, root)
    usr = os.path.join(root, "usr")
    absent = [name for name in INSTALLED if not glob.glob(os.path.join(usr, name), recursive=True)]
    if absent:
        sys.exit(f"not in the package: {', '.join(absent)}")
    library = os.path.dirname(glob.glob(os.path.join(usr, "lib/**/liboffgrid.so.0"), recursive=True)[0])
    here = dict(os.environ, LD_LIBRARY_PATH=library, PKG_CONFIG_PATH=os.path.join(library, "pkgconfig"),
                PYTHONPATH=os.path.join(usr, "lib/python3/dist-packages"))
    command = os.path.join(usr, "bin/offgrid")
    pi = os.path.join(folder, "pi.bin")
    run(command, "run", os.path.join(SOURCE, "examples/hello_world.s"), "--grid", "1", "--group", "1", "--arg", f"out:{pi}:4")
    assert open(pi, "rb").read().hex() == "d00f4940", "the command runs a kernel"
    source = os.path.join(folder, "version.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    flags = run("pkg-config", "--cflags", "--libs", "offgrid", env=here).split()
    run("cc", source, "-o", os.path.join(folder, "version"), *flags)
    assert run(os.path.join(folder, "version"), env=here).strip(), "a program links with the library"
    run(sys.executable, "-c", "import offgrid; offgrid.assemble('s_nop 0', 'gfx900')", env=here)
    runtime = "import ctypes; assert ctypes.CDLL('libhsa-runtime64.so.1').hsa_init() == 0; print(open('/proc/self/maps').read())"
    assert root in run(command, "exec", "--", sys.executable, "-c", runtime), "programs find the HSA runtime of the package"


def use_in_chroot(package, folder):
    root = os.path.join(folder, "root")
    run("debootstrap", "--variant=minbase", "bookworm", root)
    shutil.copy(package, os.path.join(root, "offgrid.deb"))
    shutil.copy("/etc/resolv.conf", os.path.join(root, "etc/resolv.conf"))
    for name in glob.glob("/etc/apt/sources.list*") + glob.glob("/etc/apt/apt.conf.d/*proxy*"):
        run("cp", "-r", name, os.path.join(root, os.path.dirname(name).lstrip("/")))
    inside = lambda *command: run("chroot", root, *command)
    inside("apt-get", "update")
    inside("apt-get", "install", "-y", "--no-install-recommends", "/offgrid.deb", "python3")
    shutil.copy(os.path.join(SOURCE, "examples/hello_world.s"), root)
    inside("offgrid", "run", "/hello_world.s", "--no-sandbox", "--grid", "1", "--group", "1", "--arg", "out:/pi.bin:4")
    assert open(os.path.join(root, "pi.bin"), "rb").read().hex() == "d00f4940", "the command runs a kernel"
    inside("python3", "-c", "import offgrid")
    inside("apt-get", "remove", "-y", "offgrid")
    left = [name for name in INSTALLED if glob.glob(os.path.join(root, "usr", name), recursive=True)]
    assert not left, f"left behind: {left}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--chroot", action="store_true")
    options = parser.parse_args()
    absent = [tool for tool in ["cpack", "dpkg-deb", "dpkg-shlibdeps"] + ["debootstrap"] * options.chroot if not shutil.which(tool)]
    if absent:
        print("not installed:", ", ".join(absent))
        return 77
    with tempfile.TemporaryDirectory() as folder:
        build = os.path.dirname(os.path.abspath(options.offgrid))
        run("cpack", "-G", "DEB", "-B", folder, "--config", os.path.join(build, "CPackConfig.cmake"), cwd=build)
        package = glob.glob(os.path.join(folder, "*.deb"))[0]
        print(f"{os.path.basename(package)}: {os.path.getsize(package) / 1e6:.1f} MB")
        (use_in_chroot if options.chroot else use_unpacked)(package, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
