/* test_sandbox.c - what a process cannot do any more in the sandbox, and what it still can; in processes of their own,
 * since nobody leaves it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/sandbox.h"

static int opened = -1; /* before the sandbox */

/* Each yields whether the call was refused. */
static bool denied(long result) { return result == -1 && errno == EPERM; }
static bool open_file(void) { return denied(open("/dev/null", O_RDONLY)); }
static bool create_file(void) { return denied(open("/tmp/offgrid-sandbox", O_WRONLY | O_CREAT, 0600)); }
static bool open_file_at(void) { return denied(syscall(SYS_openat2, AT_FDCWD, "/dev/null", NULL, 0)); }
static bool remove_file(void) { return denied(unlink("/tmp/offgrid-sandbox")); }
static bool rename_file(void) { return denied(rename("/tmp/offgrid-sandbox", "/tmp/offgrid-sandbox2")); }
static bool link_file(void) { return denied(symlink("/tmp", "/tmp/offgrid-sandbox")); }
static bool make_folder(void) { return denied(mkdir("/tmp/offgrid-sandbox", 0700)); }
static bool change_mode(void) { return denied(chmod("/tmp", 0777)); }
static bool look_at_file(void) {
  struct stat status;
  return denied(stat("/tmp", &status));
}
static bool execute(void) { return denied(execl("/bin/true", "true", (char *)NULL)); }
static bool make_process(void) { return denied(fork()); }
static bool make_process_with_vfork(void) { return denied(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static bool make_socket(void) { return denied(socket(AF_INET, SOCK_STREAM, 0)); }
static bool make_local_socket(void) { return denied(socket(AF_UNIX, SOCK_STREAM, 0)); }
static bool trace_process(void) { return denied(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)); }
static bool signal_process(void) { return denied(kill(getppid(), SIGTERM)); }
static bool write_other_memory(void) { return denied(syscall(SYS_process_vm_writev, getppid(), NULL, 0, NULL, 0, 0)); }
static bool map_code(void) {
  return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EPERM;
}
static bool make_memory_executable(void) {
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED && denied(mprotect(memory, 4096, PROT_READ | PROT_EXEC));
}
static bool make_anonymous_file(void) { return denied(syscall(SYS_memfd_create, "x", 0)); }
static bool start_io_uring(void) { return denied(syscall(SYS_io_uring_setup, 1, NULL)); }
static bool load_bpf(void) { return denied(syscall(SYS_bpf, 0, NULL, 0)); }

static bool (*const refused[])(void) = {
    open_file, create_file, open_file_at, remove_file, rename_file, link_file, make_folder, change_mode, look_at_file,
    execute, make_process, make_process_with_vfork, make_socket, make_local_socket, trace_process, signal_process,
    write_other_memory, map_code, make_memory_executable, make_anonymous_file, start_io_uring, load_bpf,
};

/* 0, or one more than the number of the first call that was let through. */
static int count_refused(void) {
  for (size_t i = 0; i < OG_COUNT(refused); i++)
    if (!refused[i]())
      return (int)i + 1;
  return 0;
}

static void *in_thread(void *unused) {
  (void)unused;
  return (void *)(intptr_t)count_refused();
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void *behind_gate(void *unused) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return in_thread(unused);
}

static int join(pthread_t thread) {
  void *result = (void *)(intptr_t)99;
  pthread_join(thread, &result);
  return (int)(intptr_t)result;
}

static int main_thread(void) { return count_refused(); }

/* A thread from before the sandbox and one from after it. */
static int other_threads(void) {
  pthread_t later;
  if (pthread_create(&later, NULL, in_thread, NULL) != 0)
    return 98;
  return join(later);
}

/* What runs need: memory large and small, what is open, the clock. */
static int what_is_needed(void) {
  char *memory = malloc(1 << 28);
  if (!memory)
    return 1;
  memory[1 << 27] = 1;
  free(memory);
  struct stat status;
  if (write(opened, "x", 1) != 1 || fstat(opened, &status) != 0 || close(opened) != 0)
    return 2;
  isatty(1);
  return 0;
}

/* The exit code of a process that enters the sandbox and goes on. */
static int in_sandbox(int (*go_on)(void), bool with_thread) {
  opened = open("/dev/null", O_WRONLY);
  fflush(NULL);
  pid_t process = fork();
  if (process == 0) {
    pthread_t earlier;
    pthread_mutex_lock(&gate);
    if (with_thread && pthread_create(&earlier, NULL, behind_gate, NULL) != 0)
      _exit(97);
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    bool entered = og_sandbox_enter(OG_SANDBOX_REQUIRED, diagnostics);
    pthread_mutex_unlock(&gate);
    if (!entered)
      _exit(77);
    int code = with_thread ? join(earlier) : 0;
    _exit(code ? code : go_on());
  }
  int status = 0;
  waitpid(process, &status, 0);
  close(opened);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
    skip(); /* no seccomp here */
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void nothing_is_opened_made_or_executed(void **state) {
  (void)state;
  assert_int_equal(in_sandbox(main_thread, false), 0);
}

static void every_thread_is_inside(void **state) {
  (void)state;
  assert_int_equal(in_sandbox(other_threads, true), 0);
}

static void what_runs_need_still_works(void **state) {
  (void)state;
  assert_int_equal(in_sandbox(what_is_needed, false), 0);
}

/* The calls themselves are fine: without the sandbox one of them is let through. */
static void without_the_sandbox_calls_are_let_through(void **state) {
  (void)state;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  assert_true(og_sandbox_enter(OG_SANDBOX_OFF, diagnostics));
  assert_false(open_file());
  assert_false(make_memory_executable());
  og_diagnostics_free(diagnostics);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_opened_made_or_executed), cmocka_unit_test(every_thread_is_inside),
      cmocka_unit_test(what_runs_need_still_works), cmocka_unit_test(without_the_sandbox_calls_are_let_through)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
