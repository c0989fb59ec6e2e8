# Comparisons with independent tools. og_oracle(NAME SCRIPT ARG...): short, in every test run; og_oracle_long: in
# `make oracle`.
function(og_oracle_labelled label name script)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/oracle/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77)
endfunction()
function(og_oracle name script)
  og_oracle_labelled(oracle ${name} ${script} ${ARGN})
endfunction()
function(og_oracle_long name script)
  og_oracle_labelled(long ${name} ${script} ${ARGN})
endfunction()

og_oracle(lint_faults lint_faults.py $<TARGET_FILE:offgrid_tool>)
og_oracle(json_outputs json_outputs.py $<TARGET_FILE:offgrid_tool>)

# Kernel descriptors and linking.
add_executable(descriptor_tool ${CMAKE_CURRENT_LIST_DIR}/descriptor_tool.c)
target_link_libraries(descriptor_tool PRIVATE offgrid_static)
set_target_properties(descriptor_tool PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
og_oracle(descriptor_oracle descriptor_oracle.py $<TARGET_FILE:descriptor_tool> 40 1)
og_oracle_long(descriptor_oracle_long descriptor_oracle.py $<TARGET_FILE:descriptor_tool> 5000)
og_oracle(descriptor_bits descriptor_bits.py $<TARGET_FILE:offgrid_tool> 100 1)
og_oracle_long(descriptor_bits_long descriptor_bits.py $<TARGET_FILE:offgrid_tool> 5000)
og_oracle(launch_inputs launch_inputs.py $<TARGET_FILE:offgrid_tool>)
og_oracle(kernel_code_oracle kernel_code_oracle.py $<TARGET_FILE:offgrid_tool> 60 1)
og_oracle(link_oracle link_oracle.py $<TARGET_FILE:offgrid_tool> 40 1)
og_oracle_long(link_oracle_long link_oracle.py $<TARGET_FILE:offgrid_tool> 300)
og_oracle(link_run link_run.py $<TARGET_FILE:offgrid_tool> 12 1)
og_oracle_long(link_run_long link_run.py $<TARGET_FILE:offgrid_tool> 100)
og_oracle(link_compilers link_compilers.py $<TARGET_FILE:offgrid_tool>)
# What llc makes for every processor and system.
og_oracle(llc_oracle llc_oracle.py $<TARGET_FILE:offgrid_tool> 30 5)
og_oracle_long(llc_oracle_long llc_oracle.py $<TARGET_FILE:offgrid_tool> 600)
# What hipcc, clang-22 and GCC make.
add_executable(blocks_tool ${CMAKE_CURRENT_LIST_DIR}/blocks_tool.c)
target_link_libraries(blocks_tool PRIVATE offgrid_static)
set_target_properties(blocks_tool PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
og_oracle(blocks blocks.py $<TARGET_FILE:blocks_tool>)
add_executable(load_tool ${CMAKE_CURRENT_LIST_DIR}/load_tool.c)
target_link_libraries(load_tool PRIVATE offgrid_static)
set_target_properties(load_tool PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
og_oracle(compilers compilers.py $<TARGET_FILE:offgrid_tool> $<TARGET_FILE:load_tool> 2)
og_oracle_long(compilers_long compilers.py $<TARGET_FILE:offgrid_tool> $<TARGET_FILE:load_tool>)
# What Mesa's ACO makes of Vulkan's shaders.
pkg_check_modules(VULKAN IMPORTED_TARGET vulkan)
if(VULKAN_FOUND)
  add_executable(shader_tool ${CMAKE_CURRENT_LIST_DIR}/shader_tool.c)
  target_link_libraries(shader_tool PRIVATE PkgConfig::VULKAN)
  set_target_properties(shader_tool PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  og_oracle(shaders shaders.py $<TARGET_FILE:offgrid_tool> $<TARGET_FILE:shader_tool> gfx803 gfx1100)
  og_oracle(shader_values shader_values.py $<TARGET_FILE:offgrid_tool> $<TARGET_FILE:shader_tool> 1 gfx1030)
  og_oracle_long(shader_values_long shader_values.py $<TARGET_FILE:offgrid_tool> $<TARGET_FILE:shader_tool>)
  og_oracle_long(shaders_long shaders.py $<TARGET_FILE:offgrid_tool> $<TARGET_FILE:shader_tool>)
endif()
# Directives, macros and sections: object and listing.
og_oracle(cc_variables cc_variables.py --offgrid $<TARGET_FILE:offgrid_tool>)
# Variables in registers: what is shown of them is what they are. Always the same programs, since clang-22 gives some a wrong value
# itself: where it computes of a variable something else and leaves its debug record on that.
foreach(processor gfx900 gfx90a gfx1100)
  og_oracle(cc_variables_${processor} cc_values.py --offgrid $<TARGET_FILE:offgrid_tool> --processor ${processor} --seed 2000 --count 6)
endforeach()
# The same where most of them are spilled to private memory.
og_oracle(cc_variables_spilled cc_values.py --offgrid $<TARGET_FILE:offgrid_tool> --processor gfx900 --registers 12 --seed 2011 --count 1)
og_oracle(cc_random cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 30)
foreach(processor gfx700 gfx803 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1200 gfx1250)
  og_oracle_long(cc_random_${processor} cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --processor ${processor} --programs 60)
  og_oracle_long(cc_calls_${processor} cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --processor ${processor} --calls --programs 40)
  og_oracle_long(cc_spills_${processor} cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --processor ${processor} --registers 12 --programs 40)
endforeach()
og_oracle_long(cc_random_many cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 400 --seed 2)
og_oracle(relax_oracle relax_oracle.py $<TARGET_FILE:offgrid_tool> 70 5)
og_oracle_long(relax_oracle_long relax_oracle.py $<TARGET_FILE:offgrid_tool> 3000 5)
og_oracle(cc_calls cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 10 --calls --seed 4)
og_oracle(cc_calls_split_counters cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --processor gfx1200 --programs 8 --calls --seed 5)
og_oracle(cc_xcnt cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --processor gfx1250 --programs 8 --calls --seed 6)
og_oracle(cc_calls_spills cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 8 --calls --registers 14 --seed 9)
og_oracle(cc_spills cc_random.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 10 --registers 12 --seed 3)
og_oracle(cc_memory_older cc_memory_older.py --offgrid $<TARGET_FILE:offgrid_tool>)
og_oracle(cc_object cc_object.py --offgrid $<TARGET_FILE:offgrid_tool>)
og_oracle_long(cc_object_all cc_object.py --offgrid $<TARGET_FILE:offgrid_tool> --all)
og_oracle(cc_abi cc_abi.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 3 --processors gfx803,gfx1100)
og_oracle_long(cc_abi_all cc_abi.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 30 --seed 2
  --processors gfx600,gfx803,gfx900,gfx90a,gfx942,gfx1010,gfx1030,gfx1100,gfx1200,gfx1250)
og_oracle(cc_abi_spills cc_abi.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 2 --seed 3 --registers 12 --processors gfx900)
og_oracle(cc_limits cc_limits.py --offgrid $<TARGET_FILE:offgrid_tool> --processors gfx90a,gfx1030)
og_oracle_long(cc_limits_all cc_limits.py --offgrid $<TARGET_FILE:offgrid_tool>)
og_oracle(cc_far cc_far.py --offgrid $<TARGET_FILE:offgrid_tool>)
# Work in proportion to the size of a function.
og_oracle_long(cc_linear cc_linear.py --offgrid $<TARGET_FILE:offgrid_tool>)
og_oracle(cc_library cc_library.py --offgrid $<TARGET_FILE:offgrid_tool> --quiet --every 10)
foreach(processor gfx950 gfx1250) # small floats
  og_oracle(cc_library_some_${processor} cc_library.py --offgrid $<TARGET_FILE:offgrid_tool> --quiet --processor ${processor} --only "cvt|dot|swap" --every 13)
endforeach()
foreach(processor gfx600 gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1150 gfx1200 gfx1250)
  og_oracle_long(cc_library_${processor} cc_library.py --offgrid $<TARGET_FILE:offgrid_tool> --quiet --processor ${processor})
endforeach()
og_oracle_long(cc_library_wave64 cc_library.py --offgrid $<TARGET_FILE:offgrid_tool> --quiet --processor gfx1100 --wave64)
og_oracle(cc_atomics cc_atomics.py --offgrid $<TARGET_FILE:offgrid_tool> --processors gfx942)
og_oracle_long(cc_atomics_all cc_atomics.py --offgrid $<TARGET_FILE:offgrid_tool> --processors
               gfx600,gfx700,gfx803,gfx900,gfx908,gfx90a,gfx950,gfx1010,gfx1030,gfx1100,gfx1200,gfx1250)
# Buffers, fat pointers and images.
og_oracle(cc_buffers cc_buffers.py --offgrid $<TARGET_FILE:offgrid_tool> --every 23)
og_oracle(cc_fat_pointers cc_buffers.py --offgrid $<TARGET_FILE:offgrid_tool> --processor gfx1030 --fat 10)
og_oracle(cc_images cc_images.py --offgrid $<TARGET_FILE:offgrid_tool> --every 61)
foreach(processor gfx600 gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1150 gfx1200 gfx1250)
  og_oracle_long(cc_buffers_${processor} cc_buffers.py --offgrid $<TARGET_FILE:offgrid_tool> --processor ${processor})
  og_oracle_long(cc_fat_pointers_${processor} cc_buffers.py --offgrid $<TARGET_FILE:offgrid_tool> --processor ${processor} --fat 100 --seed 2)
endforeach()
foreach(processor gfx600 gfx803 gfx900 gfx1010 gfx1030 gfx1100 gfx1150 gfx1200)
  og_oracle_long(cc_images_${processor} cc_images.py --offgrid $<TARGET_FILE:offgrid_tool> --processor ${processor})
endforeach()
og_oracle(cc_async cc_async.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 6 --every 4)
og_oracle_long(cc_async_many cc_async.py --offgrid $<TARGET_FILE:offgrid_tool> --programs 150 --seed 2)
og_oracle_long(cc_async_others cc_async.py --offgrid $<TARGET_FILE:offgrid_tool> --processors gfx600,gfx700,gfx803,gfx906,gfx908,gfx1010,gfx1030)
og_oracle(cc_waves cc_waves.py --offgrid $<TARGET_FILE:offgrid_tool> --processors gfx900,gfx1200)
og_oracle(cc_attributes cc_attributes.py --offgrid $<TARGET_FILE:offgrid_tool> --processors gfx900,gfx1100,gfx1250)
og_oracle_long(cc_waves_all cc_waves.py --offgrid $<TARGET_FILE:offgrid_tool> --refused)
og_oracle_long(cc_waves_64 cc_waves.py --offgrid $<TARGET_FILE:offgrid_tool> --processors gfx1030,gfx1200 --mattr=+wavefrontsize64)
# Cache operations and policies of atomics and fences, row by row.
og_oracle(cc_memory cc_memory.py --offgrid $<TARGET_FILE:offgrid_tool>)
og_oracle(directive_oracle directive_oracle.py $<TARGET_FILE:offgrid_tool> 60 11)
og_oracle_long(directive_oracle_long directive_oracle.py $<TARGET_FILE:offgrid_tool> 3000 - 20 3)
# Files made to cost memory, in a process that has little.
og_oracle(hostile_memory hostile_memory.py $<TARGET_FILE:offgrid_tool> 8)
og_oracle_long(hostile_memory_long hostile_memory.py $<TARGET_FILE:offgrid_tool>)
og_oracle(hostile_text hostile_text.py $<TARGET_FILE:offgrid_tool>)
og_oracle(wrong_lines wrong_lines.py $<TARGET_FILE:offgrid_tool> 100 1 95)
og_oracle_long(wrong_lines_long wrong_lines.py $<TARGET_FILE:offgrid_tool> 3000 - 94)
# vISA programs accepted and refused as GenX_IR does.
og_oracle(visa_verify visa_verify.py $<TARGET_FILE:offgrid_tool> 60)
og_oracle_long(visa_verify_long visa_verify.py $<TARGET_FILE:offgrid_tool> 600 7)

foreach(processor gfx900 gfx803 gfx90a)
  og_oracle_long(asm_text_${processor} asm_text.py $<TARGET_FILE:offgrid_tool> ${processor} 20000)
endforeach()
# Instructions written from the tables: text and bytes, or refusal.
foreach(processor gfx600 gfx803 gfx906 gfx90a gfx1030 gfx1100 gfx1200)
  og_oracle(asm_generate_${processor} asm_generate.py $<TARGET_FILE:offgrid_tool> ${processor} 1500 9)
endforeach()
foreach(processor gfx600 gfx700 gfx803 gfx810 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950
                  gfx1010 gfx1030 gfx1100 gfx1150 gfx1200 gfx1250)
  og_oracle_long(asm_generate_${processor}_long asm_generate.py $<TARGET_FILE:offgrid_tool> ${processor} 20000)
endforeach()

# With -mattr: wave sizes, true16, features that single processors have; long: each feature, on every processor.
foreach(target gfx1100/-real-true16 gfx1200/+real-true16 gfx1250/+Real-True16
               gfx1250/-wavefrontsize32,+wavefrontsize64 gfx1030/+wavefrontsize32,+wavefrontsize64 gfx904 gfx9-generic)
  og_oracle(asm_generate_${target} asm_generate.py $<TARGET_FILE:offgrid_tool> ${target} 800 9)
endforeach()
og_oracle(asm_generate_features asm_generate.py $<TARGET_FILE:offgrid_tool> gfx1100/few 30 9)
og_oracle_long(asm_generate_features_long asm_generate.py $<TARGET_FILE:offgrid_tool> every/each 2000)

# Latencies of the tables against llvm-mca-22's.
og_oracle(latency_oracle latency_oracle.py $<TARGET_FILE:offgrid_tool> gfx900 gfx950 gfx11 gfx1250)
og_oracle_long(latency_oracle_long latency_oracle.py $<TARGET_FILE:offgrid_tool>)

# Places and texts of errors.
foreach(processor gfx900 gfx1200)
  og_oracle(errors_${processor} error_oracle.py $<TARGET_FILE:offgrid_tool> ${processor} 300 1 95)
endforeach()
foreach(processor gfx900 gfx942 gfx1030 gfx1100 gfx1200)
  og_oracle_long(errors_${processor}_long error_oracle.py $<TARGET_FILE:offgrid_tool> ${processor} 20000 - 96)
endforeach()

og_oracle(errors_directives error_oracle.py $<TARGET_FILE:offgrid_tool> directives 150 1 75)

og_oracle(asm_text asm_text.py $<TARGET_FILE:offgrid_tool> gfx900 2000 1)
# What compilers print: assembled alike, linked, read by others, linted (8 kernels a source).
og_oracle(object_oracle object_oracle.py $<TARGET_FILE:offgrid_tool> 20 1)
og_oracle_long(object_oracle_long object_oracle.py $<TARGET_FILE:offgrid_tool> 250)
# Kernels with calls, recursion, scratch, LDS and many registers: assembled alike, linted, their occupancy as LLVM
# states it.
og_oracle(compiled_kernels compiled_kernels.py $<TARGET_FILE:offgrid_tool> 25 1)
og_oracle_long(compiled_kernels_long compiled_kernels.py $<TARGET_FILE:offgrid_tool> 300)
# What ocloc makes of our kernels survives text -> binary -> text.
og_oracle(visa_roundtrip visa_roundtrip.py $<TARGET_FILE:offgrid_tool>)
og_oracle_long(visa_roundtrip_long visa_roundtrip.py $<TARGET_FILE:offgrid_tool> --all)

# The instruction tables against llvm-mc-22's library.
add_executable(isa_tool ${CMAKE_CURRENT_LIST_DIR}/isa_tool.c)
target_link_libraries(isa_tool PRIVATE offgrid_static)
set_target_properties(isa_tool PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_executable(isa_words ${CMAKE_CURRENT_LIST_DIR}/isa_words.c)
target_link_libraries(isa_words PRIVATE offgrid_static ${CMAKE_DL_LIBS})
set_target_properties(isa_words PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
# Halves of registers or whole ones, and what LLVM marks as wrong.
foreach(generation gfx12 gfx1250)
  og_oracle(isa_${generation}_true16 isa_compare.py --true16 real $<TARGET_FILE:isa_tool> ${generation} 2000 5)
endforeach()
og_oracle(isa_gfx11_fake16 isa_compare.py --true16 fake $<TARGET_FILE:isa_tool> gfx11 2000 5)
og_oracle(isa_gfx11_marks isa_compare.py --marks --true16 fake $<TARGET_FILE:isa_tool> gfx11 2000 5)
og_oracle(isa_gfx1250_marks isa_compare.py --marks $<TARGET_FILE:isa_tool> gfx1250 2000 5)
foreach(generation gfx6 gfx7) # assembled only
  og_oracle(isa_${generation} isa_compare.py $<TARGET_FILE:isa_tool> ${generation} 4000 1)
  og_oracle_long(isa_${generation}_long isa_compare.py $<TARGET_FILE:isa_tool> ${generation} 200000)
endforeach()
foreach(generation gfx8 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950
                   gfx10.1 gfx10.1-dl gfx1013 gfx10.3 gfx11 gfx11.5 gfx12 gfx1250 gfx1251)
  og_oracle(isa_${generation} isa_compare.py $<TARGET_FILE:isa_tool> ${generation} 1500 1)
  og_oracle_long(isa_${generation}_long isa_compare.py $<TARGET_FILE:isa_tool> ${generation} 200000)
  og_oracle_long(isa_${generation}_words isa_compare.py --sieve $<TARGET_FILE:isa_words> $<TARGET_FILE:isa_tool>
                 ${generation} 5000000)
endforeach()

# Headers and tables as llvm-readobj-22 and llvm-readelf-22 print them.
og_oracle(readobj_oracle readobj_oracle.py $<TARGET_FILE:offgrid_tool> 2 1 7)
og_oracle_long(readobj_oracle_long readobj_oracle.py $<TARGET_FILE:offgrid_tool> 60)
# Code and tables as llvm-objdump-22 prints them.
og_oracle(objdump_oracle objdump_oracle.py $<TARGET_FILE:offgrid_tool> 1 gfx900,gfx1030 3 1 6)
og_oracle_long(objdump_oracle_long objdump_oracle.py $<TARGET_FILE:offgrid_tool> 10
               gfx803,gfx900,gfx906,gfx90a,gfx942,gfx1010,gfx1030,gfx1100)
# What `dis` prints assembles to the same code.
og_oracle(text_roundtrip text_roundtrip.py $<TARGET_FILE:offgrid_tool>)
# What assembles is named by `dis`, whatever the mnemonic.
og_oracle(dis_names dis_names.py $<TARGET_FILE:offgrid_tool> 2000 gfx90a,gfx1100,gfx1250)
og_oracle_long(dis_names_long dis_names.py $<TARGET_FILE:offgrid_tool> 30000)
og_oracle_long(text_roundtrip_long text_roundtrip.py $<TARGET_FILE:offgrid_tool> --all)
# LLVM IR: what clang-22 and clang-15 write, and the device libraries.
og_oracle(ir_oracle ir_oracle.py $<TARGET_FILE:offgrid_tool> ${CMAKE_SOURCE_DIR}/tests/programs/opencl 20 7 4)
og_oracle_long(ir_oracle_long ir_oracle.py $<TARGET_FILE:offgrid_tool> ${CMAKE_SOURCE_DIR}/tests/programs/opencl 5000)
# Waits of compiled kernels, taken out one at a time: found, or redundant as the tool says.
og_oracle(waits_planted waits_planted.py $<TARGET_FILE:offgrid_tool>)
og_oracle(waits_deleted waits_deleted.py $<TARGET_FILE:offgrid_tool> 0.01 7)
og_oracle(waits_run waits_run.py $<TARGET_FILE:offgrid_tool>)
og_oracle(waits_gcc waits_gcc.py $<TARGET_FILE:offgrid_tool> 0.04 3 2 gfx900)
og_oracle(waits_dynamic waits_dynamic.py $<TARGET_FILE:offgrid_tool> 0.1 7 02 4)
og_oracle(hazards_deleted hazards_deleted.py $<TARGET_FILE:offgrid_tool>)
og_oracle(hazards_matrix hazards_matrix.py $<TARGET_FILE:offgrid_tool> 22 3)
og_oracle_long(hazards_matrix_long hazards_matrix.py $<TARGET_FILE:offgrid_tool> 1 100)
og_oracle_long(hazards_deleted_long hazards_deleted.py $<TARGET_FILE:offgrid_tool> gfx600 gfx803 gfx900 gfx942)
og_oracle_long(waits_dynamic_long waits_dynamic.py $<TARGET_FILE:offgrid_tool> 0.3 11 0123 60)
og_oracle_long(waits_gcc_long waits_gcc.py $<TARGET_FILE:offgrid_tool> 0.5 3 02 gfx900 gfx906)
og_oracle_long(waits_deleted_long waits_deleted.py $<TARGET_FILE:offgrid_tool> 0.2 11 0123)

# XeGPU in MLIR 22's and 19's spelling: taken and refused as mlir-opt does, and printed so that it reads it back.
og_oracle(xegpu_oracle xegpu_oracle.py --offgrid $<TARGET_FILE:offgrid_tool> --count 50 --read-back 5)
og_oracle_long(xegpu_oracle_long xegpu_oracle.py --offgrid $<TARGET_FILE:offgrid_tool> --count 2000)
og_oracle(hostile_mlir hostile_mlir.py --offgrid $<TARGET_FILE:offgrid_tool> --corpus ${CMAKE_SOURCE_DIR}/tests/lit/xegpu --count 60)
og_oracle_long(hostile_mlir_long hostile_mlir.py --offgrid $<TARGET_FILE:offgrid_tool> --corpus ${CMAKE_SOURCE_DIR}/tests/lit/xegpu --count 3000)

# The compiled tier against the interpreter.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  og_oracle(tier_random tier_random.py $<TARGET_FILE:offgrid_tool> 60 10)
  og_oracle(tier_random_sums tier_random.py $<TARGET_FILE:offgrid_tool> 40 560)
  og_oracle_long(tier_random_long tier_random.py $<TARGET_FILE:offgrid_tool> 5000)
endif()
