/* Opens its argument and says what it got. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct stat s;
    char byte;
    int fd = open(argv[1], O_RDONLY);
    if (fd < 0) {
        puts(errno == ENOENT ? "absent" : errno == ENOTDIR ? "not a directory" : errno == EACCES ? "denied" : "other");
        return 1;
    }
    fstat(fd, &s);
    if (S_ISDIR(s.st_mode)) puts(read(fd, &byte, 1) < 0 && errno == EISDIR ? "directory" : "wrong");
    else if (S_ISREG(s.st_mode)) puts(s.st_size == 3 ? "file of three" : s.st_size ? "file" : "empty file");
    else if (S_ISFIFO(s.st_mode)) puts(lseek(fd, 0, SEEK_SET) < 0 ? "pipe" : "wrong");
    else puts("device");
    if (S_ISREG(s.st_mode) && lseek(fd, 0, SEEK_END) != s.st_size) puts("wrong size");
    return 0;
}
