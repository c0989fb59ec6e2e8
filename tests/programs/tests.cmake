# OpenCL programs on offgrid against PoCL and against what piglit expects. 77: a compiler or a driver is not installed.
set(programs ${CMAKE_CURRENT_SOURCE_DIR}/programs)
find_program(CLANG_22 clang-22)
if(CLANG_22)
  add_test(NAME programs_opencl COMMAND ${Python3_EXECUTABLE} ${programs}/run.py --offgrid $<TARGET_FILE:offgrid_tool>)
  set_tests_properties(programs_opencl PROPERTIES LABELS programs SKIP_RETURN_CODE 77)
  add_test(NAME programs_piglit COMMAND ${Python3_EXECUTABLE} ${programs}/piglit.py --offgrid $<TARGET_FILE:offgrid_tool> --every 12)
  set_tests_properties(programs_piglit PROPERTIES LABELS programs SKIP_RETURN_CODE 77)
endif()
