/* Memory from the system. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SHOW(call) (errno = 0, printf("%s = %ld errno %d\n", #call, (long)(call), errno))

int main(void)
{
    char text[16] = {0};
    char *p = mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SHOW(p != MAP_FAILED && p[0] == 0 && p[8191] == 0);
    strcpy(p, "moved");
    p = mremap(p, 8192, 40960, MREMAP_MAYMOVE);
    SHOW(p != MAP_FAILED && !strcmp(p, "moved") && p[40959] == 0);
    SHOW(mprotect(p, 4096, PROT_READ | PROT_WRITE));
    SHOW(munmap(p, 40960));
    SHOW(mmap(0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    int fd = open("mapped", O_RDWR | O_CREAT, 0644);
    write(fd, "content of the file", 19);
    p = mmap(0, 19, PROT_READ, MAP_PRIVATE, fd, 0);
    SHOW(memcmp(p, "content of the file\0\0", 21));
    munmap(p, 19);
    p = mmap(0, 19, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    p[0] = 'X';
    munmap(p, 19);
    SHOW(pread(fd, text, 3, 0));
    printf("%s\n", text);
    p = mmap(0, 19, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    p[0] = 'Y';
    SHOW(msync(p, 19, MS_SYNC));
    SHOW(pread(fd, text, 3, 0));
    printf("%s\n", text);
    p[1] = 'Z';
    close(fd);
    munmap(p, 19);
    fd = open("mapped", O_WRONLY);
    SHOW(mmap(0, 19, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED);
    fd = open("mapped", O_RDONLY);
    SHOW(read(fd, text, 3));
    printf("%s\n", text);
    SHOW(mmap(0, 19, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED);
    SHOW(mmap(0, 19, PROT_READ, MAP_PRIVATE, 77, 0) == MAP_FAILED);
    SHOW(mmap(0, 19, PROT_READ, MAP_PRIVATE, fd, 1) == MAP_FAILED);
    return 0;
}
