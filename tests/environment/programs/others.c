/* The calls that the other programs of this folder leave out; prints the same under a kernel and in the engine. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <unistd.h>

static void program_break(void)
{
    char *end = (char *)syscall(SYS_brk, 0);
    char *more = (char *)syscall(SYS_brk, end + 8192);
    printf("brk %d\n", more == end + 8192);
    memset(end, 'x', 8192);
    printf("break %c %c\n", end[0], end[8191]);
    printf("back %d\n", (char *)syscall(SYS_brk, end) == end);
}

static void on_descriptors(void)
{
    char text[8] = "";
    struct iovec parts[2] = {{"ab", 2}, {"cde", 3}};
    struct stat status;
    int fd = creat("made", 0640);
    printf("creat %d, write only %d\n", fd >= 0, read(fd, text, 1) == -1 && errno == EBADF);
    printf("pwritev %ld\n", (long)pwritev(fd, parts, 2, 1));
    printf("%d %d %d\n", fdatasync(fd), flock(fd, LOCK_EX), posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL));
    printf("fchmod %d", fchmod(fd, 0600));
    fstat(fd, &status);
    printf(" %o size %ld\n", status.st_mode & 0777, (long)status.st_size);
    printf("owner %d %d\n", fchown(fd, -1, -1), lchown("made", -1, -1));
    printf("close_range %ld", syscall(SYS_close_range, fd, fd, 0));
    printf(" %d\n", close(fd) == -1 && errno == EBADF);
    unlink("made");
}

static void on_copying(void)
{
    char text[8] = "";
    off_t from = 1, to = 2;
    int ends[2], a = open("one", O_RDWR | O_CREAT, 0600), b = open("two", O_RDWR | O_CREAT, 0600);
    write(a, "abcdef", 6);
    printf("copy %ld", (long)copy_file_range(a, &from, b, &to, 3, 0));
    printf(" to %ld %ld", (long)from, (long)to);
    lseek(a, 4, SEEK_SET);
    printf(" %ld", (long)copy_file_range(a, NULL, b, NULL, 100, 0));
    printf(" at %ld %ld", (long)lseek(a, 0, SEEK_CUR), (long)lseek(b, 0, SEEK_CUR));
    printf(" end %ld\n", (long)copy_file_range(a, NULL, b, NULL, 100, 0));
    printf("%ld", (long)pread(b, text, 8, 0));
    printf(" %s\n", text);
    pipe(ends);
    printf("pipe %d", copy_file_range(a, NULL, ends[1], NULL, 1, 0) == -1 && errno == EINVAL);
    printf(" closed %d\n", copy_file_range(99, NULL, b, NULL, 1, 0) == -1 && errno == EBADF);
    unlink("one");
    unlink("two");
}

static void on_status(void)
{
    struct statx extended;
    struct statfs system;
    int fd = open(".", O_RDONLY | O_DIRECTORY);
    printf("statx %d %d\n", statx(AT_FDCWD, ".", 0, STATX_BASIC_STATS, &extended), S_ISDIR(extended.stx_mode));
    printf("statfs %d %d\n", statfs(".", &system), fstatfs(fd, &system));
    printf("missing %d\n", statfs("nothing", &system) == -1 && errno == ENOENT);
    close(fd);
}

static void on_waiting(void)
{
    struct timespec none = {0, 0};
    struct itimerval timer;
    struct tms spent;
    int ends[2];
    fd_set set;
    pipe(ends);
    struct pollfd wanted = {ends[0], POLLIN, 0};
    printf("ppoll %d", ppoll(&wanted, 1, &none, NULL));
    write(ends[1], "x", 1);
    printf(" %d\n", ppoll(&wanted, 1, &none, NULL));
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    printf("pselect %d\n", pselect(ends[0] + 1, &set, NULL, NULL, &none, NULL));
    printf("timer %d %ld\n", getitimer(ITIMER_REAL, &timer), (long)timer.it_value.tv_sec);
    printf("times %d\n", times(&spent) != (clock_t)-1);
}

static void on_the_process(void)
{
    printf("thread %d\n", syscall(SYS_gettid) == getpid());
    printf("ids %d %d\n", setuid(getuid()), setgid(getgid()));
    printf("priority %d\n", getpriority(PRIO_PROCESS, 0) < 20);
    printf("name %d\n", prctl(PR_SET_NAME, "other"));
    printf("bad %d\n", syscall(SYS_fsync, -1) == -1 && errno == EBADF);
}

static void goodbye(void) { puts("goodbye"); }

int main(void)
{
    atexit(goodbye);
    program_break();
    on_descriptors();
    on_copying();
    on_status();
    on_waiting();
    on_the_process();
    exit(300); /* eight bits of it count */
}
