/* hsa_init and hsa_shut_down count; what is called outside of them says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <hsa/hsa.h>

static hsa_status_t count(hsa_agent_t agent, void *data) {
  assert_int_not_equal(agent.handle, 0);
  ++*(int *)data;
  return HSA_STATUS_SUCCESS;
}

static void calls_outside_of_init_say_so(void **state) {
  (void)state;
  int agents = 0;
  assert_int_equal(hsa_iterate_agents(count, &agents), HSA_STATUS_ERROR_NOT_INITIALIZED);
  assert_int_equal(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
}

static void every_init_needs_its_shut_down(void **state) {
  (void)state;
  for (int round = 0; round < 3; round++) {
    int agents = 0;
    assert_int_equal(hsa_init(), HSA_STATUS_SUCCESS);
    assert_int_equal(hsa_init(), HSA_STATUS_SUCCESS);
    assert_int_equal(hsa_shut_down(), HSA_STATUS_SUCCESS);
    assert_int_equal(hsa_iterate_agents(count, &agents), HSA_STATUS_SUCCESS);
    assert_int_equal(agents, 3); /* OFFGRID_GPU names two */
    assert_int_equal(hsa_shut_down(), HSA_STATUS_SUCCESS);
    assert_int_equal(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
  }
}

static void statuses_have_texts(void **state) {
  (void)state;
  const char *text = NULL;
  assert_int_equal(hsa_init(), HSA_STATUS_SUCCESS);
  assert_int_equal(hsa_status_string(HSA_STATUS_ERROR_INVALID_QUEUE, &text), HSA_STATUS_SUCCESS);
  assert_string_equal(text, "HSA_STATUS_ERROR_INVALID_QUEUE: The queue is invalid.");
  assert_int_equal(hsa_status_string(12345, &text), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_status_string(HSA_STATUS_SUCCESS, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_shut_down(), HSA_STATUS_SUCCESS);
}

/* Registered before the library's own handler, so it runs behind it, as the destructors of programs do. */
static void init_once_more(void) {
  int agents = 0;
  bool refused = hsa_init() == HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  bool open = hsa_iterate_agents(count, &agents) == HSA_STATUS_SUCCESS;
  _exit(refused && open ? 0 : 1);
}

static void who_exits_does_not_start_it_again(void **state) {
  (void)state;
  pid_t child = fork();
  if (child == 0) {
    atexit(init_once_more);
    exit(hsa_init() == HSA_STATUS_SUCCESS ? 2 : 3);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_exits_does_not_start_it_again), /* first: the child inherits the count of inits */
      cmocka_unit_test(calls_outside_of_init_say_so),
      cmocka_unit_test(every_init_needs_its_shut_down),
      cmocka_unit_test(statuses_have_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
