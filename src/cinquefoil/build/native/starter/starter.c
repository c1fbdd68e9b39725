/* Becomes a program after some steps: starter FD PROGRAM NAME ARGUMENTS...
 *
 * The steps (replay/steps.py) are in the file FD: a letter, then words, each of them a length of four bytes, that many
 * bytes, and a zero.  When one fails, the file is left with the error's number and what failed, and the status is 127.
 * When a supervised program has ended, the file is left with its status.  Without a program, the process stays as the
 * steps have made it until its standard input is closed: its namespaces can be joined.
 * A program of its own, since a small process is made and entered much faster than a copy of Python.
 */
#define _GNU_SOURCE
#include "starter.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define FAILED 127
#define SYS_mount_setattr_ 442
struct mount_attributes { uint64_t set, clear, propagation, user_namespace; };

static int steps;
static char *next, *end, **arguments;
static int failed; /* shared by the processes of supervise.c */

void fail(const char *what)
{
    int number = errno;
    failed = 1;
    if (!ftruncate(steps, 0) && lseek(steps, 0, SEEK_SET) == 0) dprintf(steps, "%d %s", number, what);
    _exit(FAILED);
}

void leave_status(int status, const char *why)
{
    if (failed) _exit(FAILED);
    if (!ftruncate(steps, 0) && lseek(steps, 0, SEEK_SET) == 0) dprintf(steps, "=%d %s", status, why);
    _exit(0);
}

char *next_word(uint32_t *size)
{
    uint32_t length;
    memcpy(&length, next, sizeof length);
    char *found = next + sizeof length;
    next = found + length + 1;
    if (size) *size = length;
    return found;
}

unsigned long next_number(void) { return strtoul(next_word(0), 0, 10); }

/* ---- Files ---- */
static int write_file(const char *path)
{
    uint32_t size;
    const char *content = next_word(&size);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return -1;
    while (size) {
        ssize_t written = write(file, content, size);
        if (written < 0) return -1;
        content += written;
        size -= (uint32_t)written;
    }
    return close(file);
}

static int make_folder(const char *path) { return mkdir(path, 0777) && errno != EEXIST ? -1 : 0; }

static int set_time(const char *path)
{
    time_t seconds = (time_t)strtoull(next_word(0), 0, 10);
    struct timespec both[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    return utimensat(AT_FDCWD, path, both, 0);
}

/* ---- Mounts ---- */
static int mount_there(const char *source)
{
    const char *target = next_word(0), *kind = next_word(0);
    unsigned long flags = next_number();
    const char *data = next_word(0);
    return mount(source, target, kind, flags, *data ? data : 0);
}

/* Flags that a mount has already may not be taken from it: where the system cannot only add some, all are named. */
static int remount(const char *target, unsigned long flags)
{
    struct statvfs now;
    if (statvfs(target, &now)) return -1;
    flags |= now.f_flag & (MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME | MS_NODIRATIME);
    if (now.f_flag & 4096) flags |= MS_RELATIME;
    return mount("none", target, 0, MS_REMOUNT | MS_BIND | flags, 0);
}

/* With all mounts below it; these flags have the same values in both calls. */
static int restrict_mount(const char *target)
{
    unsigned long flags = next_number();
    struct mount_attributes wanted = {.set = flags};
    if (!syscall(SYS_mount_setattr_, AT_FDCWD, target, AT_RECURSIVE, &wanted, sizeof wanted)) return 0;
    return errno == ENOSYS ? remount(target, flags) : -1;
}

/* Nothing of the tree before stays in reach, not even of a process that could leave its root folder. */
static int change_root(const char *path)
{
    if (chdir(path) || syscall(SYS_pivot_root, ".", ".")) return -1;
    return umount2(".", MNT_DETACH) || chdir("/") ? -1 : 0;
}

/* ---- The process ---- */
static int join(int namespace)
{
    int kind = (int)next_number();
    return setns(namespace, kind) || close(namespace) ? -1 : 0;
}

static int move_descriptor(int from)
{
    int to = (int)next_number();
    if (from == to) return fcntl(from, F_SETFD, 0);
    return dup2(from, to) < 0 || close(from) ? -1 : 0;
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

static int perform(char step, char *first, uint32_t size)
{
    switch (step) {
    case 'u': return unshare(atoi(first));
    case 'j': return join(atoi(first));
    case 'i': return supervise(strtoul(first, 0, 10));
    case 'e': return collect_from(first);
    case 'w': return write_file(first);
    case 'm': return mount_there(first);
    case 'o': return restrict_mount(first);
    case 'd': return make_folder(first);
    case 'c': return chmod(first, (mode_t)next_number());
    case 't': return set_time(first);
    case 'l': return symlink(first, next_word(0));
    case 'k': return umask((mode_t)atoi(first)), 0;
    case 'h': return sethostname(first, size);
    case 'r': return change_root(first);
    case 'g': return chdir(first);
    case 'n': return move_descriptor(atoi(first));
    case 'b': return begin_rules();
    case 'y': return allow_path(first);
    case 'z': return enforce_rules();
    case 'q': return drop_capabilities();
    case 'f': return lay_filter(first, size);
    case 's': return signal(atoi(first), SIG_DFL) == SIG_ERR ? -1 : 0;
    case 'a': return stay_on(atoi(first));
    case 'x': return limit_resource(atoi(first));
    case 'p': return set_timer(strtoul(first, 0, 10));
    }
    errno = EINVAL;
    return -1;
}

static void take_steps(void)
{
    while (next < end) {
        char step = *next++, what[2] = {step, 0};
        uint32_t size;
        char *first = next_word(&size);
        if (perform(step, first, size)) fail(strchr("fbzq", step) ? what : first);
    }
}

int go_on(void *unused)
{
    (void)unused;
    take_steps();
    execve(arguments[0], arguments + 1, environ);
    fail(arguments[0]);
}

static int stay(void)
{
    char byte = '.';
    take_steps();
    if (write(1, &byte, 1) != 1) return FAILED;
    while (read(0, &byte, 1) > 0) {}
    return 0;
}

int main(int argc, char **argv)
{
    struct stat status;
    if (argc < 2) return 126;
    steps = atoi(argv[1]);
    if (fcntl(steps, F_SETFD, FD_CLOEXEC) || fstat(steps, &status)) return 126;
    char *text = malloc((size_t)status.st_size + 1);
    if (!text || pread(steps, text, (size_t)status.st_size, 0) != status.st_size) fail("steps");
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing runs on when the engine is killed */
    next = text;
    end = text + status.st_size;
    arguments = argv + 2;
    return argc < 4 ? stay() : go_on(0);
}
