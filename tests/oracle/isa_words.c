/* isa_words.c - isa_words GENERATION PROCESSOR FEATURES WAVE COUNT SEED SAMPLE: disassembles random words of 64, 96 and
 * 160 bits with libLLVM and with ours; prints those (in hexadecimal) on which the two disagree, and every SAMPLE-th of
 * the others.
 *
 * LLVM crashes on some words, so a child does the work and is followed by another one behind the word that ended it. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isa/isa.h"

#define NAME(name) #name,
static const char *const names[] = {"R600", OG_GENERATIONS(NAME)};

struct llvm {
  void *(*create)(const char *triple, const char *cpu, const char *features, void *context, int tag, void *info,
                  void *lookup);
  size_t (*disassemble)(void *context, uint8_t *bytes, uint64_t size, uint64_t pc, char *text, size_t text_size);
  void *context;
};

/* The function's address; dlsym's result is no function pointer in ISO C. */
static void find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
}

static bool load(struct llvm *llvm, const char *processor, const char *features) {
  static const char *const parts[] = {"TargetInfo", "TargetMC", "Disassembler"};
  void *library = dlopen("libLLVM.so.22.1", RTLD_NOW);
  if (!library)
    return false;
  for (size_t i = 0; i < OG_COUNT(parts); i++) {
    char name[64];
    void (*initialize)(void);
    snprintf(name, sizeof name, "LLVMInitializeAMDGPU%s", parts[i]);
    find(library, name, &initialize);
    initialize();
  }
  find(library, "LLVMCreateDisasmCPUFeatures", &llvm->create);
  find(library, "LLVMDisasmInstruction", &llvm->disassemble);
  llvm->context = llvm->create("amdgcn-amd-amdhsa", processor, features, NULL, 0, NULL, NULL);
  return llvm->context != NULL;
}

/* splitmix64 (Steele, Lea, Flood 2014): any place of the sequence without those before it. */
static uint64_t random_at(uint64_t seed, uint64_t at) {
  uint64_t z = seed + (at + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static size_t word_at(uint64_t seed, uint64_t at, uint8_t code[24]) {
  static const uint8_t sizes[] = {8, 12, 20};
  for (unsigned i = 0; i < 3; i++) {
    uint64_t bits = random_at(seed, at * 3 + i);
    memcpy(code + i * 8, &bits, 8);
  }
  return sizes[at % OG_COUNT(sizes)];
}

/* Single spaces between words, none at the ends. */
static size_t squeeze(char *text, size_t size) {
  size_t to = 0;
  for (size_t i = 0; i < size; i++) {
    bool space = text[i] == ' ' || text[i] == '\t' || text[i] == '\n';
    if (!space)
      text[to++] = text[i];
    else if (to && text[to - 1] != ' ')
      text[to++] = ' ';
  }
  to -= to && text[to - 1] == ' ';
  text[to] = 0;
  return to;
}

static bool agree(const struct llvm *llvm, const struct og_isa *isa, uint8_t *code, size_t size,
                  struct og_buffer *out) {
  char text[1024];
  struct og_inst inst;
  size_t theirs = llvm->disassemble(llvm->context, code, size, 0, text, sizeof text);
  size_t ours = og_decode(isa, code, size, &inst);
  if (theirs != ours)
    return false;
  if (!ours)
    return true;
  out->size = 0;
  og_print_inst(isa, &inst, NULL, out);
  og_buffer_u8(out, 0);
  squeeze((char *)out->data, out->size - 1);
  squeeze(text, strlen(text));
  return strcmp(text, (char *)out->data) == 0;
}

int main(int argc, char **argv) {
  if (argc < 8)
    return 2;
  int generation = 0;
  for (size_t i = 1; i < OG_COUNT(names); i++)
    if (strcmp(argv[1], names[i]) == 0)
      generation = (int)i;
  const struct og_isa *isa = og_isa_of(generation, (unsigned)atoi(argv[4]));
  uint64_t count = strtoull(argv[5], NULL, 0), seed = strtoull(argv[6], NULL, 0), sample = strtoull(argv[7], NULL, 0);
  struct llvm llvm;
  if (!load(&llvm, argv[2], argv[3]))
    return 77;
  uint64_t *at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!isa || at == MAP_FAILED)
    return 2;
  for (*at = 0; *at < count; ++*at) {
    pid_t child = fork();
    if (child == 0) {
      struct og_buffer out = {0};
      for (; *at < count; ++*at) {
        uint8_t code[24];
        size_t size = word_at(seed, *at, code);
        bool same = agree(&llvm, isa, code, size, &out);
        if (same && *at % sample != 0)
          continue;
        for (size_t i = 0; i < size; i++)
          printf("%02x", code[i]);
        printf("\n");
        fflush(stdout);
      }
      _exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0)
      return 1;
  }
  return 0;
}
