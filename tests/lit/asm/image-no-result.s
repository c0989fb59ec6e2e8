// Image samples without a result, and addresses of which the last is a tuple.
// RUN: %offgrid as -mcpu=gfx1200 --show-encoding %s | FileCheck %s
// RUN: %not %offgrid as -mcpu=gfx1200 -defsym=FAULT=1 %s -o %t.o 2>&1 | FileCheck --check-prefix=FAULT %s

image_sample_lz off, v1, s[0:7], s[96:99] dmask:3 dim:1D
// CHECK: image_sample_lz off, v1, s[0:7], s[96:99] dmask:0x3 dim:SQ_RSRC_IMG_1D ; encoding:
image_sample_c_o v0, [v4, v8, v0, v[2:3]], s[0:7], s[0:3] dmask:1 dim:1D_ARRAY
// CHECK: image_sample_c_o v0, [v4, v8, v0, v[2:3]], s[0:7], s[0:3] dmask:0x1 dim:SQ_RSRC_IMG_1D_ARRAY ; encoding: [0x04,0x80,0x4a,0xe4,0x00,0x00,0x00,0x00,0x04,0x08,0x00,0x02]
.ifdef FAULT
// FAULT: :[[#@LINE+1]]:{{.*}}: error: invalid atomic image dmask
image_sample_lz off, v1, s[0:7], s[96:99] dmask:2 dim:1D
.endif
