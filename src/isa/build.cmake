# The instruction tables become C at build time.
file(GLOB OG_ISA_TABLES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/isa/*.isa ${CMAKE_SOURCE_DIR}/isa/*.py ${CMAKE_SOURCE_DIR}/isa/rules/*.py)
add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/generated/isa/isa_tables.c ${CMAKE_BINARY_DIR}/generated/isa/rows.h
  COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/isa/generate.py ${CMAKE_BINARY_DIR}/generated/isa
  DEPENDS ${OG_ISA_TABLES} COMMENT "Generating instruction tables")
add_custom_target(offgrid_isa_tables
  DEPENDS ${CMAKE_BINARY_DIR}/generated/isa/isa_tables.c ${CMAKE_BINARY_DIR}/generated/isa/rows.h)
target_sources(offgrid_objects PRIVATE ${CMAKE_BINARY_DIR}/generated/isa/isa_tables.c)
add_dependencies(offgrid_objects offgrid_isa_tables)
