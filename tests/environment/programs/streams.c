/* Standard streams, pipes, waiting. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOW(call) (errno = 0, printf("%s = %ld errno %d\n", #call, (long)(call), errno))

static void standard(void)
{
    struct stat s;
    char text[16];
    for (int fd = 0; fd < 3; fd++) printf("tty %d errno %d\n", isatty(fd), errno);
    fstat(1, &s);
    printf("type %o\n", s.st_mode & S_IFMT);
    fstat(0, &s);
    printf("type %o\n", s.st_mode & S_IFMT);
    SHOW(lseek(0, 0, SEEK_CUR));
    SHOW(lseek(1, 0, SEEK_CUR));
    SHOW(read(0, text, 4));
    printf("%.4s\n", text);
    SHOW(scanf("%15s", text));
    printf("%s\n", text);
    SHOW(getchar());
    SHOW(getchar());
    SHOW(read(0, text, 4));
    SHOW(write(0, "", 1) == -1);
}

static void pipes(void)
{
    int p[2], left;
    char text[16];
    struct pollfd polled[2];
    fd_set set;
    struct timeval zero = {0};
    SHOW(pipe(p));
    polled[0] = (struct pollfd){p[0], POLLIN, 0};
    polled[1] = (struct pollfd){p[1], POLLOUT, 0};
    SHOW(poll(polled, 2, 0));
    printf("%d %d\n", polled[0].revents, polled[1].revents);
    SHOW(write(p[1], "hello", 5));
    SHOW(poll(polled, 2, 0));
    printf("%d %d\n", polled[0].revents, polled[1].revents);
    SHOW(ioctl(p[0], FIONREAD, &left));
    printf("%d\n", left);
    FD_ZERO(&set);
    FD_SET(p[0], &set);
    SHOW(select(p[0] + 1, &set, 0, 0, &zero));
    SHOW(read(p[0], text, 3));
    SHOW(lseek(p[0], 0, SEEK_SET));
    SHOW(write(p[0], "x", 1));
    SHOW(read(p[1], text, 3));
    SHOW(close(p[1]));
    SHOW(read(p[0], text, 10));
    SHOW(read(p[0], text, 10));
    SHOW(poll(polled, 1, 0));
    printf("%d\n", polled[0].revents);
    SHOW(pipe2(p, O_NONBLOCK));
    SHOW(read(p[0], text, 1));
    signal(SIGPIPE, SIG_IGN);
    close(p[0]);
    SHOW(write(p[1], "x", 1));
    polled[0].fd = 99;
    SHOW(poll(polled, 1, 0));
    printf("%d\n", polled[0].revents);
}

static void files(void)
{
    char line[64];
    int a = 0, b = 0;
    FILE *f = fopen("stream", "w+");
    SHOW(fprintf(f, "%d %s %x\n%5.2f\n", 42, "words", 255, 3.14159));
    SHOW(ftell(f));
    rewind(f);
    SHOW(fscanf(f, "%d %63s %x", &a, line, &b));
    printf("%d %s %x\n", a, line, b);
    SHOW(fgets(line, 64, f) != 0);
    SHOW(fgets(line, 64, f) != 0);
    printf("%s", line);
    SHOW(fgets(line, 64, f) != 0);
    SHOW(feof(f) != 0);
    SHOW(fseek(f, 3, SEEK_SET));
    SHOW(fgetc(f));
    SHOW(ungetc('Q', f));
    SHOW(fgetc(f));
    SHOW(fclose(f));
    SHOW(freopen("stream", "a", stdin) != 0);
    f = tmpfile();
    SHOW(f != 0);
    SHOW(fputs("temporary", f));
    rewind(f);
    SHOW(fread(line, 1, 64, f));
    fclose(f);
    SHOW(remove("stream"));
    SHOW(dprintf(1, "direct %d\n", 7));
}

int main(void)
{
    setvbuf(stdout, 0, _IONBF, 0);
    standard();
    pipes();
    files();
    return 0;
}
