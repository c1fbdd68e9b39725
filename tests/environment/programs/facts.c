/* What the system tells: only what is the same everywhere. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHOW(call) (errno = 0, printf("%s = %ld errno %d\n", #call, (long)(call), errno))

int main(void)
{
    struct timespec a, b, nap = {0, 1000};
    struct timeval v;
    struct utsname name;
    struct rlimit limit;
    struct rusage usage;
    struct sysinfo info;
    cpu_set_t cpus;
    char bytes[16] = {0}, zeros[16] = {0}, temporary[] = "tmp-XXXXXX";
    SHOW(clock_gettime(CLOCK_MONOTONIC, &a));
    SHOW(nanosleep(&nap, 0));
    SHOW(clock_gettime(CLOCK_MONOTONIC, &b));
    SHOW(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec > a.tv_nsec));
    SHOW(gettimeofday(&v, 0));
    SHOW(v.tv_sec > 1600000000 && v.tv_usec < 1000000);
    SHOW(time(0) >= v.tv_sec);
    SHOW(uname(&name));
    printf("%s %s\n", name.sysname, name.machine);
    SHOW(getrlimit(RLIMIT_NOFILE, &limit));
    SHOW(getrusage(RUSAGE_SELF, &usage));
    SHOW(sysinfo(&info));
    SHOW(sched_getaffinity(0, sizeof cpus, &cpus));
    SHOW(CPU_COUNT(&cpus) > 0);
    SHOW(sysconf(_SC_PAGESIZE));
    SHOW(getrandom(bytes, 16, 0));
    SHOW(memcmp(bytes, zeros, 16) != 0);
    SHOW(getpid() > 1 && getppid() >= 0 && getpid() == getpgrp());
    SHOW(getuid() == geteuid() && getgid() == getegid());
    SHOW(wait(0));
    SHOW(mkstemp(temporary) >= 0);
    SHOW(access(temporary, R_OK | W_OK));
    SHOW(umask(027) >= 0);
    SHOW(umask(0));
    SHOW(strcmp(getenv("LANG"), "C"));
    SHOW(getenv("ABSENT") == 0);
    SHOW(clock_getres(CLOCK_REALTIME, 0));
    SHOW(usleep(10));
    return 3;
}
