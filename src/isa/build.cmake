# The instruction tables become C at build time. OG_EXTRA_TABLES names a folder with more of them: *.isa, *.sem and
# processors.txt, as for a generation that is not out yet (docs/isa-tables.md).
set(OG_EXTRA_TABLES "" CACHE PATH "a folder with further instruction tables")
file(GLOB OG_ISA_TABLES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/isa/*.isa ${CMAKE_SOURCE_DIR}/isa/*.py
     ${CMAKE_SOURCE_DIR}/isa/rules/*.py)
set(OG_EXTRA_ISA "")
if(OG_EXTRA_TABLES)
  file(GLOB OG_EXTRA_ISA CONFIGURE_DEPENDS ${OG_EXTRA_TABLES}/*.isa)
endif()
set(made ${CMAKE_BINARY_DIR}/generated/isa)
add_custom_command(
  OUTPUT ${made}/isa_tables.c ${made}/rows.h ${made}/isas.inc
  COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/isa/generate.py ${made} ${OG_EXTRA_ISA}
  DEPENDS ${OG_ISA_TABLES} ${OG_EXTRA_ISA} COMMENT "Generating instruction tables")
add_custom_target(offgrid_isa_tables DEPENDS ${made}/isa_tables.c ${made}/rows.h ${made}/isas.inc)
target_sources(offgrid_objects PRIVATE ${made}/isa_tables.c)
add_dependencies(offgrid_objects offgrid_isa_tables)
