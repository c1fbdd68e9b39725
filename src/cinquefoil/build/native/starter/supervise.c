/* A process that waits for the program, and ends with it.
 *
 * Step `i` makes a new process, which takes the steps that are left; the old one waits.  In a new PID namespace the first
 * such process is its init: whatever the program left running is killed when it ends.  The inner one is the program, whose
 * supervisor watches the memory it uses, where no limit of addresses can be set (a sanitizer maps terabytes), sends what it
 * wrote in one folder to the engine as data, and leaves its status.
 */
#define _GNU_SOURCE
#include "starter.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEVELS 2
#define STACK (64 << 10)
#define POLL_INTERVAL 10 /* milliseconds between looks at the memory used */
#define DEPTH 64
#define MOST_FILES 65536
#define MOST_BYTES ((off_t)256 << 20)

static _Alignas(16) char stacks[LEVELS][STACK];
static int level, told, archive = -1, memory_file = -1;
static const char *collected; /* all of these are shared by the processes, one of which runs at a time */
static unsigned files;
static off_t bytes;
static char path[4096];

/* ---- What the program wrote, sent as data: the length of a name, the name, the length of the content, the content ---- */
int collect_from(const char *folder)
{
    collected = folder;
    archive = (int)next_number();
    return fcntl(archive, F_SETFD, FD_CLOEXEC);
}

static int send(const void *from, size_t size)
{
    for (const char *at = from; size;) {
        ssize_t n = write(archive, at, size);
        if (n <= 0) return -1;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

static void send_file(int file, off_t size)
{
    static char buffer[1 << 16];
    uint32_t length = (uint32_t)strlen(path);
    uint64_t left = (uint64_t)size;
    if (files++ == MOST_FILES || (bytes += size) > MOST_BYTES) return;
    if (send(&length, sizeof length) || send(path, length) || send(&left, sizeof left)) return;
    while (left) {
        ssize_t n = read(file, buffer, left < sizeof buffer ? left : sizeof buffer);
        if (n <= 0 || send(buffer, (size_t)n)) return;
        left -= (uint64_t)n;
    }
}

static void send_folder(int folder, size_t length, int depth);

static void send_entry(int folder, const char *name, size_t length, int depth)
{
    struct stat found;
    size_t more = strlen(name);
    if (length + more + 2 > sizeof path || !strcmp(name, ".") || !strcmp(name, "..")) return;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    memcpy(path + length, name, more + 1);
    if (fstat(file, &found)) close(file);
    else if (S_ISDIR(found.st_mode)) {
        path[length + more] = '/';
        send_folder(file, length + more + 1, depth + 1);
    } else {
        if (S_ISREG(found.st_mode)) send_file(file, found.st_size);
        close(file);
    }
}

static void send_folder(int folder, size_t length, int depth)
{
    DIR *entries = depth < DEPTH ? fdopendir(folder) : 0;
    if (!entries) {
        close(folder);
        return;
    }
    for (struct dirent *each; (each = readdir(entries));) send_entry(folder, each->d_name, length, depth);
    closedir(entries);
}

static void collect(void)
{
    int folder = open(collected, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) send_folder(folder, 0, 0);
}

/* ---- Waiting ---- */
static unsigned long used_memory(void)
{
    char text[128];
    ssize_t n = pread(memory_file, text, sizeof text - 1, 0);
    if (n <= 0) return 0;
    text[n] = 0;
    const char *resident = strchr(text, ' ');
    return resident ? strtoul(resident, 0, 10) * (unsigned long)sysconf(_SC_PAGESIZE) : 0;
}

/* Until the child ends; true if it was ended because it used too much memory. */
static int watch(pid_t child, unsigned long memory, int *status)
{
    int over = 0, ended = (int)syscall(SYS_pidfd_open, child, 0); /* an old kernel has none: it is looked for */
    struct pollfd wanted = {.fd = ended, .events = POLLIN};
    while (waitpid(child, status, WNOHANG) == 0) {
        poll(&wanted, 1, POLL_INTERVAL);
        if (!over && used_memory() > memory) over = !kill(child, SIGKILL);
    }
    return over;
}

static int start(void *given)
{
    unsigned long memory = *(unsigned long *)given;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (memory) memory_file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (memory && memory_file < 0) fail("/proc/self/statm");
    return go_on(0);
}

/* The new process shares this one's memory until it is the program, which makes it cheap, and its descriptors, so that
   the supervisor can read what the other opened. */
int supervise(unsigned long memory)
{
    int status = 0, over = 0;
    if (level == LEVELS) return errno = EINVAL, -1;
    char *stack = stacks[level++] + STACK;
    signal(SIGTERM, SIG_IGN); /* it asks the program alone to end */
    pid_t child = clone(start, stack, CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, &memory);
    if (child < 0) return -1;
    if (memory) over = watch(child, memory, &status);
    else while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (told) _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 0); /* by the inner supervisor */
    told = 1;
    if (getpid() == 1) kill(-1, SIGKILL);
    if (collected) collect();
    leave_status(status, over ? "memory" : "");
}
