/* Time, chance and the system's name as the engine's model has them (machine/runtime/facts.c): the same in every run.
 *
 * The clock starts at a fixed time and moves by a millisecond with every look at it; sleeping moves it on and takes no
 * time.  All are weak: a program's own functions of these names are its own.
 */
#define _GNU_SOURCE
#include "replay.h"
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <time.h>

#define FACT __attribute__((weak, visibility("default")))
#define SECOND 1000000000ull
#define STEP (SECOND / 1000)

static unsigned long long nanoseconds; /* since CLOCK_START */

FACT int clock_gettime(clockid_t clock, struct timespec *to)
{
    if (clock > 11 || clock == 10) { /* as is_clock in machine/runtime/syscalls.c */
        errno = EINVAL;
        return -1;
    }
    nanoseconds += STEP;
    if (to) *to = (struct timespec){CLOCK_START + (time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)};
    return 0;
}

long replay_seconds(void) { return CLOCK_START + (long)(nanoseconds / SECOND); }

FACT clock_t clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

FACT time_t time(time_t *to)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}

FACT int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

FACT int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999) {
        errno = EINVAL;
        return -1;
    }
    unsigned long long seconds = (unsigned long long)wanted->tv_sec;
    nanoseconds += (seconds < 1ull << 32 ? seconds : 1ull << 32) * SECOND + (unsigned long long)wanted->tv_nsec;
    if (left) *left = (struct timespec){0, 0};
    return 0;
}

FACT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
    (void)clock, (void)flags;
    return nanosleep(wanted, left) ? EINVAL : 0;
}

FACT ssize_t getrandom(void *to, size_t n, unsigned flags)
{
    static unsigned long long chance = 0x9e3779b97f4a7c15;
    unsigned char *bytes = to;
    (void)flags;
    for (size_t i = 0; i < n; i++) {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        bytes[i] = (unsigned char)(chance >> 32);
    }
    return (ssize_t)n;
}

FACT int uname(struct utsname *to)
{
    memset(to, 0, sizeof *to);
    strcpy(to->sysname, "Linux");
    strcpy(to->nodename, "localhost");
    strcpy(to->release, "6.1.0");
    strcpy(to->version, "#1 SMP");
    strcpy(to->machine, "x86_64");
    strcpy(to->domainname, "(none)");
    return 0;
}
