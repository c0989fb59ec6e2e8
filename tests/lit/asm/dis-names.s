// Instructions that compilers write come back by name, not as words.
// RUN: %offgrid as -mcpu=gfx1250 %s -o %t.o
// RUN: %offgrid dis %t.o | FileCheck %s --implicit-check-not=.long
// RUN: echo 'image_bvh8_intersect_ray v[0:9], [v[11:12], v[13:14], v[15:17], v[18:20], v10], s[4:7]' > %t.ray.s
// RUN: %offgrid as -mcpu=gfx1200 %t.ray.s -o %t.ray.o
// RUN: %offgrid dis %t.ray.o | FileCheck %s --check-prefix=RAY
// RAY: image_bvh8_intersect_ray v[0:9], [v[11:12], v[13:14], v[15:17], v[18:20], v10], s[4:7]

tensor_load_to_lds s[0:3], s[4:11]
tensor_store_from_lds s[0:3], s[4:11], s[12:15], s[16:19] scope:SCOPE_DEV
// CHECK: tensor_load_to_lds s[0:3], s[4:11]
// CHECK-NEXT: tensor_store_from_lds s[0:3], s[4:11], s[12:15], s[16:19] scope:SCOPE_DEV
// Pairs that only three words hold: by their second half, and by two odd results.
v_dual_add_f32 v4, v1, v37 :: v_dual_ashrrev_i32 v253, v10, v11
v_dual_add_f32 v57, v1, v2 :: v_dual_add_f32 v1, v3, v8
// CHECK-NEXT: v_dual_add_f32 v4, v1, v37 :: v_dual_ashrrev_i32 v253, v10, v11
// CHECK-NEXT: v_dual_add_f32 v57, v1, v2 :: v_dual_add_f32 v1, v3, v8
v_fmamk_f64 v[2:3], v[4:5], 0x3fb999999999999a, v[8:9]
v_fmaak_f64 v[2:3], v[4:5], v[8:9], 0x3ff00000
// CHECK-NEXT: v_fmamk_f64 v[2:3], v[4:5], 0x3fb999999999999a, v[8:9]
// CHECK-NEXT: v_fmaak_f64 v[2:3], v[4:5], v[8:9], 0x3ff00000
