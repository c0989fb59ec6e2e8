# The Python package over the library that was built. With sanitizers the library does not load into Python.
if(NOT OG_SANITIZE AND NOT OG_THREAD_SANITIZE AND NOT OG_FUZZ)
  add_test(NAME python COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/python/test_offgrid.py)
  set_tests_properties(python PROPERTIES ENVIRONMENT
    "PYTHONPATH=${CMAKE_SOURCE_DIR}/python;OFFGRID_LIBRARY=$<TARGET_FILE:offgrid>;PYTHONDONTWRITEBYTECODE=1")
endif()
