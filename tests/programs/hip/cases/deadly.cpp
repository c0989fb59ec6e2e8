// What ends the process, as it does on hardware: each is run alone, and its message read.
#include <cassert>
__global__ void write_through_null(int *p) { p[threadIdx.x] = 1; }
CASE(a_stray_write_ends_the_process, DEADLY) {
  write_through_null<<<1, 1>>>((int *)0x10);
  (void)hipDeviceSynchronize();
  printf("still here\n");
}

__global__ void trap() { __builtin_trap(); }
CASE(a_trap_ends_the_process, DEADLY) {
  trap<<<1, 1>>>();
  (void)hipDeviceSynchronize();
  printf("still here\n");
}

__global__ void asserts(int n) { assert(n < 3 && "small"); }
CASE(a_failed_assertion_ends_the_process, DEADLY) {
  asserts<<<1, 1>>>(5);
  (void)hipDeviceSynchronize();
  printf("still here\n");
}

__global__ void forever(volatile int *p) {
  while (*p == 0)
    ;
}
CASE(an_endless_kernel_ends_the_process, DEADLY) {
  on_device<int> p(std::vector<int>(1, 0));
  forever<<<1, 1>>>(p.data);
  (void)hipDeviceSynchronize();
  printf("still here\n");
}
