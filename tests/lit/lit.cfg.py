"""lit configuration: a test is one readable file that runs the command and matches what it prints."""
import os
import sys
import lit.formats

build = lit_config.params.get("build", os.path.join(os.path.dirname(__file__), "../../build"))
config.name = "offgrid"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".s", ".ll", ".visaasm", ".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(build, "tests/lit")
config.environment["PATH"] = os.path.pathsep.join([build, "/usr/lib/llvm-22/bin", os.environ["PATH"]])
for name in ("OFFGRID_COMPILE", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions.append(("%offgrid", os.path.join(build, "offgrid")))
config.substitutions.append(("FileCheck", "/usr/lib/llvm-22/bin/FileCheck"))
config.substitutions.append(("%not", "/usr/lib/llvm-22/bin/not"))
config.substitutions.append(("%python", sys.executable))
if os.path.exists(os.path.join(build, "hsa/libhsa-runtime64.so.1")):
    config.available_features.add("hsa-runtime")

# Sanitizers take most of the address space for themselves.
with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
    if not any(line.startswith(("OG_SANITIZE:BOOL=ON", "OG_THREAD_SANITIZE:BOOL=ON")) for line in cache):
        config.available_features.add("address-limits")
