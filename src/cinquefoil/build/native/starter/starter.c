/* Becomes a program after some steps: starter FD PROGRAM NAME ARGUMENTS...
 *
 * The steps (replay/steps.py) are in the file FD: a letter, then words, each of them a length of four bytes, that many
 * bytes, and a zero.  When one fails, the file is left with the error's number and what failed, and the status is 127.
 * A program of its own, since a small process is made and entered much faster than a copy of Python.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

struct instruction { uint16_t code; uint8_t then, otherwise; uint32_t value; }; /* linux/filter.h */
struct filter { unsigned short length; struct instruction *code; };

static int steps;
static char *next;

static void fail(const char *what)
{
    int number = errno;
    if (!ftruncate(steps, 0) && lseek(steps, 0, SEEK_SET) == 0) dprintf(steps, "%d %s", number, what);
    _exit(127);
}

static char *word(uint32_t *size)
{
    uint32_t length;
    memcpy(&length, next, sizeof length);
    char *found = next + sizeof length;
    next = found + length + 1;
    if (size) *size = length;
    return found;
}

static unsigned long number(void) { return strtoul(word(0), 0, 10); }

static int write_file(const char *path)
{
    uint32_t size;
    const char *content = word(&size);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) return -1;
    while (size) {
        ssize_t written = write(file, content, size);
        if (written < 0) return -1;
        content += written;
        size -= (uint32_t)written;
    }
    return close(file);
}

static int mount_there(const char *source)
{
    const char *target = word(0), *kind = word(0);
    unsigned long flags = number();
    const char *data = word(0);
    return mount(source, target, kind, flags, *data ? data : 0);
}

static int make_folder(const char *path) { return mkdir(path, 0777) && errno != EEXIST ? -1 : 0; }

static int set_time(const char *path)
{
    time_t seconds = (time_t)strtoull(word(0), 0, 10);
    struct timespec both[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    return utimensat(AT_FDCWD, path, both, 0);
}

/* A lower limit that holds already cannot be raised, and need not be. */
static int limit(int what)
{
    rlim_t most = number();
    struct rlimit both;
    if (getrlimit(what, &both)) return -1;
    if (most > both.rlim_max) most = both.rlim_max;
    both.rlim_cur = both.rlim_max = most;
    return setrlimit(what, &both);
}

static int stay_on(int processor)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    sched_setaffinity(0, sizeof only, &only); /* as well as may be */
    return 0;
}

static int set_timer(unsigned long microseconds)
{
    struct itimerval once = {.it_value = {microseconds / 1000000, microseconds % 1000000}};
    return setitimer(ITIMER_PROF, &once, 0);
}

/* Where the kernel knows no filters, nothing is refused. */
static int lay_filter(char *code, uint32_t size)
{
    struct filter filter = {(unsigned short)(size / sizeof *filter.code), (struct instruction *)code};
    if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) prctl(PR_SET_SECCOMP, 2, &filter, 0, 0);
    return 0;
}

static int perform(char step, char *first, uint32_t size)
{
    switch (step) {
    case 'u': return unshare(atoi(first));
    case 'w': return write_file(first);
    case 'm': return mount_there(first);
    case 'n': return mount_there(first), 0; /* may fail */
    case 'd': return make_folder(first);
    case 'c': return chmod(first, (mode_t)number());
    case 't': return set_time(first);
    case 'l': return symlink(first, word(0));
    case 'k': return umask((mode_t)atoi(first)), 0;
    case 'h': return sethostname(first, size);
    case 'r': return chroot(first);
    case 'g': return chdir(first);
    case 'f': return lay_filter(first, size);
    case 's': return signal(atoi(first), SIG_DFL) == SIG_ERR ? -1 : 0;
    case 'a': return stay_on(atoi(first));
    case 'x': return limit(atoi(first));
    case 'p': return set_timer(strtoul(first, 0, 10));
    }
    errno = EINVAL;
    return -1;
}

int main(int argc, char **argv)
{
    struct stat status;
    if (argc < 4) return 126;
    steps = atoi(argv[1]);
    if (fcntl(steps, F_SETFD, FD_CLOEXEC) || fstat(steps, &status)) return 126;
    char *text = malloc((size_t)status.st_size + 1);
    if (!text || pread(steps, text, (size_t)status.st_size, 0) != status.st_size) fail("steps");
    for (next = text; next < text + status.st_size;) {
        char step = *next++, what[2] = {step, 0};
        uint32_t size;
        char *first = word(&size);
        if (perform(step, first, size)) fail(step == 'f' ? what : first);
    }
    execve(argv[2], argv + 3, environ);
    fail(argv[2]);
}
