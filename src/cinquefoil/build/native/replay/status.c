/* What stat and readdir tell, as in the engine's model (machine/runtime/status.c).
 *
 * Numbers of devices and inodes, sizes of folders and times of change are the host's own affair, yet programs hash,
 * sort and print them.  CINQ_WORLD names a file with the paths of the engine's inodes in their order ("&2" is
 * descriptor 2, "&1 100644" one whose mode a test has chosen); what is not among them, made by the program, is numbered
 * as it is met.  Without that file, all is told as it is.  All are weak, as in facts.c.
 */
#define _GNU_SOURCE
#include "replay.h"
#include <dirent.h>
#ifdef __GLIBC__
#include <dlfcn.h>
#endif
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FACT __attribute__((weak, visibility("default")))
#define KNOWN_LIMIT 1024
#define FIRST_INODE 2 /* the root's */
#define DISK 2049
#define PIPES 13
#define OWN_FOLDER ".replay" /* of the replay, in the folder with this number: */
#define OWN_PARENT 7
#define FIRST_LINK 12 /* /dev/stdin, stdout, stderr: links that lead ... */
#define LAST_LINK 14
#define LINK_HERE "/dev/.replay/fd/" /* ... here, as there is no /proc, */
#define LINK_TOLD "/proc/self/fd/"   /* and to there as the engine tells it */

static struct { dev_t device; ino_t inode; mode_t mode; int stream; } known[KNOWN_LIMIT];
static unsigned known_count;
static struct timespec began;

static int look(int at, const char *path, struct stat *to, int flags)
{
    return (int)syscall(SYS_newfstatat, at, path, to, flags);
}

static ino_t number_of(dev_t device, ino_t inode)
{
    unsigned i = 0;
    while (i < known_count && (known[i].device != device || known[i].inode != inode)) i++;
    if (i == known_count && i < KNOWN_LIMIT) {
        known[i].device = device;
        known[i].inode = inode;
        known[i].mode = 0;
        known[i].stream = 0;
        known_count++;
    }
    return i < KNOWN_LIMIT ? FIRST_INODE + i : KNOWN_LIMIT + FIRST_INODE + inode;
}

/* ---- The inodes that are there from the start ---- */
static void learn(const char *name)
{
    struct stat found;
    int done = *name == '&' ? look(atoi(name + 1), "", &found, AT_EMPTY_PATH)
                            : look(AT_FDCWD, name, &found, AT_SYMLINK_NOFOLLOW);
    if (known_count == KNOWN_LIMIT) return;
    known[known_count].device = done ? 0 : found.st_dev; /* the row is kept for what is not there */
    known[known_count].inode = done ? 0 : found.st_ino;
    const char *mode = strchr(name, ' ');
    known[known_count].stream = *name == '&';
    known[known_count].mode = *name == '&' && mode ? (mode_t)strtol(mode + 1, 0, 8) : 0;
    known_count++;
}

void world_open(const char *path)
{
    char line[4096];
    size_t n = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &began);
    for (char byte; file >= 0 && read(file, &byte, 1) == 1;) {
        if (byte && n < sizeof line - 1) line[n++] = byte;
        if (byte) continue;
        line[n] = 0;
        learn(line);
        n = 0;
    }
    if (file >= 0) close(file);
}

int world_known(void) { return known_count > 0; }

/* ---- stat ---- */
static int is_later(const struct timespec *time)
{
    return time->tv_sec != began.tv_sec ? time->tv_sec > began.tv_sec : time->tv_nsec >= began.tv_nsec;
}

/* A time of this run is the engine's; that at which the files were put there, its start. */
static void liken_time(struct timespec *time)
{
    const time_t putting = 3600;
    if (is_later(time)) *time = (struct timespec){replay_seconds(), 0};
    else if (time->tv_sec > began.tv_sec - putting) *time = (struct timespec){CLOCK_START, 0};
}

static void liken_device(struct stat *s)
{
    s->st_uid = s->st_gid = 0;
    s->st_atim = s->st_mtim = s->st_ctim = (struct timespec){CLOCK_START, 0};
    s->st_mode = S_IFCHR | 0666;
}

/* Standard streams are pipes, or what the test makes of them; how much went through is not told, but the size of a
 * regular input is. */
static void liken_stream(struct stat *s, unsigned index)
{
    if (!known[index].stream) return;
    int is_input = index + 1 < known_count && known[index + 1].stream && (!index || !known[index - 1].stream);
    s->st_dev = PIPES;
    if (!is_input || !S_ISREG(known[index].mode)) s->st_size = s->st_blocks = 0;
    if (known[index].mode) s->st_mode = known[index].mode;
}

static void liken(struct stat *s)
{
    if (!known_count) return;
    s->st_ino = number_of(s->st_dev, s->st_ino);
    s->st_dev = S_ISFIFO(s->st_mode) ? PIPES : DISK;
    s->st_blksize = 4096;
    if (S_ISDIR(s->st_mode)) s->st_size = 4096;
    if (s->st_ino == OWN_PARENT) s->st_nlink--;
    if (s->st_ino >= FIRST_LINK && s->st_ino <= LAST_LINK) s->st_size = sizeof LINK_TOLD;
    if (S_ISCHR(s->st_mode)) liken_device(s);
    s->st_blocks = S_ISREG(s->st_mode) ? (s->st_size + 4095) / 4096 * 8 : 0;
    if (s->st_ino - FIRST_INODE < known_count) liken_stream(s, (unsigned)(s->st_ino - FIRST_INODE));
    liken_time(&s->st_atim);
    liken_time(&s->st_mtim);
    liken_time(&s->st_ctim);
}

