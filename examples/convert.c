/* convert.c - files from one form to another: convert KIND FILE, where KIND is
 *   source  a code object, or the first one in a bundle or host program, to assembly
 *   code    LLVM IR to a code object for gfx900
 *   binary  vISA text for dg2 to its binary form
 *   text    a vISA binary to text */
#include "common.h"

#include <string.h>

/* The first device entry, if the file is of a kind that carries some. */
static og_module *open_any(og_bytes bytes, const char *name, og_diagnostics *diagnostics) {
  og_diagnostics *ignored = og_diagnostics_new();
  og_offload *offload = og_offload_open(bytes.data, bytes.size, name, ignored);
  og_offload_entry entry = {.info_size = sizeof entry};
  og_module *module = NULL;
  for (size_t i = 0; offload && !module && og_offload_get(offload, i, &entry); i++)
    if (strstr(entry.id, "amdgcn") && entry.size)
      module = og_module_open(entry.data, entry.size, entry.id, diagnostics);
  og_offload_free(offload);
  og_diagnostics_free(ignored);
  return module ? module : og_module_open(bytes.data, bytes.size, name, diagnostics);
}

int main(int argc, char **argv) {
  const char *kind = argc == 3 ? argv[1] : "";
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_bytes in = argc == 3 ? read_file(argv[2]) : (og_bytes){0}, out = {0};
  og_module *module = NULL;
  bool known = true;
  if (strcmp(kind, "source") == 0 && (module = open_any(in, argv[2], diagnostics)))
    og_module_source(module, &out, diagnostics);
  else if (strcmp(kind, "code") == 0)
    og_compile_ir(in.data, in.size, "gfx900", NULL, &out, diagnostics);
  else if (strcmp(kind, "binary") == 0)
    og_visa_assemble((const char *)in.data, in.size, "dg2", &out, diagnostics);
  else if (strcmp(kind, "text") == 0)
    og_visa_disassemble(in.data, in.size, &out, diagnostics);
  else
    known = strcmp(kind, "source") == 0;
  check(diagnostics);
  if (!known) {
    fprintf(stderr, "usage: %s source|code|binary|text FILE\n", argv[0]);
    return 2;
  }
  fwrite(out.data, 1, out.size, stdout);
  og_module_free(module);
  og_bytes_free(&in);
  og_bytes_free(&out);
  og_diagnostics_free(diagnostics);
}
