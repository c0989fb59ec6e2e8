# The debugger: a session of the Debug Adapter Protocol, and the walk-through of its document.
add_test(NAME debug_dap COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/debug/dap_session.py
  --offgrid $<TARGET_FILE:offgrid_tool> ${CMAKE_SOURCE_DIR}/tests/lit/debug/Inputs/sum.s)
set_tests_properties(debug_dap PROPERTIES LABELS programs)
add_test(NAME debug_document COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/programs/document.py
  --offgrid $<TARGET_FILE:offgrid_tool> ${CMAKE_SOURCE_DIR}/docs/debugger.md)
set_tests_properties(debug_document PROPERTIES LABELS programs SKIP_RETURN_CODE 77)
add_test(NAME debug_terminal COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/debug/terminal.py
  --offgrid $<TARGET_FILE:offgrid_tool>)
set_tests_properties(debug_terminal PROPERTIES LABELS programs)
add_test(NAME debug_report COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/debug/report_page.py
  --offgrid $<TARGET_FILE:offgrid_tool> ${CMAKE_SOURCE_DIR}/tests/lit/debug/Inputs/sum.s)
set_tests_properties(debug_report PROPERTIES LABELS programs SKIP_RETURN_CODE 77)
