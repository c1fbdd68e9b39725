/* Signals of the program to itself. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHOW(call) (errno = 0, printf("%s = %ld errno %d\n", #call, (long)(call), errno))

static int count;
static sigjmp_buf place;

static void handle(int number) { count++; printf("handler %d\n", number); }
static void informed(int number, siginfo_t *info, void *context)
{
    printf("informed %d %d %d\n", number, info->si_signo, context != 0);
}
static void nested(int number) { printf("nested in\n"); if (!count++) raise(number); printf("nested out\n"); }
static void leave(int number) { siglongjmp(place, number); }

static void install(int number, void (*handler)(int), int flags)
{
    struct sigaction a = {.sa_flags = flags}, old;
    a.sa_handler = handler;
    SHOW(sigaction(number, &a, &old));
}

int main(void)
{
    sigset_t set, old;
    struct sigaction a = {.sa_flags = SA_SIGINFO, .sa_sigaction = informed};
    install(SIGUSR1, handle, 0);
    SHOW(raise(SIGUSR1));
    SHOW(kill(getpid(), SIGUSR1));
    sigaction(SIGUSR2, &a, 0);
    SHOW(raise(SIGUSR2));
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    SHOW(sigprocmask(SIG_BLOCK, &set, &old));
    SHOW(raise(SIGUSR1));
    sigpending(&old);
    SHOW(sigismember(&old, SIGUSR1));
    SHOW(sigprocmask(SIG_UNBLOCK, &set, 0));
    count = 0;
    install(SIGHUP, nested, 0);
    SHOW(raise(SIGHUP));
    install(SIGHUP, SIG_IGN, 0);
    SHOW(raise(SIGHUP));
    SHOW(raise(SIGCHLD));
    install(SIGINT, leave, 0);
    for (volatile int i = 0; i < 2; i++) {
        int number = sigsetjmp(place, 1);
        if (!number) raise(SIGINT);
        printf("back by %d\n", number);
    }
    install(SIGFPE, leave, 0);
    SHOW(sigaction(SIGKILL, &a, 0));
    SHOW(sigaction(SIGKILL, 0, &a));
    SHOW(raise(99));
    SHOW(kill(getpid(), 0));
    SHOW(alarm(0));
    install(SIGTERM, handle, SA_RESETHAND);
    SHOW(raise(SIGTERM));
    fflush(stdout);
    raise(SIGTERM);
    printf("not reached\n");
    return 0;
}
