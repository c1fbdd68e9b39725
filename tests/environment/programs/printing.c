/* Output of symbolic data: argv[1] chooses how, and each has its own rule about states. */
#define _GNU_SOURCE
#include <klee/klee.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf place;
static char small[12]; /* eight of them are kept for ungetc */

static void leave(int number) { siglongjmp(place, number); }

static ssize_t swallow(void *cookie, const char *data, size_t n)
{
    if (n && data[0] == 'x') *(int *)cookie = 1; /* the program's own decision */
    return n;
}

static void escape(int value) /* out of the middle of formatting */
{
    int p[2];
    pipe(p);
    close(p[0]);
    FILE *f = fdopen(p[1], "w");
    setvbuf(f, small, _IOFBF, sizeof small);
    signal(SIGPIPE, leave);
    if (!sigsetjmp(place, 1)) fprintf(f, "%s", "more than fits");
    else if (value < 0) puts("negative");
    signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
    static int seen;
    int value;
    unsigned char text[4];
    char buffer[32];
    static char *allocated;
    static size_t length;
    klee_make_symbolic(&value, sizeof value, "value");
    klee_make_symbolic(text, sizeof text, "text");
    text[3] = 0;
    switch (argv[1][0]) {
    case 'p': printf("%d %x %s|\n", value, value, text); fflush(stdout); break;
    case 'f': fputs((char *)text, stdout); puts((char *)text); fwrite(text, 1, 3, stderr); break;
    case 'c': putchar(text[0]); fputc(text[1], stderr); putc(text[2], stdout); break;
    case 'n': fwrite("abcdefgh", 1, value & 7, stdout); putchar('\n'); break;
    case 'r': if (printf("%d", value) < 0) abort(); if (fwrite("abcdefgh", 1, value & 7, stdout) != (value & 7)) abort(); break;
    case 'w': fprintf(fopen("out", "w"), "%d", value); break;
    case 'd': dprintf(1, "%d", value); break;
    case 'e': fprintf(stderr, "%5d|%-5d", value, value); perror((char *)text); break;
    case 's': sprintf(buffer, "%d", value); break; /* data: branches count */
    case 'a': asprintf(&allocated, "%d", value); break;
    case 'm': fprintf(open_memstream(&allocated, &length), "%d", value); break;
    case 'k': fprintf(fopencookie(&seen, "w", (cookie_io_functions_t){.write = swallow}), "%c%d", text[0], 1); fflush(0); break;
    case 't': printf("%d\n", value); if (value < 0) puts("negative"); break; /* asked again afterwards */
    case 'j': escape(value); break;
    }
    return 0;
}
