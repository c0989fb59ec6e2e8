/* Work-groups that wait for one another: all of them at a grid barrier, each for its predecessors (decoupled look-back),
 * each for its successor, and all for one lock. waiting.py knows what they must leave behind. */
#define DEVICE memory_scope_device

/* `phases` rounds; in each, every work-group reads what all others wrote in the round before. */
kernel void grid_barrier(global uint *result, global atomic_uint *arrived, global uint *sums, uint phases) {
  uint groups = get_num_groups(0), group = get_group_id(0), sum = group;
  for (uint phase = 0; phase < phases; phase++) {
    if (get_local_id(0) == 0)
      sums[phase * groups + group] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
      __opencl_atomic_fetch_add(arrived, 1, memory_order_acq_rel, DEVICE);
      while (__opencl_atomic_load(arrived, memory_order_acquire, DEVICE) < groups * (phase + 1))
        ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    sum = 0;
    for (uint i = get_local_id(0); i < groups; i += get_local_size(0))
      sum += sums[phase * groups + i];
    sum = work_group_reduce_add(sum) + group;
  }
  if (get_local_id(0) == 0)
    result[group] = sum;
}

/* Inclusive scan in one pass: a tile's state is its sum (1 in the high word), then the sum up to it (2). */
kernel void look_back(global uint *result, global atomic_ulong *states, global atomic_uint *next, global const uint *in) {
  local uint tile, before;
  uint item = get_local_id(0), size = get_local_size(0);
  if (item == 0)
    tile = __opencl_atomic_fetch_add(next, 1, memory_order_relaxed, DEVICE);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint value = in[tile * size + item], scanned = work_group_scan_inclusive_add(value);
  uint total = work_group_broadcast(scanned, size - 1);
  if (item == 0) {
    uint sum = 0;
    if (tile > 0)
      __opencl_atomic_store(&states[tile], 1ul << 32 | total, memory_order_release, DEVICE);
    for (uint at = tile; at > 0;) {
      ulong state = __opencl_atomic_load(&states[at - 1], memory_order_acquire, DEVICE);
      sum += state >> 32 ? (uint)state : 0;
      if (state >> 32 == 2)
        break;
      at -= state >> 32 != 0;
    }
    __opencl_atomic_store(&states[tile], 2ul << 32 | (uint)(sum + total), memory_order_release, DEVICE);
    before = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  result[tile * size + item] = before + scanned;
}

/* The last work-group goes first: none comes to its end before all are there. */
kernel void successor(global uint *result, global atomic_uint *done) {
  uint groups = get_num_groups(0), group = get_group_id(0);
  if (get_local_id(0) == 0) {
    while (group + 1 < groups && __opencl_atomic_load(&done[group + 1], memory_order_acquire, DEVICE) == 0)
      ;
    result[group] = group + 1 < groups ? result[group + 1] + group : group;
    __opencl_atomic_store(&done[group], 1, memory_order_release, DEVICE);
  }
}

kernel void lock(global uint *result, global atomic_uint *taken, uint rounds) {
  for (uint i = 0; get_local_id(0) == 0 && i < rounds; i++) {
    uint expected = 0;
    while (!__opencl_atomic_compare_exchange_strong(taken, &expected, 1, memory_order_acquire, memory_order_relaxed,
                                                    DEVICE))
      expected = 0;
    *result += 1;
    __opencl_atomic_store(taken, 0, memory_order_release, DEVICE);
  }
}
