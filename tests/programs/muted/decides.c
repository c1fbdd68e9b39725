/* What output decides beyond its looks: argv[1] chooses a case, and each has an error that some input meets.
 *
 * The comment behind a case is the kind of error. */
#define _GNU_SOURCE
#include <klee/klee.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static unsigned char a, b;
static char own[64];

static void fill(char *buffer, size_t n) { memset(buffer, 'x', n); }

static void own_buffer(int type)
{
    FILE *f = fopen("own", "w");
    setvbuf(f, own, type, sizeof own);
    fprintf(f, "%d", a);
    if (!strcmp(own + 8, "77")) abort();
}

static void own_buffer_reopened(void)
{
    FILE *f = fopen("own", "w");
    setbuffer(f, own, sizeof own);
    f = freopen("other", "w", f);
    fprintf(f, "%d", a);
    if (!strcmp(own + 8, "77")) abort();
}

static void read_back(FILE *f, int from)
{
    char text[8] = {0};
    fprintf(f, "%d", a);
    fflush(f);
    if (from < 0) from = open("out", O_RDONLY);
    read(from, text, sizeof text - 1);
    if (!strcmp(text, "77")) abort();
}

static void piped(void)
{
    int ends[2];
    pipe(ends);
    read_back(fdopen(ends[1], "w"), ends[0]);
}

static void standard_output_redirected(void)
{
    int ends[2];
    pipe(ends);
    dup2(ends[1], 1);
    read_back(stdout, ends[0]);
}

static void copied(void)
{
    FILE *f = fopen("in", "w");
    fprintf(f, "%d", a);
    fclose(f);
    int from = open("in", O_RDONLY), to = open("out", O_RDWR | O_CREAT, 0600);
    copy_file_range(from, 0, to, 0, 100, 0);
    char text[8] = {0};
    pread(to, text, sizeof text - 1, 0);
    if (!strcmp(text, "77")) abort();
}

static void wide_character(void)
{
    if (printf("%lc", (wint_t)(a << 8)) < 0) abort();
}

static void too_wide(void)
{
    int width = (a == 200) * 0x7fffffff + (a & 7);
    if (printf("x%*d", width, b) < 0) abort();
}

int main(int argc, char **argv)
{
    char buffer[16], letters[17], big[5000];
    klee_make_symbolic(&a, 1, "a");
    klee_make_symbolic(&b, 1, "b");
    switch (atoi(argv[1])) {
    case 1: own_buffer(_IOFBF); break;                            /* abort */
    case 2: own_buffer(_IOLBF); break;                            /* abort */
    case 3: own_buffer_reopened(); break;                         /* abort */
    case 4: read_back(fopen("out", "w"), -1); break;              /* abort */
    case 5: read_back(tmpfile(), -1); break;                      /* none */
    case 6: piped(); break;                                       /* abort */
    case 7: standard_output_redirected(); break;                  /* abort */
    case 8: copied(); break;                                      /* abort */
    case 9: fill(buffer, 16); fwrite(buffer, 1, a & 31, stdout); break; /* out-of-bounds */
    case 10: fill(buffer, 16); fwrite(buffer, a & 7, b & 3, stdout); break; /* out-of-bounds */
    case 11: fill(buffer, 16); fwrite(buffer + (a & 15), 1, 4, stdout); break; /* out-of-bounds */
    case 12: fill(buffer, 16); printf("%.*s", a & 31, buffer); break; /* out-of-bounds */
    case 13: fill(letters, 17); letters[16] = a; printf("%.17s", letters); break; /* none */
    case 14: fill(letters, 17); letters[16] = a; puts(letters); break; /* out-of-bounds */
    case 15: fill(letters, 17); letters[16] = a; perror(letters); break; /* out-of-bounds */
    case 16: wide_character(); break;                             /* abort */
    case 17: if (putwchar(a << 8) == WEOF) abort(); break;        /* abort */
    case 18: { wchar_t wide[] = {'a', a << 8, 0}; if (fputws(wide, stdout) < 0) abort(); break; } /* abort */
    case 19: { wchar_t wide[] = {'a', a}; printf("%.2ls", wide); printf("%ls", wide); break; } /* out-of-bounds */
    case 20: too_wide(); break;                                   /* abort */
    case 21: { memset(buffer, 0, 16); char format[] = {'%', a, 0}; if (a == 's' || a == 'd' || a == '%') printf(format, buffer - b); break; } /* out-of-bounds */
    case 22: printf("%d", a); if (__fpending(stdout) == 3) abort(); break; /* abort */
    case 23: if (printf("%d", a) == 3) abort(); break;            /* abort */
    case 24: if (fprintf(stderr, "%d", a) == 2) abort(); break;   /* abort */
    case 25: if (dprintf(2, "%d", a) == 2) abort(); break;        /* abort */
    case 26: { FILE *f = fopen("f", "w"); fprintf(f, "%d", a); if (ftell(f) == 3) abort(); break; } /* abort */
    case 27: if (snprintf(buffer, 3, "%d", a) == 3) abort(); break; /* abort */
    case 28: { char *p; if (asprintf(&p, "%d", a) == 3 && p[0] == '2') abort(); break; } /* abort */
    case 29: { FILE *f = fmemopen(buffer, 16, "w"); fprintf(f, "%d", a); fflush(f); if (!strcmp(buffer, "77")) abort(); break; } /* abort */
    case 30: if (wprintf(L"%d", a) == 3) abort(); break;          /* abort */
    case 31: fill(big, 5000); big[4999] = a; puts(big); break;    /* out-of-bounds */
    case 32: { int n = 0; printf("%d%n", a, &n); if (n == 3) abort(); break; } /* abort */
    case 33: { static char s[6000]; klee_make_symbolic(s, 6000, "s"); klee_assume(s[4500] == 0); fputs(s, stdout); break; } /* none */
    }
    return 0;
}
