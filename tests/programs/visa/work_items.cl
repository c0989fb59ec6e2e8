/* Every function that tells a work-item where it is, and what sub-groups and work-groups tell one another: visa_items.py
   works out what must come. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

kernel void places(global ulong *out) {
  size_t n = get_global_linear_id();
  global ulong *to = out + n * 40;
  to[0] = get_work_dim();
  for (uint d = 0; d < 3; d++) {
    to[1 + d] = get_global_size(d);
    to[4 + d] = get_global_id(d);
    to[7 + d] = get_local_size(d);
    to[10 + d] = get_enqueued_local_size(d);
    to[13 + d] = get_local_id(d);
    to[16 + d] = get_num_groups(d);
    to[19 + d] = get_group_id(d);
    to[22 + d] = get_global_offset(d);
  }
  to[25] = get_global_linear_id();
  to[26] = get_local_linear_id();
  to[27] = get_sub_group_size();
  to[28] = get_max_sub_group_size();
  to[29] = get_num_sub_groups();
  to[30] = get_enqueued_num_sub_groups();
  to[31] = get_sub_group_id();
  to[32] = get_sub_group_local_id();
}

kernel void sub_group_id_alone(global ulong *out) {
  out[get_global_linear_id()] = get_sub_group_id();
}

kernel void sub_group_local_id_alone(global ulong *out) {
  out[get_global_linear_id()] = get_sub_group_local_id();
}

kernel void sub_groups(global ulong *out) {
  size_t n = get_global_linear_id();
  uint v = (uint)n * 7 % 31;
  global ulong *to = out + n * 20;
  to[0] = sub_group_reduce_add(v);
  to[1] = sub_group_reduce_min(v);
  to[2] = sub_group_reduce_max(v);
  to[3] = sub_group_scan_inclusive_add(v);
  to[4] = sub_group_scan_exclusive_add(v);
  to[5] = sub_group_scan_inclusive_max(v);
  to[6] = sub_group_broadcast(v, 0);
  to[7] = sub_group_all(v < 30);
  to[8] = sub_group_any(v == 30);
  to[9] = intel_sub_group_shuffle(v, 0);
  to[10] = intel_sub_group_shuffle_xor(v, 0);
}

kernel void work_groups(global ulong *out) {
  size_t n = get_global_linear_id();
  uint v = (uint)n * 7 % 31;
  global ulong *to = out + n * 20;
  to[0] = work_group_reduce_add(v);
  to[1] = work_group_reduce_min(v);
  to[2] = work_group_reduce_max(v);
  to[3] = work_group_scan_inclusive_add(v);
  to[4] = work_group_scan_exclusive_add(v);
  to[5] = work_group_scan_inclusive_max(v);
  to[6] = work_group_broadcast(v, get_local_size(0) - 1, 0, 0);
  to[7] = work_group_all(v < 30);
  to[8] = work_group_any(v == 30);
}
