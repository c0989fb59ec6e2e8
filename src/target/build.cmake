# The processors, from processors.txt, and the list of generations, from isa/generations.isa.
set(generated ${CMAKE_BINARY_DIR}/generated/target)
file(MAKE_DIRECTORY ${generated})
set(processors ${CMAKE_SOURCE_DIR}/src/target/processors.txt)
file(GLOB generations CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/isa/generations.isa)
if(OG_EXTRA_TABLES)
  list(APPEND processors ${OG_EXTRA_TABLES}/processors.txt)
  file(GLOB more CONFIGURE_DEPENDS ${OG_EXTRA_TABLES}/*.isa)
  list(APPEND generations ${more})
endif()
set(made ${generated}/processors.inc ${generated}/features.inc ${generated}/generations.inc)
add_custom_command(OUTPUT ${made}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/src/target/generate.py ${generated} ${generations} ${processors}
  DEPENDS ${CMAKE_SOURCE_DIR}/src/target/generate.py ${processors} ${generations})
add_custom_target(offgrid_processors DEPENDS ${made})
add_dependencies(offgrid_objects offgrid_processors)
