#!/usr/bin/env python3
"""What people see at a terminal: the debugger's prompt, completed and interrupted; how far a long run is. usage:
terminal.py --offgrid BUILD/offgrid"""
import argparse
import ctypes
import os
import pty
import select
import tempfile
import time

KERNEL = """.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl endless
.p2align 8
.type endless,@function
endless:
  s_cmp_lg_u32 s2, 2
  s_cbranch_scc1 end
again:
  s_add_u32 s0, s0, 1
  s_branch again
end:
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel endless
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
"""


class Terminal:
    def __init__(self, *command):
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "xterm"
            os.execv(command[0], command)
        self.seen = ""

    def wait(self, text, seconds=60):
        """Until the text appears; what came up to its end."""
        end = time.time() + seconds
        while text not in self.seen and time.time() < end:
            if select.select([self.file], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.file, 4096).decode(errors="replace")
                except OSError:
                    break
        assert text in self.seen, (text, self.seen)
        before, _, self.seen = self.seen.partition(text)
        return before

    def type(self, text):
        os.write(self.file, text.encode())

    def end(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def has_editor():
    try:
        ctypes.CDLL("libedit.so.2")
        return True
    except OSError:
        return False


def debug(offgrid, kernel):
    terminal = Terminal(offgrid, "debug", kernel, "--grid", "256", "--group", "64")
    terminal.wait("(offgrid) ")
    if has_editor():
        terminal.type("reverse-con\t")
        terminal.wait("tinue ")
        terminal.type("\x15")  # the line is taken back
        terminal.type("info gr\t\n")
        terminal.wait("resident")
        terminal.wait("(offgrid) ")
    terminal.type("run\n")
    time.sleep(1)
    terminal.type("\x03")
    terminal.wait("Interrupted, wave 2.0")
    terminal.wait("(offgrid) ")
    terminal.type("\x03")  # leaves the line, not the debugger
    terminal.type("print $group\n")
    terminal.wait("$group = 2")
    if has_editor():
        terminal.wait("(offgrid) ")
        terminal.type("\x1b[A\n")  # once more, from the history
        terminal.wait("$group = 2")
    terminal.type("quit\n")
    assert terminal.end() == 0


def run(offgrid, kernel):
    terminal = Terminal(offgrid, "run", kernel, "--grid", "256", "--group", "64")
    terminal.wait("3/4 work-groups, ")
    terminal.wait(" left")
    terminal.type("\x03")
    terminal.wait("interrupted, at endless+0x")
    terminal.wait("running at endless+0x")
    assert terminal.end() == 130


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    offgrid = os.path.abspath(parser.parse_args().offgrid)
    with tempfile.TemporaryDirectory() as folder:
        kernel = os.path.join(folder, "endless.s")
        with open(kernel, "w", encoding="utf-8") as file:
            file.write(KERNEL)
        debug(offgrid, kernel)
        run(offgrid, kernel)
    print("a prompt, an interrupt and a line of progress" + ("" if has_editor() else "; without libedit"))


main()
