# The public interface: its binary form, and the examples that use it.
if(NOT OG_SANITIZE AND NOT OG_THREAD_SANITIZE AND NOT OG_FUZZ AND NOT CMAKE_CROSSCOMPILING)
  add_test(NAME abi COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/abi/abi.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  set_tests_properties(abi PROPERTIES LABELS programs SKIP_RETURN_CODE 77)
endif()
if(NOT OG_THREAD_SANITIZE AND NOT OG_FUZZ)
  add_test(NAME examples COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/abi/examples.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  set_tests_properties(examples PROPERTIES LABELS programs)
endif()
