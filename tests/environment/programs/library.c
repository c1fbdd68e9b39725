/* Prints what docs/libc.md says of this library, a line each. */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <malloc.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

struct item { int key, order; };

static int by_key(const void *a, const void *b) {
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

static int matches(const char *pattern, const char *text, int flags) {
    regex_t compiled;
    int status = regcomp(&compiled, pattern, flags);
    if (status) return -status;
    status = !regexec(&compiled, text, 0, 0, 0);
    regfree(&compiled);
    return status;
}

static void memory(void) {
    char *p = malloc(10), *q;
    printf("usable %zu %zu\n", malloc_usable_size(p), malloc_usable_size(malloc(0)));
    q = realloc(p, 0);
    printf("realloc %d\n", q != 0);
    errno = 0;
    p = malloc(600ul << 20);
    printf("limit %d %d\n", !p, errno == ENOMEM);
    errno = 0;
    p = aligned_alloc(3, 8);
    printf("aligned %d %d\n", !p, errno == EINVAL);
}

static void formats(void) {
    char text[99] = "?", *end;
    int number = -1;
    float real;
    printf("pointer %p, text %.3s, hex %La\n", (void *)0, (char *)0, 1.0L);
    printf("unknown %d %d\n", snprintf(text, 9, "%y", 5), snprintf(text, 9, "%Id", 5));
    printf("buffer %d\n", BUFSIZ);
    printf("scanned %d %d %d", sscanf("0x", "%x", &number), sscanf("1e", "%f", &real), sscanf("nan(abc)x", "%f%s", &real, text));
    printf(" %s\n", text);
    errno = 0;
    strtol("abc", &end, 10);
    printf("no digits %d\n", errno == EINVAL);
    struct tm time = {.tm_hour = 1};
    printf("time %zu\n", strftime(text, sizeof text, "%P", &time));
}

static void orders(void) {
    struct item items[8] = {{1, 0}, {0, 1}, {1, 2}, {0, 3}, {1, 4}, {0, 5}, {1, 6}, {0, 7}};
    char *words[] = {"prog", "file", "-a", 0};
    qsort(items, 8, sizeof *items, by_key);
    printf("stable %d\n", items[0].order == 1 && items[1].order == 3 && items[2].order == 5);
    srand(1);
    printf("rand %d\n", rand());
    printf("compared %d %d\n", memcmp("a", "c", 1), strcmp("a", "c"));
    printf("getopt %d", getopt(3, words, "a"));
    optind = 0;
    printf(" %c\n", getopt_long(3, words, "a", (struct option[]){{0}}, 0));
}

static void patterns(void) {
    int extended = REG_EXTENDED;
    printf("digit %d, back %d, brace %d\n", matches("^\\d$", "5", extended), matches("(a)\\1", "aa", extended), matches("a{2", "a", extended) == -REG_BADBR);
    printf("gnu %d %d %d %d\n", matches("a\\|b", "b", 0), matches("^a\\+$", "aa", 0), matches("\\<ab", "x ab", 0), matches("\\w", "a", extended));
    printf("fnmatch %d\n", fnmatch("@(a|b)", "a", 1 << 5));
}

static void languages(void) {
    wchar_t wide;
    char in[] = "\xe2\x82\xac", out[9] = "", *from = in, *to = out;
    size_t left = 3, room = 8;
    printf("codeset %s, byte %d, letter %d %d\n", nl_langinfo(CODESET), mbtowc(&wide, "\xe9", 1), !!iswalpha(0xe9), towupper(0xe9) == 0xc9);
    printf("translit %d, ebcdic %d", iconv_open("ASCII//TRANSLIT", "UTF-8") != (iconv_t)-1, iconv_open("EBCDIC-US", "UTF-8") != (iconv_t)-1);
    printf(", lacking %zu %s\n", iconv(iconv_open("ISO-8859-1", "UTF-8"), &from, &left, &to, &room), out);
    printf("locale %s\n", setlocale(LC_ALL, "xx_anything"));
}

static void texts(void) {
    printf("%s; %s; %s\n", strerror(0), strerror(12345), strerror(EILSEQ));
    printf("%s; %s; %s\n", strerror(ERANGE), strerror(ENOTTY), strsignal(SIGFPE));
}

int main(void) {
    memory();
    formats();
    orders();
    patterns();
    languages();
    texts();
    fflush(stdout);
    printf("not flushed");
    abort();
}
