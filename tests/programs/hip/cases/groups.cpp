// Work-groups: LDS of both kinds, barriers, shapes of grids, cooperative groups, occupancy.
#include <hip/hip_cooperative_groups.h>
__global__ void reverse_static(int *data) {
  __shared__ int part[256];
  part[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 256 + threadIdx.x] = part[255 - threadIdx.x];
}
__global__ void sum_dynamic(const int *in, int *out) {
  extern __shared__ int part[];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned step = blockDim.x / 2; step; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step)
      part[threadIdx.x] += part[threadIdx.x + step];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

CASE(static_lds_is_shared_by_a_group) {
  std::vector<int> in(1024);
  for (int i = 0; i < 1024; i++)
    in[i] = i;
  on_device<int> data(in);
  reverse_static<<<4, 256>>>(data.data);
  std::vector<int> got = data.read();
  for (int i = 0; i < 1024; i++)
    EXPECT(got[i] == i / 256 * 256 + 255 - i % 256);
}

CASE(dynamic_lds_has_the_size_of_the_launch) {
  for (int size : {64, 128, 512, 1024}) {
    std::vector<int> in(size * 3, 2);
    on_device<int> data(in), out(3);
    sum_dynamic<<<3, size, size * sizeof(int)>>>(data.data, out.data);
    for (int x : out.read())
      EXPECT(x == 2 * size);
  }
}

__global__ void place(int3 *out, dim3 *sizes) {
  int group = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int item = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int size = blockDim.x * blockDim.y * blockDim.z;
  out[group * size + item] = make_int3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                                       blockIdx.z * blockDim.z + threadIdx.z);
  if (group == 0 && item == 0)
    sizes[0] = gridDim, sizes[1] = blockDim;
}

CASE(grids_have_three_dimensions) {
  dim3 grid(3, 2, 4), block(5, 7, 2);
  on_device<int3> out(24 * 70);
  on_device<dim3> sizes(2);
  place<<<grid, block>>>(out.data, sizes.data);
  GOOD(hipDeviceSynchronize());
  std::vector<int3> got = out.read();
  std::vector<bool> seen(15 * 14 * 8);
  for (const int3 &p : got) {
    EXPECT(p.x < 15 && p.y < 14 && p.z < 8);
    seen[(p.z * 14 + p.y) * 15 + p.x] = true;
  }
  for (bool s : seen)
    EXPECT(s);
  EXPECT(sizes.read()[0].z == 4 && sizes.read()[1].y == 7);
}

__global__ void barriers_that_count(int *out) {
  int odd = __syncthreads_count(threadIdx.x & 1), all = __syncthreads_and(threadIdx.x < 1000),
      any = __syncthreads_or(threadIdx.x == 77);
  out[threadIdx.x] = odd * 4 + (all != 0) * 2 + (any != 0);
}
CASE(barriers_count_and_vote) {
  on_device<int> out(192);
  barriers_that_count<<<1, 192>>>(out.data);
  for (int x : out.read())
    EXPECT(x == 96 * 4 + 3);
}

__global__ void tiles(int *out) {
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int value = (int)block.thread_rank();
  for (int step = 8; step; step /= 2)
    value += tile.shfl_down(value, step);
  block.sync();
  if (tile.thread_rank() == 0)
    out[block.thread_rank() / 16] = value;
}
CASE(tiles_of_a_group_reduce) {
  on_device<int> out(8);
  tiles<<<1, 128>>>(out.data);
  std::vector<int> got = out.read();
  for (int i = 0; i < 8; i++)
    EXPECT(got[i] == 16 * 16 * i + 120);
}

__global__ void whole_grid(int *data, int n, int *out) {
  namespace cg = cooperative_groups;
  cg::grid_group grid = cg::this_grid();
  for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
    data[i] = i;
  grid.sync();
  int at = (int)grid.thread_rank();
  out[at] = data[n - 1 - at];
}
CASE(a_cooperative_grid_synchronises) {
  int n = 2048;
  on_device<int> data(n), out(1024);
  void *arguments[] = {&data.data, &n, &out.data};
  GOOD(hipLaunchCooperativeKernel((void *)whole_grid, dim3(8), dim3(128), arguments, 0, 0));
  GOOD(hipDeviceSynchronize());
  std::vector<int> got = out.read();
  for (int i = 0; i < 1024; i++)
    EXPECT(got[i] == n - 1 - i);
}

CASE(occupancy_is_told) {
  int blocks = 0, grid = 0, block = 0;
  GOOD(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse_static, 256, 0));
  EXPECT(blocks > 0);
  GOOD(hipOccupancyMaxPotentialBlockSize(&grid, &block, reverse_static, 0, 0));
  EXPECT(grid > 0 && block > 0 && block <= 1024);
  hipFuncAttributes attributes;
  GOOD(hipFuncGetAttributes(&attributes, (const void *)reverse_static));
  EXPECT(attributes.sharedSizeBytes == 1024 && attributes.maxThreadsPerBlock >= 256);
}
