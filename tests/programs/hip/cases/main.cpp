// main.cpp - all cases in one program: compiling the headers takes most of the time.
#include "cases.h"
#include "memory.cpp"
#include "copies.cpp"
#include "streams.cpp"
#include "graphs.cpp"
#include "groups.cpp"
#include "atomics.cpp"
#include "waves.cpp"
#include "functions.cpp"
#include "modules.cpp"
#include "devices.cpp"
#include "errors.cpp"
#include "deadly.cpp"

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "--list")) {
    for (const test_case &c : cases())
      printf("%s%s\n", c.name, c.ends == DEADLY ? " deadly" : "");
    return 0;
  }
  setbuf(stdout, nullptr);
  int failed = 0;
  for (const test_case &c : cases()) {
    bool named = false;
    for (int i = 1; i < argc; i++)
      named |= !strcmp(argv[i], c.name);
    if (!named && (argc > 1 || c.ends == DEADLY))
      continue;
    int before = failures();
    c.run();
    printf("%s: %s\n", c.name, failures() > before ? "FAIL" : "PASS");
    failed += failures() > before;
  }
  return failed != 0;
}
