/* sandbox.c - the sandbox: a seccomp filter that allows only some system calls. */
#include "tool/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef OG_HAVE_SECCOMP
#include <seccomp.h>

/* Calls allowed with any arguments: for memory, open files, threads, time, and the process's end. */
static const int allowed[] = {
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk),
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64),
    SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(close), SCMP_SYS(fchmod), SCMP_SYS(umask),
    SCMP_SYS(futex), SCMP_SYS(futex_waitv), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(wait4), SCMP_SYS(getrandom), SCMP_SYS(sysinfo),
    SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday), SCMP_SYS(exit), SCMP_SYS(exit_group),
};

/* Calls allowed if one argument has certain bits: for memory that is not executable, threads but no processes, the size
 * of an open file, and whether it is a terminal. */
static bool allow_some(scmp_filter_ctx filter) {
  const struct {
    int call;
    unsigned argument;
    uint64_t mask, value;
  } some[] = {
      {SCMP_SYS(mmap), 2, PROT_EXEC, 0},
      {SCMP_SYS(mprotect), 2, PROT_EXEC, 0},
      {SCMP_SYS(clone), 0, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND},
      {SCMP_SYS(newfstatat), 3, AT_EMPTY_PATH, AT_EMPTY_PATH},
      {SCMP_SYS(ioctl), 1, UINT32_MAX, TCGETS},
      {SCMP_SYS(tgkill), 0, UINT32_MAX, (uint64_t)getpid()}, /* for abort() */
  };
  for (size_t i = 0; i < OG_COUNT(some); i++)
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, some[i].call, 1,
                         SCMP_CMP64(some[i].argument, SCMP_CMP_MASKED_EQ, some[i].mask, some[i].value)) != 0)
      return false;
  return true;
}

/* clone3 has its flags in memory, where no filter can read them. If it does not exist, the C library uses clone. */
static bool fill(scmp_filter_ctx filter) {
  for (size_t i = 0; i < OG_COUNT(allowed); i++)
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0) != 0)
      return false;
  return allow_some(filter) && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

/* Returns 0 or a negative errno. */
static int enter(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter)
    return -ENOMEM;
  int reason = -EINVAL;
  if (seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 && fill(filter))
    reason = seccomp_load(filter);
  seccomp_release(filter);
  return reason;
}

#else

static int enter(void) { return -ENOSYS; }

#endif

/* Sanitizers open files and trace processes at the end. So does valgrind, which preloads a library with that name. */
static bool is_watched(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  const char *preloaded = getenv("LD_PRELOAD");
  return preloaded && strstr(preloaded, "vgpreload");
#endif
}

bool og_sandbox_enter(enum og_sandbox sandbox, struct og_diagnostics *diagnostics) {
  if (sandbox == OG_SANDBOX_OFF || (sandbox == OG_SANDBOX_WHERE_POSSIBLE && is_watched()))
    return true;
  int reason = enter();
  return reason == 0 || sandbox == OG_SANDBOX_WHERE_POSSIBLE ||
         og_error_in(diagnostics, NULL, "--sandbox: this system has no seccomp filters for it: %s", strerror(-reason));
}
