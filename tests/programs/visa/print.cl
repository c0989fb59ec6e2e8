/* What printf writes: visa_print.py holds it against PoCL's. */

/* run: print_integers grid=8 group=8
   arg: in i32 8 bits */
kernel void print_integers(global const int *in) {
  int v = in[get_global_id(0)];
  printf("%d|%i|%u|%o|%x|%X|%8d|%-8d|%08d|%+d|% d|%.5d|%#x|%hd|%hhd|%c\n", v, v, v, v, v, v, v >> 16, v >> 16, v >> 16, v, v, v >> 20, v,
         (short)v, (char)v, 'a' + (v & 15));
}

/* run: print_long grid=4 group=4
   arg: in i64 4 bits */
kernel void print_long(global const long *in) {
  long v = in[get_global_id(0)];
  printf("%ld %lu %lx %20ld %% end\n", v, (ulong)v, (ulong)v, v >> 20);
}

/* run: print_floats grid=16 group=16
   arg: in f32 16 uniform -1000 1000 */
kernel void print_floats(global const float *in) {
  float v = in[get_global_id(0)];
  printf("%f|%.2f|%10.3f|%-10.1f|%e|%g|%+f|%a\n", v, v, v, v, v, v, v, v);
}

/* run: print_vectors grid=4 group=4
   arg: in i32 4 bits */
kernel void print_vectors(global const int *in) {
  int v = in[get_global_id(0)];
  printf("%v4hld|%v2hlx|%v4hhd|%v2hd|%v4hlf\n", (int4)(v, 1, 2, 3), (uint2)(v, 7), (char4)(1, 2, -3, 4), (short2)(-5, 6),
         (float4)(1.5f, 2.5f, -3, 0));
}

/* run: print_strings grid=3 group=1 */
kernel void print_strings() {
  printf("%s and %10s and %-10s|%.2s|\n", "one", "two", "three", "four");
}

/* run: print_some grid=64 group=16 */
kernel void print_some() {
  if (get_global_id(0) % 5 == 0)
    printf("item %d of group %d\n", (int)get_local_id(0), (int)get_group_id(0));
}
