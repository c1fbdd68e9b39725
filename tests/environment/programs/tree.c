/* Directories, links, names. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOW(call) (errno = 0, printf("%s = %ld errno %d\n", #call, (long)(call), errno))

static void touch(const char *name) { close(open(name, O_CREAT | O_WRONLY, 0644)); }

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void list(const char *name)
{
    char *names[32];
    int n = 0;
    DIR *d = opendir(name);
    if (!d) { printf("%s: errno %d\n", name, errno); return; }
    for (struct dirent *e; (e = readdir(d)) && n < 32;) {
        char *line = malloc(300);
        sprintf(line, "%s/%d", e->d_name, e->d_type);
        names[n++] = line;
    }
    qsort(names, n, sizeof *names, by_name);
    printf("%s:", name);
    for (int i = 0; i < n; i++) { printf(" %s", names[i]); free(names[i]); }
    printf("\n");
    rewinddir(d);
    printf("first again: %d\n", readdir(d) != 0);
    closedir(d);
}

static void what(const char *name)
{
    struct stat s;
    if (lstat(name, &s)) { printf("%s: errno %d\n", name, errno); return; }
    printf("%s: mode %o links %ld size %ld\n", name, s.st_mode, (long)s.st_nlink, S_ISDIR(s.st_mode) ? 0 : (long)s.st_size);
}

static void directories(void)
{
    char here[4096], there[4096];
    SHOW(mkdir("d", 0755));
    SHOW(mkdir("d", 0755));
    SHOW(mkdir("x/y", 0755));
    SHOW(mkdir("d/e", 0700));
    touch("d/f");
    list("d");
    list("d/f");
    list("absent");
    SHOW(rmdir("d"));
    SHOW(rmdir("d/f"));
    SHOW(unlink("d/e"));
    SHOW(getcwd(here, sizeof here) != 0);
    SHOW(getcwd(there, 1) != 0);
    SHOW(chdir("d/e"));
    getcwd(there, sizeof there);
    printf("%s\n", there + strlen(here));
    SHOW(access("../f", F_OK));
    SHOW(chdir("../.."));
    SHOW(chdir("d/f"));
    SHOW(chdir("absent"));
    int fd = open("d", O_RDONLY | O_DIRECTORY);
    SHOW(fd >= 0);
    SHOW(read(fd, here, 1));
    SHOW(openat(fd, "f", O_RDONLY) >= 0);
    SHOW(openat(fd, "g", O_RDONLY));
    SHOW(mkdirat(fd, "g", 0755));
    SHOW(faccessat(fd, "g", F_OK, 0));
    SHOW(unlinkat(fd, "g", 0));
    SHOW(unlinkat(fd, "g", AT_REMOVEDIR));
    SHOW(fchdir(fd));
    SHOW(access("f", F_OK));
    SHOW(chdir(".."));
    close(fd);
}

static void renames(void)
{
    touch("a");
    SHOW(rename("a", "b"));
    SHOW(rename("a", "c"));
    SHOW(rename("b", "d"));
    SHOW(rename("d", "b"));
    SHOW(rename("d", "d/e/d"));
    SHOW(rename("d/f", "f"));
    SHOW(rename("d/e", "e2"));
    touch("g");
    SHOW(rename("g", "b"));
    what("b");
    what("g");
    what("d");
    what("e2");
    SHOW(rmdir("e2"));
    SHOW(rmdir("d/."));
    SHOW(rmdir("d"));
    SHOW(unlink("f"));
}

static void links(void)
{
    char text[64] = {0};
    SHOW(link("b", "hard"));
    what("hard");
    SHOW(symlink("b", "soft"));
    what("soft");
    SHOW(readlink("soft", text, 63));
    printf("%s\n", text);
    SHOW(readlink("b", text, 63));
    SHOW(symlink("loop", "loop"));
    SHOW(open("loop", O_RDONLY));
    SHOW(open("soft", O_RDONLY | O_NOFOLLOW));
    SHOW(symlink("fresh", "dangling"));
    SHOW(access("dangling", F_OK));
    touch("dangling");
    what("fresh");
    SHOW(unlink("dangling"));
    SHOW(mkdir("dir", 0755));
    SHOW(symlink("dir", "way"));
    touch("way/in");
    list("dir");
    SHOW(unlink("way/in"));
    SHOW(unlink("way"));
    SHOW(link("absent", "z"));
    SHOW(link("b", "hard"));
    SHOW(unlink("b"));
    what("hard");
}

static void properties(void)
{
    struct stat s;
    struct timespec times[2] = {{100, 5}, {200, 7}};
    SHOW(chmod("hard", 0604));
    what("hard");
    SHOW(utimensat(AT_FDCWD, "hard", times, 0));
    stat("hard", &s);
    printf("times %ld.%ld %ld.%ld\n", (long)s.st_atim.tv_sec, (long)s.st_atim.tv_nsec, (long)s.st_mtim.tv_sec, (long)s.st_mtim.tv_nsec);
    SHOW(chmod("absent", 0));
    SHOW(stat("hard/", &s));
    SHOW(stat("./dir//.", &s));
    SHOW(S_ISDIR(s.st_mode));
    SHOW(stat("/", &s));
    SHOW(stat("/dev/null", &s));
    printf("device %o %lx\n", s.st_mode, (long)s.st_rdev);
    const char *devices[] = {"/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty"};
    for (unsigned i = 0; i < sizeof devices / sizeof *devices; i++) {
        stat(devices[i], &s);
        printf("device %lx\n", (long)s.st_rdev);
    }
    int fd = open("/dev/null", O_RDWR);
    SHOW(write(fd, "x", 1));
    SHOW(read(fd, &s, 1));
    fd = open("/dev/zero", O_RDONLY);
    SHOW(read(fd, &s, 8));
    SHOW(open("/dev/tty", O_RDWR));
}

int main(void)
{
    umask(022);
    directories();
    renames();
    links();
    properties();
    list(".");
    return 0;
}
