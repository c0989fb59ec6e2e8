# The instruction tables against llvm-mc-22's library.
add_executable(isa_tool ${CMAKE_CURRENT_LIST_DIR}/isa_tool.c)
target_link_libraries(isa_tool PRIVATE offgrid_static)
set_target_properties(isa_tool PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
