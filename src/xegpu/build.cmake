# Loops over vectors' elements are made vector code of.
set_source_files_properties(src/xegpu/exec/elements.c src/xegpu/exec/tiles.c src/xegpu/exec/dpas.c PROPERTIES COMPILE_OPTIONS "-O3;-fno-strict-aliasing;-fno-math-errno;-ffp-contract=off")
