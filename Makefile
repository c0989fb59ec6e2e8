# The front door: each target installs what is missing, builds and does the thing. CMake does the work.

BUILD ?= build
CMAKE_FLAGS ?=
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
LIT ?= $(firstword $(wildcard /usr/lib/llvm-22/bin/lit) lit)

.PHONY: all demo test always check-clang check-sanitizers check-threads oracle hecbench bench fuzz install deb aarch64 clean

all: $(BUILD)/build.ninja
	cmake --build $(BUILD)

$(BUILD)/build.ninja:
	tools/install-packages build
	cmake -G Ninja -B $(BUILD) $(CMAKE_FLAGS) .

# Assemble an example kernel, run it, show its picture and figures.
demo: all
	$(BUILD)/examples/mandelbrot examples/mandelbrot.s mandelbrot.png

# Everything CI runs: unit, lit, oracle and program tests; clang's warnings; the sanitizers, ThreadSanitizer apart.
test:
	tools/install-packages test
	cmake -G Ninja -B $(BUILD) $(CMAKE_FLAGS) .
	cmake --build $(BUILD)
	ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -LE long
	$(MAKE) check-clang check-sanitizers check-threads

check-clang:
	cmake -G Ninja -B build-clang -DCMAKE_C_COMPILER=clang-22 .
	cmake --build build-clang --target offgrid_generated
	tools/check-warnings build-clang

# What the sanitizers run in CI; `make check-sanitizers SANITIZED=.` has them run the other programs, too, but for those that take
# minutes each, which takes half an hour. Leaks are looked for in tests, not in each of lit's two thousand commands.
SANITIZED ?= ^(test_|fuzz_|hsa_|debug_|examples|programs_(images|rays|random|visa_print|visa_check_short)$$)
SANITIZE_HOST_LEVELS ?=
check-sanitizers:
	cmake -G Ninja -B build-sanitize -DOG_SANITIZE=ON -DOG_HOST_LEVELS=$(SANITIZE_HOST_LEVELS) .
	cmake --build build-sanitize
	OFFGRID_VALUES_TRIES=3 ctest --test-dir build-sanitize --output-on-failure -j $(JOBS) -R '$(SANITIZED)' -L 'unit|programs' -E 'value_rows|visa_layout|cc_quality|check_shapes|programs_xegpu|test_values_|programs_graphics|programs_crossings|test_escape'
	ASAN_OPTIONS=detect_leaks=0 LIT_FILTER_OUT='weak_|litmus/|tool/' \
	  $(LIT) -sv --param build=$(CURDIR)/build-sanitize tests/lit

# ThreadSanitizer over what has threads: queues, the runtime, the C interface, runs of kernels. The tables of a generation that
# is not there are built in as well: another build for them alone would take minutes.
check-threads:
	cmake -G Ninja -B build-threads -DOG_THREAD_SANITIZE=ON -DOG_HOST_LEVELS= -DOG_EXTRA_TABLES=$(CURDIR)/tests/programs/new_generation .
	cmake --build build-threads --target offgrid_tool test_queue test_api test_api_device test_arguments hsa_signals hsa_queues hsa_stress hsa_threads \
	  hsa_packets hsa_packet_races hsa_checks hsa_vmem
	TSAN_OPTIONS=suppressions=$(CURDIR)/tests/threads.suppressions \
	  ctest --test-dir build-threads --output-on-failure -j $(JOBS) -R '^(new_generation|test_(queue|api|api_device|arguments)|hsa_(signals|queues|stress|threads|packets|packet_races|checks|vmem))$$'
	TSAN_OPTIONS=suppressions=$(CURDIR)/tests/threads.suppressions $(LIT) -sv --param build=$(CURDIR)/build-threads tests/lit/run

# Every test that executes kernels, with all that is reached compiled, and with code for what was seen alone
# (docs/design.md, "The compiled tier").
always: all
	tools/install-packages test
	OFFGRID_COMPILE=always ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -L 'unit|programs|documents' -LE long
	OFFGRID_COMPILE=always $(LIT) -sv --param build=$(CURDIR)/$(BUILD) tests/lit/run tests/lit/exec tests/lit/debug tests/lit/check
	OFFGRID_COMPILE=seen ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -L programs -LE long

# The long campaigns against independent tools.
oracle: all
	ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -L long

# HeCBench's programs, which the user unpacks somewhere: make hecbench HECBENCH=path/to/HeCBench [GPU=gfx906,gfx1030].
# Hours at first; goes on where it was stopped, and ends with the table of docs/programs.md. MODEL=cc has the device code
# compiled by `offgrid cc` (and prints the table), MODEL=ompcc that of the OpenMP programs.
GPU ?= gfx906
MODEL ?= hip
hecbench: all
	test -n "$(HECBENCH)" || { echo "HECBENCH=folder of the unpacked HeCBench is expected"; exit 2; }
	python3 tests/hecbench/hecbench.py --hecbench "$(HECBENCH)" --build $(BUILD) --gpu $(GPU) --model $(MODEL) build run $(if $(filter cc ompcc,$(MODEL)),table,document)

bench: all
	tools/install-packages test
	python3 bench/run.py --build $(BUILD)

# Every fuzz target for five minutes (FUZZ_SECONDS says otherwise).
FUZZ_SECONDS ?= 300
fuzz:
	tools/install-packages test
	cmake -G Ninja -B build-fuzz -DOG_FUZZ=ON -DCMAKE_C_COMPILER=clang-22 .
	cmake --build build-fuzz --target fuzz_targets
	python3 tests/fuzz/run.py --build build-fuzz --seconds $(FUZZ_SECONDS)

install: all
	cmake --install $(BUILD) --prefix $(PREFIX) --strip

# offgrid_VERSION_ARCHITECTURE.deb, in the build folder.
deb: all
	cpack -G DEB -B $(BUILD) --config $(BUILD)/CPackConfig.cmake

# Cross build for 64-bit Arm, with its unit tests under qemu-user.
aarch64:
	tools/install-packages aarch64
	cmake -G Ninja -B build-aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake .
	cmake --build build-aarch64
	ctest --test-dir build-aarch64 --output-on-failure -j $(JOBS) -L unit

clean:
	rm -rf build build-clang build-sanitize build-threads build-fuzz build-aarch64
