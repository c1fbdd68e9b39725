/* Symbolic bytes on their way through the file system.  argv[1] chooses it; the goal is "Kx9". */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static char text[8];

static void direct(void)
{
    int fd = open("A", O_RDONLY);
    read(fd, text, 3);
}

static void at_offsets(void)
{
    int fd = open("A", O_RDONLY);
    for (int i = 2; i >= 0; i--) pread(fd, text + i, 1, i);
}

static void vectors(void)
{
    struct iovec parts[2] = {{text, 1}, {text + 1, 2}};
    readv(open("A", O_RDONLY), parts, 2);
}

static void mapped(void)
{
    char *p = mmap(0, 3, PROT_READ, MAP_PRIVATE, open("A", O_RDONLY), 0);
    memcpy(text, p, 3);
}

static void copied(void) /* through a file of the program's own */
{
    int from = open("A", O_RDONLY), to = open("copy", O_RDWR | O_CREAT, 0600);
    char buffer[3];
    read(from, buffer, 3);
    lseek(to, 5, SEEK_SET);
    write(to, buffer, 3);
    rename("copy", "moved");
    pread(open("moved", O_RDONLY), text, 3, 5);
}

static void changed(void) /* what is written into a symbolic file replaces its bytes */
{
    int fd = open("A", O_RDWR);
    pwrite(fd, "K", 1, 0);
    read(fd, text, 3);
}

static void piped(void)
{
    int p[2];
    char buffer[3];
    pipe(p);
    read(0, buffer, 3);
    write(p[1], buffer, 3);
    read(p[0], text, 3);
}

static void shared(void)
{
    int from = open("A", O_RDONLY), to = open("map", O_RDWR | O_CREAT, 0600);
    ftruncate(to, 3);
    char *p = mmap(0, 3, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
    read(from, p, 3);
    munmap(p, 3);
    read(to, text, 3);
}

static void buffered(void)
{
    FILE *f = fopen("A", "r"), *g = fopen("out", "w");
    char buffer[4];
    fread(buffer, 1, 3, f);
    fwrite(buffer, 1, 3, g);
    fclose(g);
    fgets(text, 4, fopen("out", "r"));
}

int main(int argc, char **argv)
{
    switch (argv[1][0]) {
    case 'd': direct(); break;
    case 'o': at_offsets(); break;
    case 'v': vectors(); break;
    case 'm': mapped(); break;
    case 'c': copied(); break;
    case 'w': changed(); break;
    case 'p': piped(); break;
    case 's': shared(); break;
    case 'b': buffered(); break;
    case 'a': memcpy(text, argv[2], 3); break;
    }
    puts(memcmp(text, "Kx9", 3) ? "no" : "found");
    return 0;
}
