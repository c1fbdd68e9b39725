/* Who the process is and what it may: its number, limits and rights as the engine's model has them.
 *
 * It is process 1000 in a group of its own, and can only send signals to itself: a test may well say kill(-1, SIGKILL),
 * which would otherwise end all that its user runs.  What the namespace refuses in words of its own (a user that it
 * does not know, a device of the host's, which is mounted read-only) is refused as to a plain user.  All are weak, as in
 * facts.c, and only where CINQ_WORLD asks for the engine's world, but for kill.
 */
#define _GNU_SOURCE
#include "replay.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define FACT __attribute__((weak, visibility("default")))
#define SELF 1000
#define DESCRIPTORS 256

static int answer(long result) /* as a plain user hears it */
{
    if (result && world_known() && errno == EROFS) errno = EPERM;
    return (int)result;
}

/* ---- Processes ---- */
static pid_t self(void) { return (pid_t)syscall(SYS_getpid); }
FACT pid_t getpid(void) { return world_known() ? SELF : self(); }
FACT pid_t getppid(void) { return world_known() ? 1 : (pid_t)syscall(SYS_getppid); }
FACT pid_t getpgrp(void) { return world_known() ? SELF : (pid_t)syscall(SYS_getpgid, 0); }
FACT pid_t getpgid(pid_t of) { return world_known() ? SELF : (pid_t)syscall(SYS_getpgid, of); }
FACT pid_t getsid(pid_t of) { return world_known() ? SELF : (pid_t)syscall(SYS_getsid, of); }
FACT int setpgid(pid_t of, pid_t to) { return world_known() ? 0 : (int)syscall(SYS_setpgid, of, to); }
FACT pid_t setsid(void) { return world_known() ? 0 : (pid_t)syscall(SYS_setsid); }

FACT int kill(pid_t process, int number)
{
    if (process <= 0 || process == SELF || process == self()) return (int)syscall(SYS_kill, self(), number);
    errno = process == 1 ? EPERM : ESRCH;
    return -1;
}

FACT int killpg(pid_t group, int number) { return kill(-group, number); }

/* What the engine does not model, and answers with ENOSYS. */
static int unmodelled(void)
{
    errno = ENOSYS;
    return -1;
}

FACT pid_t fork(void) { return world_known() ? unmodelled() : (pid_t)syscall(SYS_fork); }
FACT pid_t vfork(void) { return fork(); }
FACT int inotify_init1(int flags) { return world_known() ? unmodelled() : (int)syscall(SYS_inotify_init1, flags); }
FACT int inotify_init(void) { return inotify_init1(0); }
/* These two as well, or musl's object of all four comes in, whose names are strong. */
FACT int inotify_add_watch(int fd, const char *name, uint32_t what) { return (int)syscall(SYS_inotify_add_watch, fd, name, what); }
FACT int inotify_rm_watch(int fd, int which) { return (int)syscall(SYS_inotify_rm_watch, fd, which); }
FACT int mincore(void *at, size_t n, unsigned char *to) { return world_known() ? unmodelled() : (int)syscall(SYS_mincore, at, n, to); }

/* Linux lets anyone make the device 0:0 (a "whiteout" of overlays); the engine's administrator alone makes devices. */
FACT int mknodat(int at, const char *name, mode_t mode, dev_t device)
{
    return (int)syscall(SYS_mknodat, at, name, mode, S_ISCHR(mode) && !device && world_known() ? 0x103 : device);
}

FACT int mknod(const char *name, mode_t mode, dev_t device) { return mknodat(AT_FDCWD, name, mode, device); }

/* Other users: the namespace does not know them (EINVAL), a plain user may not be them. */
static int become(long result)
{
    if (result && world_known() && errno == EINVAL) errno = EPERM;
    return (int)result;
}

FACT int setuid(uid_t user) { return become(syscall(SYS_setuid, user)); }
FACT int setgid(gid_t group) { return become(syscall(SYS_setgid, group)); }
FACT int setreuid(uid_t real, uid_t user) { return become(syscall(SYS_setreuid, real, user)); }
FACT int setregid(gid_t real, gid_t group) { return become(syscall(SYS_setregid, real, group)); }
FACT int setresuid(uid_t real, uid_t user, uid_t saved) { return become(syscall(SYS_setresuid, real, user, saved)); }
FACT int setresgid(gid_t real, gid_t group, gid_t saved) { return become(syscall(SYS_setresgid, real, group, saved)); }
FACT int seteuid(uid_t user) { return setresuid((uid_t)-1, user, (uid_t)-1); }
FACT int setegid(gid_t group) { return setresgid((gid_t)-1, group, (gid_t)-1); }

/* ---- Limits ---- */
static int give_limit(int which, struct rlimit *to)
{
    if (which < 0 || which > 15) {
        errno = EINVAL;
        return -1;
    }
    *to = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
    if (which == RLIMIT_STACK) to->rlim_cur = 8 << 20;
    if (which == RLIMIT_CORE) to->rlim_cur = 0;
    if (which == RLIMIT_NOFILE) to->rlim_cur = to->rlim_max = DESCRIPTORS;
    return 0;
}

/* A file beyond the replay's limit is an error as in the engine, not SIGXFSZ (which programs ask about: sort). */
static int too_large(off_t size)
{
    struct rlimit most;
    if (!world_known() || syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &most) || (rlim_t)size <= most.rlim_cur || size < 0) return 0;
    errno = EFBIG;
    return 1;
}

