# The processor table, from processors.txt.
set(generated ${CMAKE_BINARY_DIR}/generated/target/processors.inc ${CMAKE_BINARY_DIR}/generated/target/features.inc)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/target)
add_custom_command(OUTPUT ${generated}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/src/target/generate.py ${CMAKE_SOURCE_DIR}/src/target/processors.txt
          ${generated}
  DEPENDS ${CMAKE_SOURCE_DIR}/src/target/generate.py ${CMAKE_SOURCE_DIR}/src/target/processors.txt)
add_custom_target(offgrid_processors DEPENDS ${generated})
add_dependencies(offgrid_objects offgrid_processors)