FACT int fstatat(int at, const char *restrict path, struct stat *restrict to, int flags)
{
    int result = look(at, path, to, flags);
    if (!result) liken(to);
    return result;
}

FACT int stat(const char *restrict path, struct stat *restrict to) { return fstatat(AT_FDCWD, path, to, 0); }
FACT int lstat(const char *restrict path, struct stat *restrict to) { return fstatat(AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW); }
FACT int fstat(int file, struct stat *to) { return fstatat(file, "", to, AT_EMPTY_PATH); }

static struct statx_timestamp extended_time(struct timespec time)
{
    return (struct statx_timestamp){.tv_sec = time.tv_sec, .tv_nsec = (unsigned)time.tv_nsec};
}

static void extend(const struct stat *s, struct statx *to)
{
    memset(to, 0, sizeof *to);
    to->stx_mask = 0x7ff;
    to->stx_blksize = (unsigned)s->st_blksize;
    to->stx_nlink = (unsigned)s->st_nlink;
    to->stx_uid = s->st_uid;
    to->stx_gid = s->st_gid;
    to->stx_mode = (unsigned short)s->st_mode;
    to->stx_ino = s->st_ino;
    to->stx_size = (unsigned long long)s->st_size;
    to->stx_blocks = (unsigned long long)s->st_blocks;
    to->stx_atime = extended_time(s->st_atim);
    to->stx_mtime = extended_time(s->st_mtim);
    to->stx_ctime = extended_time(s->st_ctim);
    to->stx_btime.tv_sec = CLOCK_START;
    to->stx_rdev_major = (unsigned)(s->st_rdev >> 8);
    to->stx_rdev_minor = s->st_rdev & 0xff;
    to->stx_dev_major = (unsigned)(s->st_dev >> 8);
    to->stx_dev_minor = s->st_dev & 0xff;
}

FACT int statx(int at, const char *restrict path, int flags, unsigned mask, struct statx *restrict to)
{
    struct stat found;
    if (!known_count) return (int)syscall(SYS_statx, at, path, flags, mask, to);
    int result = fstatat(at, path, &found, flags & (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH));
    if (!result) extend(&found, to);
    return result;
}

/* ---- readlink ---- */
FACT ssize_t readlinkat(int at, const char *restrict path, char *restrict to, size_t room)
{
    char here[4096];
    const size_t n = sizeof LINK_HERE - 1, told = sizeof LINK_TOLD - 1;
    ssize_t size = syscall(SYS_readlinkat, at, path, here, sizeof here);
    if (size < 0 || !room) return syscall(SYS_readlinkat, at, path, to, room);
    if (known_count && (size_t)size == n + 1 && !memcmp(here, LINK_HERE, n)) {
        memcpy(here, LINK_TOLD, told);
        here[told] = here[n];
        size = (ssize_t)told + 1;
    }
    if ((size_t)size > room) size = (ssize_t)room;
    memcpy(to, here, (size_t)size);
    return size;
}

FACT ssize_t readlink(const char *restrict path, char *restrict to, size_t room) { return readlinkat(AT_FDCWD, path, to, room); }

/* ---- readdir ---- */
static int is_own(int folder, const char *name)
{
    static const char *const in_root[] = {"usr", "lib", "lib32", "lib64"};
    struct stat here;
    if (!strcmp(name, OWN_FOLDER)) return 1;
    for (unsigned i = 0; i < sizeof in_root / sizeof *in_root; i++)
        if (!strcmp(name, in_root[i])) return !fstat(folder, &here) && here.st_ino == FIRST_INODE;
    return 0;
}

/* An entry's number and type; those of a mount differ from those of the folder under it. */
static void liken_entry(int folder, struct dirent *entry)
{
    struct stat found;
    if (look(folder, entry->d_name, &found, AT_SYMLINK_NOFOLLOW)) return;
    entry->d_ino = number_of(found.st_dev, found.st_ino);
    entry->d_type = IFTODT(found.st_mode);
}

#ifdef __GLIBC__
static struct dirent *next_entry(DIR *folder)
{
    static struct dirent *(*told)(DIR *);
    if (!told) told = (struct dirent * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir64");
    return told ? told(folder) : 0;
}
#else
struct __dirstream { off_t tell; int fd, at, end; volatile int lock[1]; char records[2048]; }; /* as musl has it */

static int refill(DIR *folder)
{
    long n = syscall(SYS_getdents64, folder->fd, folder->records, sizeof folder->records);
    folder->at = 0;
    folder->end = n > 0 ? (int)n : 0;
    return n > 0;
}

static struct dirent *next_entry(DIR *folder)
{
    if (folder->at >= folder->end && !refill(folder)) return 0;
    struct dirent *entry = (void *)(folder->records + folder->at);
    folder->at += entry->d_reclen;
    folder->tell = entry->d_off;
    return entry;
}
#endif

FACT struct dirent *readdir(DIR *folder)
{
    struct dirent *entry;
    while ((entry = next_entry(folder)) && known_count && is_own(dirfd(folder), entry->d_name)) continue;
    if (entry && known_count) liken_entry(dirfd(folder), entry);
    return entry;
}

#ifdef __GLIBC__
FACT struct dirent64 *readdir64(DIR *folder) { return (struct dirent64 *)readdir(folder); } /* one layout on x86-64 */
#endif
