// Streams, events and callbacks: order within, order between, and progress of what waits for one another.
#include <atomic>
CASE(a_stream_keeps_its_order) {
  hipStream_t stream;
  GOOD(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  on_device<int> data(256);
  std::vector<int> out(256);
  GOOD(hipMemsetAsync(data.data, 0, 1024, stream));
  for (int i = 1; i <= 50; i++)
    add_to_each<<<1, 256, 0, stream>>>(data.data, 256, i);
  GOOD(hipMemcpyAsync(out.data(), data.data, 1024, hipMemcpyDeviceToHost, stream));
  GOOD(hipStreamSynchronize(stream));
  for (int x : out)
    EXPECT(x == 1275);
  EXPECT(hipStreamQuery(stream) == hipSuccess);
  GOOD(hipStreamDestroy(stream));
}

CASE(an_event_orders_two_streams) {
  hipStream_t a, b;
  hipEvent_t event;
  GOOD(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  GOOD(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  GOOD(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  on_device<int> data(1024);
  GOOD(hipMemset(data.data, 0, 4096));
  for (int round = 0; round < 20; round++) {
    add_to_each<<<4, 256, 0, a>>>(data.data, 1024, 1);
    GOOD(hipEventRecord(event, a));
    GOOD(hipStreamWaitEvent(b, event, 0));
    add_to_each<<<4, 256, 0, b>>>(data.data, 1024, 2);
    GOOD(hipEventRecord(event, b));
    GOOD(hipStreamWaitEvent(a, event, 0));
  }
  GOOD(hipStreamSynchronize(a));
  for (int x : data.read())
    EXPECT(x == 60);
  GOOD(hipEventDestroy(event));
  GOOD(hipStreamDestroy(a));
  GOOD(hipStreamDestroy(b));
}

CASE(events_measure_time) {
  hipEvent_t start, stop;
  GOOD(hipEventCreate(&start));
  GOOD(hipEventCreate(&stop));
  on_device<int> data(65536);
  GOOD(hipEventRecord(start, 0));
  add_to_each<<<256, 256>>>(data.data, 65536, 1);
  GOOD(hipEventRecord(stop, 0));
  GOOD(hipEventSynchronize(stop));
  float milliseconds = -1;
  GOOD(hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds >= 0 && milliseconds < 60000);
  GOOD(hipEventDestroy(start));
  GOOD(hipEventDestroy(stop));
}

static std::atomic<int> called{0};
static void callback(hipStream_t, hipError_t status, void *what) { called += status == hipSuccess ? *(int *)what : 0; }

CASE(callbacks_run_in_stream_order) {
  hipStream_t stream;
  GOOD(hipStreamCreate(&stream));
  int ten = 10;
  called = 0;
  on_device<int> data(256);
  for (int i = 0; i < 5; i++) {
    add_to_each<<<1, 256, 0, stream>>>(data.data, 256, 1);
    GOOD(hipStreamAddCallback(stream, callback, &ten, 0));
  }
  GOOD(hipStreamSynchronize(stream));
  EXPECT(called == 50);
  GOOD(hipStreamDestroy(stream));
}

CASE(streams_have_priorities) {
  int least, greatest, got;
  GOOD(hipDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(greatest <= least);
  hipStream_t stream;
  GOOD(hipStreamCreateWithPriority(&stream, hipStreamDefault, greatest));
  GOOD(hipStreamGetPriority(stream, &got));
  EXPECT(got == greatest);
  GOOD(hipStreamDestroy(stream));
}

// Each waits for what the other writes: both must be resident.
__global__ void ping(volatile int *mine, volatile int *other, int rounds) {
  for (int i = 1; i <= rounds; i++) {
    *mine = i;
    __threadfence_system();
    while (*other < i)
      __builtin_amdgcn_s_sleep(1);
  }
}

CASE(kernels_of_two_streams_wait_for_each_other) {
  hipStream_t a, b;
  GOOD(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  GOOD(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  int *flags;
  GOOD(hipHostMalloc((void **)&flags, 256, 0));
  flags[0] = flags[32] = 0;
  ping<<<1, 1, 0, a>>>(flags, flags + 32, 20);
  ping<<<1, 1, 0, b>>>(flags + 32, flags, 20);
  GOOD(hipDeviceSynchronize());
  EXPECT(flags[0] == 20 && flags[32] == 20);
  GOOD(hipHostFree(flags));
  GOOD(hipStreamDestroy(a));
  GOOD(hipStreamDestroy(b));
}

__global__ void wait_for(volatile int *flag, int *out) {
  while (*flag != 1)
    __builtin_amdgcn_s_sleep(1);
  *out = 77;
}

CASE(a_kernel_runs_while_the_host_feeds_it) {
  int *flag;
  on_device<int> out(1);
  GOOD(hipHostMalloc((void **)&flag, 64, 0));
  *(volatile int *)flag = 0;
  wait_for<<<1, 1>>>(flag, out.data);
  EXPECT(hipStreamQuery(0) == hipErrorNotReady);
  *(volatile int *)flag = 1;
  GOOD(hipDeviceSynchronize());
  EXPECT(out.read()[0] == 77);
  GOOD(hipHostFree(flag));
}

CASE(many_streams_run_side_by_side) {
  const int count = 16;
  hipStream_t streams[count];
  on_device<int> data(count * 256);
  GOOD(hipMemset(data.data, 0, count * 1024));
  for (hipStream_t &s : streams)
    GOOD(hipStreamCreate(&s));
  for (int round = 0; round < 10; round++)
    for (int i = 0; i < count; i++)
      add_to_each<<<1, 256, 0, streams[i]>>>(data.data + i * 256, 256, i);
  GOOD(hipDeviceSynchronize());
  std::vector<int> got = data.read();
  for (int i = 0; i < count * 256; i++)
    EXPECT(got[i] == i / 256 * 10);
  for (hipStream_t s : streams)
    GOOD(hipStreamDestroy(s));
}
