# What `make install` puts where: command, library, header, CMake package, pkg-config file, Python package, documents,
# man pages, completion.
include(CMakePackageConfigHelpers)
install(TARGETS offgrid_tool RUNTIME)
install(TARGETS offgrid EXPORT offgrid-targets LIBRARY)
if(TARGET hsa_runtime) # where no other program finds it by chance; `offgrid exec` looks there
  install(TARGETS hsa_runtime LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/offgrid)
endif()
if(TARGET comgr_cache)
  install(TARGETS comgr_cache LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/offgrid/comgr NAMELINK_SKIP)
endif()
install(FILES include/offgrid.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT offgrid-targets NAMESPACE offgrid:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/offgrid)
file(WRITE ${CMAKE_BINARY_DIR}/offgrid-config.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/offgrid-targets.cmake)\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/offgrid-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/offgrid-config.cmake ${CMAKE_BINARY_DIR}/offgrid-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/offgrid)
# Seen from where the file is, since `cmake --install --prefix` may choose another place than was configured.
file(RELATIVE_PATH OG_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/offgrid.pc.in ${CMAKE_BINARY_DIR}/offgrid.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/offgrid.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE NOTICE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.png")
set(OG_PYTHON_DIR lib/python3/dist-packages CACHE STRING "where the Python package goes, below the prefix")
install(DIRECTORY python/offgrid DESTINATION ${OG_PYTHON_DIR} FILES_MATCHING PATTERN "*.py")
install(FILES tools/offgrid.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME offgrid)

# Man pages are what the command says of itself. A cross build runs nothing of the target's without an emulator.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "cross build without CMAKE_CROSSCOMPILING_EMULATOR: no man pages")
  return()
endif()
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/man/offgrid.1
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/make-man.py ${CMAKE_BINARY_DIR}/man
          ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:offgrid_tool>
  DEPENDS offgrid_tool tools/make-man.py)
add_custom_target(man ALL DEPENDS ${CMAKE_BINARY_DIR}/man/offgrid.1)
install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
