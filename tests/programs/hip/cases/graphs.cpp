// Graphs: captured from a stream, and made node by node.
CASE(a_captured_graph_runs_again) {
  hipStream_t stream;
  GOOD(hipStreamCreate(&stream));
  on_device<int> data(256);
  std::vector<int> out(256);
  GOOD(hipMemset(data.data, 0, 1024));
  hipGraph_t graph;
  hipGraphExec_t exec;
  GOOD(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  add_to_each<<<1, 256, 0, stream>>>(data.data, 256, 1);
  add_to_each<<<1, 256, 0, stream>>>(data.data, 256, 10);
  GOOD(hipMemcpyAsync(out.data(), data.data, 1024, hipMemcpyDeviceToHost, stream));
  GOOD(hipStreamEndCapture(stream, &graph));
  GOOD(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 1; i <= 3; i++) {
    GOOD(hipGraphLaunch(exec, stream));
    GOOD(hipStreamSynchronize(stream));
    for (int x : out)
      EXPECT(x == 11 * i);
  }
  GOOD(hipGraphExecDestroy(exec));
  GOOD(hipGraphDestroy(graph));
  GOOD(hipStreamDestroy(stream));
}

CASE(a_graph_of_nodes_keeps_their_dependencies) {
  on_device<int> data(64);
  std::vector<int> out(64, -1);
  hipGraph_t graph;
  hipGraphNode_t fill, kernel, copy;
  GOOD(hipGraphCreate(&graph, 0));
  hipMemsetParams fills = {};
  fills.dst = data.data;
  fills.elementSize = 4;
  fills.value = 5;
  fills.width = 64;
  fills.height = 1;
  GOOD(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &fills));
  int n = 64, what = 37;
  void *arguments[] = {&data.data, &n, &what};
  hipKernelNodeParams launch = {};
  launch.func = (void *)add_to_each;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(64);
  launch.kernelParams = arguments;
  GOOD(hipGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
  GOOD(hipGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, out.data(), data.data, 256, hipMemcpyDeviceToHost));
  hipGraphExec_t exec;
  GOOD(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  GOOD(hipGraphLaunch(exec, 0));
  GOOD(hipStreamSynchronize(0));
  for (int x : out)
    EXPECT(x == 42);
  GOOD(hipGraphExecDestroy(exec));
  GOOD(hipGraphDestroy(graph));
}
