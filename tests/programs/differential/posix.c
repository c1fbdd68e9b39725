/* Signals to itself, descriptors, jumps out of handlers. */
#include "input.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>
#include <errno.h>
static volatile sig_atomic_t got, times; static sigjmp_buf env;
static void note(int n) { got = n; times++; }
static void leave(int n) { siglongjmp(env, n); }
int main(void)
{
    in_start();
    unsigned k = in_take(1) & 3; int v = IN(int);
    mix(signal(SIGINT, note) == SIG_DFL); mix(signal(SIGINT, note) == note); raise(SIGINT); mix(got); mix(times); kill(getpid(), SIGINT); mix(times); show("handlers");
    signal(SIGPIPE, SIG_IGN); raise(SIGPIPE); raise(SIGCHLD); raise(SIGWINCH); mix(times); mix(kill(getpid(), 0)); show("ignored");
    signal(SIGTERM, leave); int r = sigsetjmp(env, 1); if (r == 0) raise(SIGTERM); mix(r); show("jump");
    struct sigaction a = {.sa_handler = note, .sa_flags = SA_RESETHAND}, old; mix(sigaction(SIGUSR1, &a, &old)); mix(old.sa_handler == SIG_DFL); raise(SIGUSR1); sigaction(SIGUSR1, 0, &old); mix(old.sa_handler == SIG_DFL); mix(got); mix(sigaction(SIGKILL, &a, 0)); mix(errno == EINVAL); show("sigaction");
    int d = fcntl(1, F_DUPFD, 20 + k); mix(d); mix(fcntl(d, F_GETFD)); mix(close(d)); mix(close(d)); mix(errno == EBADF); mix(dup2(1, 9)); mix(fcntl(55, F_GETFL)); show("descriptors");
    if (k == 2) raise(SIGINT); if (v > 0 && v < 1000) { errno = 0; mix(write(33, "x", 1)); mix(errno == EBADF); } mix(times); show("end");
    return 0;
}
