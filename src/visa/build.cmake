# The vISA arithmetic is compiled for several levels of x86-64 and chosen at start.
set(OG_ALU_OPTIONS ${optimize} -fno-math-errno -fno-trapping-math -ffp-contract=off)
if(CMAKE_C_COMPILER_ID MATCHES Clang)
  list(APPEND OG_ALU_OPTIONS -Wno-pass-failed)
endif()
set_source_files_properties(src/visa/alu/baseline.c PROPERTIES COMPILE_OPTIONS "${OG_ALU_OPTIONS}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(src/visa/alu/avx2.c PROPERTIES COMPILE_OPTIONS "${OG_ALU_OPTIONS};-march=x86-64-v3")
  set_source_files_properties(src/visa/alu/avx512.c PROPERTIES COMPILE_OPTIONS
                              "${OG_ALU_OPTIONS};-march=x86-64-v4;-mprefer-vector-width=512")
endif()
