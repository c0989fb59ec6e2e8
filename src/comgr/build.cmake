# A cache before ROCm's code object manager: build/hsa/comgr/libamd_comgr.so.2, which `offgrid exec` puts before the real
# library of that name. It needs nothing but the C library, since it gets into every HIP program.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" OR NOT TARGET hsa_runtime) # HIP is for that machine
  return()
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/comgr/exports.map)
file(STRINGS src/comgr/exports.map exports REGEX "^    amd_comgr_.*;")
list(TRANSFORM exports REPLACE " +(amd_comgr_[a-z_]+).*" "FUNCTION(\\1)")
list(JOIN exports "\n" functions)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/comgr/functions.def CONTENT "${functions}\n")

file(GLOB OG_COMGR_SOURCES CONFIGURE_DEPENDS src/comgr/*.c)
add_library(comgr_cache SHARED ${OG_COMGR_SOURCES})
target_include_directories(comgr_cache PRIVATE src ${CMAKE_BINARY_DIR}/generated)
target_compile_options(comgr_cache PRIVATE -fvisibility=hidden)
target_link_options(comgr_cache PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/comgr/exports.map -Wl,-Bsymbolic
                    -Wl,-z,defs -Wl,--gc-sections)
set_target_properties(comgr_cache PROPERTIES OUTPUT_NAME amd_comgr SOVERSION 2
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/hsa/comgr LINK_DEPENDS ${CMAKE_SOURCE_DIR}/src/comgr/exports.map)

# The command looks for the real library before it puts this one there.
target_sources(offgrid_tool PRIVATE src/comgr/find.c)
set_property(SOURCE src/tool/exec.c APPEND PROPERTY COMPILE_DEFINITIONS OG_HAVE_COMGR_CACHE)
set_property(SOURCE src/comgr/find.c APPEND PROPERTY
  COMPILE_DEFINITIONS "OG_LIBRARY_ARCHITECTURE=\"${CMAKE_LIBRARY_ARCHITECTURE}\"")
