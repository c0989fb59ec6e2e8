# Numbers of type index, and addresses made of them, wrap around as the type does; what an access then touches is held against
# its memory.
file(GLOB executor src/xegpu/exec/*.c)
set_property(SOURCE ${executor} APPEND PROPERTY COMPILE_OPTIONS -fno-strict-overflow)
# Loops over vectors' elements are made vector code of.
set_property(SOURCE src/xegpu/exec/elements.c src/xegpu/exec/tiles.c src/xegpu/exec/dpas.c APPEND PROPERTY
             COMPILE_OPTIONS -O3 -fno-strict-aliasing -fno-math-errno -ffp-contract=off)
