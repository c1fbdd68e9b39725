/* Files by descriptor: every line of output is the same under a real kernel. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SHOW(call) (errno = 0, printf("%s = %ld errno %d\n", #call, (long)(call), errno))

static char text[64];

static void contents(const char *name)
{
    int fd = open(name, O_RDONLY);
    memset(text, 0, sizeof text);
    printf("%s: %ld ", name, (long)read(fd, text, 63));
    for (int i = 0; i < 20; i++) printf("%02x", text[i]);
    printf("\n");
    close(fd);
}

static void basics(void)
{
    int fd = open("new", O_RDWR | O_CREAT | O_EXCL, 0600);
    SHOW(fd);
    SHOW(write(fd, "hello world", 11));
    SHOW(lseek(fd, 0, SEEK_CUR));
    SHOW(lseek(fd, -5, SEEK_END));
    SHOW(read(fd, text, 3));
    printf("%.3s\n", text);
    int left = -1;
    SHOW(ioctl(fd, FIONREAD, &left));
    printf("%d\n", left);
    SHOW(pread(fd, text, 5, 0));
    SHOW(pwrite(fd, "J", 1, 0));
    SHOW(pread(fd, text, 5, 100));
    SHOW(lseek(fd, -1, SEEK_SET));
    SHOW(lseek(fd, 0, 99));
    SHOW(lseek(fd, 16, SEEK_SET));
    SHOW(write(fd, "!", 1));
    SHOW(close(fd));
    SHOW(close(fd));
    SHOW(read(fd, text, 1));
    SHOW(open("new", O_RDWR | O_CREAT | O_EXCL, 0600));
    SHOW(open("absent", O_RDONLY));
    contents("new");
}

static void flags(void)
{
    int fd = open("new", O_WRONLY | O_APPEND);
    SHOW(lseek(fd, 0, SEEK_SET));
    SHOW(write(fd, "++", 2));
    SHOW(read(fd, text, 1));
    SHOW(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND));
    SHOW(fcntl(fd, F_SETFL, 0));
    SHOW(lseek(fd, 0, SEEK_SET));
    SHOW(write(fd, "--", 2));
    SHOW(fcntl(fd, F_GETFD));
    SHOW(fcntl(fd, F_SETFD, FD_CLOEXEC));
    SHOW(fcntl(fd, F_GETFD));
    close(fd);
    contents("new");
    fd = open("new", O_RDONLY);
    SHOW(write(fd, "x", 1));
    close(fd);
    fd = open("new", O_WRONLY | O_TRUNC);
    close(fd);
    contents("new");
    SHOW(open("new/below", O_RDONLY));
    SHOW(open("new", O_RDONLY | O_DIRECTORY));
    SHOW(open(".", O_WRONLY));
    SHOW(open("", O_RDONLY));
}

static void copies(void)
{
    int fd = open("two", O_RDWR | O_CREAT, 0644), other = dup(fd);
    SHOW(other - fd);
    SHOW(write(fd, "abcdef", 6));
    SHOW(lseek(other, 0, SEEK_CUR));
    SHOW(lseek(other, 2, SEEK_SET));
    SHOW(read(fd, text, 2));
    SHOW(dup2(fd, 30));
    SHOW(dup2(30, 30));
    SHOW(dup2(29, 5));
    SHOW(dup3(fd, 30, O_CLOEXEC));
    SHOW(fcntl(30, F_GETFD));
    SHOW(fcntl(fd, F_DUPFD, 40));
    SHOW(close(fd));
    SHOW(read(30, text, 10));
    SHOW(close(40));
    SHOW(dup(40));
    close(other);
    close(30);
}

static void sizes(void)
{
    struct stat s;
    int fd = open("three", O_RDWR | O_CREAT, 0640);
    SHOW(ftruncate(fd, 10));
    SHOW(write(fd, "abc", 3));
    SHOW(fstat(fd, &s));
    printf("size %ld mode %o links %ld blocks %d\n", (long)s.st_size, s.st_mode, (long)s.st_nlink, s.st_blksize == 4096);
    SHOW(ftruncate(fd, 2));
    SHOW(truncate("three", 5));
    SHOW(truncate("absent", 5));
    SHOW(truncate("three", -1));
    SHOW(ftruncate(-1, 5));
    SHOW(posix_fallocate(fd, 4, 8));
    SHOW(lseek(fd, 0, SEEK_END));
    SHOW(posix_fallocate(fd, 0, 3));
    SHOW(lseek(fd, 0, SEEK_END));
    SHOW(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 50));
    SHOW(lseek(fd, 0, SEEK_END));
    SHOW(posix_fallocate(fd, 0, 0));
    SHOW(posix_fallocate(fd, -1, 5));
    SHOW(posix_fallocate(0, 0, 5));
    SHOW(posix_fallocate(-1, 0, 5));
    SHOW(ftruncate(fd, 2));
    contents("three");
    SHOW(unlink("three"));
    SHOW(fstat(fd, &s));
    printf("links %ld\n", (long)s.st_nlink);
    SHOW(pread(fd, text, 9, 0));
    close(fd);
    SHOW(stat("three", &s));
}

static void vectors(void)
{
    char a[3], b[5];
    struct iovec out[3] = {{"one", 3}, {"", 0}, {"two!", 4}}, in[2] = {{a, 3}, {b, 5}};
    int fd = open("four", O_RDWR | O_CREAT, 0644);
    SHOW(writev(fd, out, 3));
    SHOW(lseek(fd, 0, SEEK_SET));
    SHOW(readv(fd, in, 2));
    printf("%.3s %.4s\n", a, b);
    SHOW(preadv(fd, in, 2, 3));
    SHOW(writev(fd, out, -1));
    SHOW(fsync(fd));
    close(fd);
}

int main(void)
{
    SHOW(umask(022) >= 0);
    basics();
    flags();
    copies();
    sizes();
    vectors();
    return 0;
}
