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
#include "textures.cpp"
#include "modules.cpp"
#include "devices.cpp"
#include "errors.cpp"
#include "deadly.cpp"

int main(int argc, char **argv) { return run_cases(argc, argv); }
