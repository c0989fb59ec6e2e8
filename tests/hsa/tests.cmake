# The HSA library: C programs that link to it as any program would (label: programs). `test_*.c` are cmocka programs.
if(NOT TARGET hsa_runtime)
  return()
endif()
add_test(NAME hsa_exports
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hsa/exports.py ${CMAKE_SOURCE_DIR} $<TARGET_FILE:hsa_runtime>)
set_tests_properties(hsa_exports PROPERTIES LABELS programs)
file(GLOB hsa_tests CONFIGURE_DEPENDS hsa/test_*.c)
foreach(source ${hsa_tests})
  get_filename_component(name ${source} NAME_WE)
  string(REPLACE test_ hsa_ name ${name})
  add_executable(${name} ${source})
  target_include_directories(${name} SYSTEM PRIVATE ${HSA_INCLUDE_DIR})
  target_link_libraries(${name} PRIVATE hsa_runtime PkgConfig::CMOCKA Threads::Threads)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS programs ENVIRONMENT "OFFGRID_GPU=gfx906,gfx1030;OFFGRID_LOG=none")
endforeach()
foreach(name hsa_executables hsa_copies hsa_pointers hsa_shared hsa_images hsa_queues hsa_stress hsa_threads hsa_packets
        hsa_host_memory hsa_vmem hsa_checks hsa_orders hsa_info hsa_packet_races) # which assemble what they load
  target_link_libraries(${name} PRIVATE offgrid_static)
endforeach()
# All of the stress, 100,000 packets of each thread for each queue: `ctest -L long -R hsa_stress`.
add_test(NAME hsa_stress_long COMMAND hsa_stress)
set_tests_properties(hsa_stress_long PROPERTIES LABELS long
  ENVIRONMENT "OFFGRID_GPU=gfx906;OFFGRID_LOG=none;OFFGRID_STRESS=100000")
# The table at the end has a line for each kernel.
add_test(NAME hsa_statistics COMMAND hsa_stress)
set_tests_properties(hsa_statistics PROPERTIES LABELS programs
  ENVIRONMENT "OFFGRID_GPU=gfx906;OFFGRID_LOG=statistics;OFFGRID_STRESS=50"
  PASS_REGULAR_EXPRESSION "offgrid:        800 .*  step")
# The log has calls and dispatches.
add_test(NAME hsa_log COMMAND hsa_stress)
set_tests_properties(hsa_log PROPERTIES LABELS programs ENVIRONMENT "OFFGRID_GPU=gfx906;OFFGRID_LOG=all;OFFGRID_STRESS=2"
  PASS_REGULAR_EXPRESSION
  "offgrid: hsa_queue_create: [0-9.]+ us.*offgrid: gfx906: step: grid 64x1x1, work-groups of 64x1x1, 1 waves, [0-9.]+ ms")
# The timeline has the dispatches and the host's calls.
add_test(NAME hsa_trace COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hsa/trace.py $<TARGET_FILE:hsa_stress>)
set_tests_properties(hsa_trace PROPERTIES LABELS programs ENVIRONMENT "OFFGRID_GPU=gfx906;OFFGRID_STRESS=50")
# Processes that are killed leave nothing behind.
add_test(NAME hsa_killed
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hsa/killed.py $<TARGET_FILE:hsa_stress> $<TARGET_FILE:hsa_shared>
  $<TARGET_FILE:hsa_threads>)
set_tests_properties(hsa_killed PROPERTIES LABELS programs)
# One that runs for ever is stopped: apart, for the time limit is the process's.
add_test(NAME hsa_timeout COMMAND hsa_queues --endless)
set_tests_properties(hsa_timeout PROPERTIES LABELS programs
  ENVIRONMENT "OFFGRID_GPU=gfx906;OFFGRID_TIMEOUT=0.05"
  PASS_REGULAR_EXPRESSION "kernel 'endless': stopped before it came to its end: out of time, at endless.0x0 's_branch")
find_program(ROCMINFO rocminfo)
if(ROCMINFO AND NOT OG_SANITIZE AND NOT OG_THREAD_SANITIZE) # it would have to bring their libraries
  add_library(rocminfo_host MODULE hsa/rocminfo_host.c)
  target_link_libraries(rocminfo_host PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(rocminfo_host PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME hsa_rocminfo COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hsa/rocminfo.py
    $<TARGET_FILE:hsa_runtime> $<TARGET_FILE:rocminfo_host>)
  set_tests_properties(hsa_rocminfo PROPERTIES LABELS programs)
endif()
