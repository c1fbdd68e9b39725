/* Counts what fails; says nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char text[4];
    int failures = 0, fd = open("A", O_RDONLY);
    if (fd < 0) { failures++; fd = 0; }
    if (read(fd, text, 4) < 0) failures += errno == EIO || errno == EINTR;
    if (close(fd) < 0) failures++;
    printf("%d\n", failures);
    return 0;
}
