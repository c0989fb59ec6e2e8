# The drop-in HSA runtime: build/hsa/libhsa-runtime64.so.1, and .so beside it for those who open that. It brings
# liboffgrid's objects with it, so that one file is all a program needs.
find_path(HSA_INCLUDE_DIR hsa/hsa_ven_amd_loader.h)
if(NOT HSA_INCLUDE_DIR)
  message(STATUS "libhsa-runtime-dev is not installed: no HSA runtime")
  return()
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_definitions(LITTLEENDIAN_CPU) # hsa.h, which tests include as well, knows the byte order of x86 alone
endif()
file(GLOB OG_HSA_SOURCES CONFIGURE_DEPENDS src/hsa/*.c)
add_library(hsa_runtime SHARED ${OG_HSA_SOURCES})
target_include_directories(hsa_runtime SYSTEM PRIVATE ${HSA_INCLUDE_DIR})
target_link_libraries(hsa_runtime PRIVATE offgrid_static)
target_link_options(hsa_runtime PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/hsa/exports.map -Wl,-Bsymbolic
                    -Wl,-z,defs -Wl,--gc-sections)
set_target_properties(hsa_runtime PROPERTIES OUTPUT_NAME hsa-runtime64 SOVERSION 1
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/hsa LINK_DEPENDS ${CMAKE_SOURCE_DIR}/src/hsa/exports.map)
