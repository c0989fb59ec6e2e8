# Handlers from isa/semantics.sem; those of vector instructions once per host instruction set.
set(generated ${CMAKE_BINARY_DIR}/generated/exec)
file(MAKE_DIRECTORY ${generated})
set(meanings ${CMAKE_SOURCE_DIR}/isa/semantics.sem)
if(OG_EXTRA_TABLES)
  file(GLOB more CONFIGURE_DEPENDS ${OG_EXTRA_TABLES}/*.sem)
  list(APPEND meanings ${more})
endif()
set(semantics ${generated}/scalar_ops.inc ${generated}/vector_ops.inc ${generated}/vector_rows.inc
  ${generated}/near_rows.inc)
add_custom_command(OUTPUT ${semantics}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/isa/semantics.py ${generated} ${meanings} ${OG_EXTRA_ISA}
  DEPENDS ${CMAKE_SOURCE_DIR}/isa/semantics.py ${meanings} ${OG_ISA_TABLES} ${OG_EXTRA_ISA})
add_custom_target(offgrid_semantics DEPENDS ${semantics})
add_dependencies(offgrid_objects offgrid_semantics)

# Float arithmetic is done as written, in the order written. The host's exception flags are read of single sums and products
# alone (trap_flags.c).
# Sanitizers take minutes for more than -O1, and a Debug build is made to be there soon.
if(OG_FUZZ OR OG_SANITIZE OR OG_THREAD_SANITIZE)
  set(optimize -O1)
else()
  set(optimize $<IF:$<CONFIG:Debug>,-O0,-O3>)
endif()
set(float_options ${optimize} -fno-math-errno -fno-trapping-math)
if(CMAKE_C_COMPILER_ID STREQUAL Clang) # it warns of the loops that it leaves scalar; what is tuned for is gcc
  list(APPEND float_options -Wno-pass-failed)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(v4 -march=x86-64-v4 -mprefer-vector-width=512)
  set(v3 -march=x86-64-v3)
  set(base -march=x86-64-v2)
endif()
foreach(variant v4 v3 base)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/exec/vector_${variant}.c PROPERTIES
    COMPILE_OPTIONS "${float_options};-Wno-psabi;${${variant}}")
endforeach()

# Loops over lanes for any machine.
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/exec/vector.c ${CMAKE_SOURCE_DIR}/src/exec/lanes.c
  ${CMAKE_SOURCE_DIR}/src/exec/interpolate.c PROPERTIES
  COMPILE_OPTIONS "${optimize};${base}")

# Matrices and conversions: the same arithmetic.
foreach(variant v4 v3 base)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/exec/convert_${variant}.c PROPERTIES
    COMPILE_OPTIONS "${float_options};-Wno-psabi;${${variant}}")
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/exec/matrix_${variant}.c PROPERTIES
    COMPILE_OPTIONS "${float_options};-Wno-psabi;${${variant}}")
endforeach()
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/exec/matrix_careful.c PROPERTIES COMPILE_OPTIONS "${float_options}")

# Loads and stores; -Wno-psabi: vectors wider than the host's are passed only to inlined functions.
foreach(variant v4 v3 base)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/exec/transfer_${variant}.c PROPERTIES
    COMPILE_OPTIONS "${optimize};-Wno-psabi;${${variant}}")
endforeach()
