/* arguments: A B --sym-files 2 12 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void look(const char *name)
{
    struct stat s;
    int r = stat(name, &s);
    printf("%s: %d %d\n", name, r, r ? errno == ENOENT : (int)s.st_size + S_ISREG(s.st_mode));
}
int main(int argc, char **argv)
{
    char text[16] = "";
    for (int i = 1; i < argc; i++) look(argv[i]);
    look("C");
    FILE *a = fopen(argv[1], "r"), *out = fopen("out", "w+");
    if (!a || !out) return 1;
    int first = fgetc(a), sum = 0;
    if (first > 'm') fseek(a, 5, SEEK_SET);
    while (fread(text, 1, 3, a) == 3) {
        sum += text[0] == text[2];
        fprintf(out, "%d;", text[1] & 7);
    }
    printf("%d %ld %d\n", sum, ftell(a), feof(a));
    rewind(out);
    while (fgets(text, sizeof text, out)) puts(text);
    fclose(out);
    int fd = open("out", O_RDWR | O_APPEND), other = open("out", O_RDONLY | O_CREAT | O_EXCL, 0600);
    printf("%d %d %d\n", fd >= 0, other, errno == EEXIST);
    if (write(fd, "end", 3) != 3 || lseek(fd, -2, SEEK_END) < 0 || read(fd, text, 5) != 2) return 2;
    ftruncate(fd, 1);
    look("out");
    int copy = dup(fd);
    close(fd);
    printf("%d %zd %zd\n", copy == fd, pread(copy, text, 4, 0), read(fd, text, 1));
    unlink("out");
    look("out");
    printf("%d %d\n", access("B", R_OK), open("none/x", O_RDONLY));
    return first == '\n' ? 3 : access("D", F_OK) != 0;
}