FACT int ftruncate(int file, off_t size) { return too_large(size) ? -1 : (int)syscall(SYS_ftruncate, file, size); }
FACT int truncate(const char *name, off_t size) { return too_large(size) ? -1 : (int)syscall(SYS_truncate, name, size); }

#ifdef __GLIBC__
FACT int getrlimit(__rlimit_resource_t which, struct rlimit *to)
#else
FACT int getrlimit(int which, struct rlimit *to)
#endif
{
    if (!world_known()) return (int)syscall(SYS_prlimit64, 0, which, 0, to);
    return give_limit((int)which, to);
}

#ifdef __GLIBC__
FACT int getpriority(__priority_which_t which, id_t who)
#else
FACT int getpriority(int which, id_t who)
#endif
{
    if (world_known()) return 0;
    long found = syscall(SYS_getpriority, which, who);
    return found < 0 ? -1 : 20 - (int)found;
}

#ifdef __GLIBC__
FACT int setpriority(__priority_which_t which, id_t who, int to)
#else
FACT int setpriority(int which, id_t who, int to)
#endif
{
    return world_known() ? 0 : (int)syscall(SYS_setpriority, which, who, to);
}

FACT int sysinfo(struct sysinfo *to)
{
    if (!world_known()) return (int)syscall(SYS_sysinfo, to);
    memset(to, 0, sizeof *to);
    to->uptime = 1000;
    to->totalram = 4ul << 30;
    to->freeram = 2ul << 30;
    to->procs = 1;
    to->mem_unit = 1;
    return 0;
}

/* ---- File systems: there is one ---- */
static int tell_filesystem(int missing, struct statfs *to)
{
    if (missing) return -1;
    memset(to, 0, sizeof *to);
    to->f_type = 0xef53;
    to->f_bsize = 4096;
    to->f_blocks = 1 << 20;
    to->f_bfree = to->f_bavail = 1 << 19;
    to->f_files = 1 << 20;
    to->f_ffree = 1 << 19;
    to->f_namelen = 255;
    to->f_frsize = 4096;
    return 0;
}

FACT int statfs(const char *path, struct statfs *to)
{
    struct stat found;
    return world_known() ? tell_filesystem(stat(path, &found), to) : (int)syscall(SYS_statfs, path, to);
}

FACT int fstatfs(int file, struct statfs *to)
{
    struct stat found;
    return world_known() ? tell_filesystem(fstat(file, &found), to) : (int)syscall(SYS_fstatfs, file, to);
}

static int as_statvfs(int missing, const struct statfs *from, struct statvfs *to)
{
    if (missing) return -1;
    memset(to, 0, sizeof *to);
    to->f_bsize = (unsigned long)from->f_bsize;
    to->f_frsize = (unsigned long)(from->f_frsize ? from->f_frsize : from->f_bsize);
    to->f_blocks = from->f_blocks;
    to->f_bfree = from->f_bfree;
    to->f_bavail = from->f_bavail;
    to->f_files = from->f_files;
    to->f_ffree = to->f_favail = from->f_ffree;
    to->f_namemax = (unsigned long)from->f_namelen;
#ifndef __GLIBC__
    to->f_type = (unsigned)from->f_type;
#endif
    return 0;
}

FACT int statvfs(const char *restrict path, struct statvfs *restrict to)
{
    struct statfs found;
    return as_statvfs(statfs(path, &found), &found, to);
}

FACT int fstatvfs(int file, struct statvfs *to)
{
    struct statfs found;
    return as_statvfs(fstatfs(file, &found), &found, to);
}

/* ---- Rights ---- */
static int owned(long result) /* EINVAL: a user whom the namespace does not know */
{
    if (result && world_known() && errno == EINVAL) errno = EPERM;
    return answer(result);
}

FACT int fchownat(int at, const char *path, uid_t user, gid_t group, int flags)
{
    return owned(syscall(SYS_fchownat, at, path, user, group, flags));
}
FACT int chown(const char *path, uid_t user, gid_t group) { return fchownat(AT_FDCWD, path, user, group, 0); }
FACT int lchown(const char *path, uid_t user, gid_t group) { return fchownat(AT_FDCWD, path, user, group, AT_SYMLINK_NOFOLLOW); }
/* By descriptor: also one that is only a path, for which libc goes by way of /proc. */
FACT int fchown(int file, uid_t user, gid_t group) { return owned(syscall(SYS_fchownat, file, "", user, group, AT_EMPTY_PATH)); }
FACT int chmod(const char *path, mode_t mode) { return answer(syscall(SYS_chmod, path, mode)); }

FACT int fchmodat(int at, const char *path, mode_t mode, int flags)
{
    enum { FCHMODAT2 = 452 };
    return answer(flags ? syscall(FCHMODAT2, at, path, mode, flags) : syscall(SYS_fchmodat, at, path, mode));
}

FACT int fchmod(int file, mode_t mode)
{
    long result = syscall(SYS_fchmod, file, mode);
    return result && errno == EBADF ? fchmodat(file, "", mode, AT_EMPTY_PATH) : answer(result);
}

FACT int utimensat(int at, const char *path, const struct timespec times[2], int flags)
{
    return answer(syscall(SYS_utimensat, at, path, times, flags));
}
FACT int futimens(int file, const struct timespec times[2]) { return utimensat(file, 0, times, 0); }
