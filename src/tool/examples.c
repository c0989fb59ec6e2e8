/* examples.c - examples of each verb: help and man pages show them, and a test runs all of them in this order. Files:
 * k.s, a kernel that stores a float; k.ll, a module of LLVM IR; k.visaasm; gemm.mlir; app, a program that uses HIP;
 * mp.litmus. */
#include "tool/tool.h"

#include <string.h>

static const struct {
  const char *verb, *command, *what;
} examples[] = {
    {"as", "offgrid as -g k.s -o k.o", "an object that debuggers find source lines in"},
    {"as", "offgrid as --show-encoding k.s", "the bytes of each instruction"},
    {"ld", "offgrid ld k.o -o k.co", "a code object that can be loaded"},
    {"cc", "offgrid cc -mcpu=gfx900 k.ll -o ir.co", "LLVM IR to a code object"},
    {"llc", "offgrid llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=asm k.ll -o -", "as llc: assembly"},
    {"cc", "offgrid cc gemm.mlir -o gemm.visaasm", "an XeGPU kernel as Intel's vISA"},
    {"info", "offgrid info k.co", "kernels, registers, occupancy, arguments"},
    {"info", "offgrid info --json k.co", "the same for scripts"},
    {"dis", "offgrid dis k.co -o back.s", "a source that assembles to the same bytes"},
    {"dis", "echo 0x00,0x00,0x81,0xbf | offgrid dis --hex -mcpu=gfx900 -", "an instruction from its bytes"},
    {"mc", "echo 'v_add_f32 v0, v1, v2' | offgrid mc -arch=amdgcn -mcpu=gfx1100 -show-encoding", "as llvm-mc"},
    {"objdump", "offgrid objdump -d k.co", "as llvm-objdump"},
    {"readobj", "offgrid readobj -h -S k.co", "as llvm-readobj"},
    {"lint", "offgrid lint --waits k.co", "what would fail on hardware, missing waits among it"},
    {"run", "offgrid run k.co --grid 1 --group 1 --arg out:result.bin:4", "runs the kernel and keeps its result"},
    {"run", "offgrid run k.s --grid 1 --group 1 --arg buf:4 --stats --trace=trace.txt", "each instruction, and counts"},
    {"litmus", "offgrid litmus mp.litmus", "all outcomes of a few instructions in a few threads"},
    {"litmus", "offgrid litmus -mcpu=gfx1100 -S mp.litmus", "the instructions that its atomics are"},
    {"run", "offgrid run k.co --grid 1 --group 1 --arg buf:4 --memory=weak:7", "on a memory that is late and stale"},
    {"run", "offgrid run k.co --grid 1 --group 1 --arg buf:4 --report=report.html", "where it spends its time"},
    {"check", "offgrid check k.co --grid 1 --group 1 --arg buf:4", "with every checker watching"},
    {"check", "offgrid check k.co --grid 1 --group 1 --arg buf:4 --only=waits,races --json", "two of them, for scripts"},
    {"debug", "offgrid debug k.co --grid 1 --group 1 --arg buf:4 --batch --ex 'break hello_world' --ex run --ex 'info registers s0'",
     "stops at the kernel and shows a register"},
    {"unbundle", "offgrid unbundle --list app", "the code objects in a program"},
    {"exec", "offgrid exec --gpu=gfx906 -- ./app", "a HIP program, unmodified, on an emulated GPU"},
    {"opt", "offgrid opt gemm.mlir", "checks and prints a module"},
    {"targets", "offgrid targets --coverage -mcpu=gfx942", "what of a processor's instructions is executed"},
    {"campaign", "echo 'lint k.co' > list && offgrid campaign -o results list", "a list of commands, each with its result"},
    {"campaign", "offgrid campaign --merge results", "all results as one JSON text"},
};

void og_print_examples(const char *verb, FILE *out) {
  const char *heading = "\nExamples:\n";
  for (size_t i = 0; i < OG_COUNT(examples); i++)
    if (strcmp(examples[i].verb, verb) == 0) {
      fprintf(out, "%s  %s\n      %s\n", heading, examples[i].command, examples[i].what);
      heading = "";
    }
}
