#include "input.h"
#include <ctype.h>
#include <errno.h>
#include <time.h>
#include <limits.h>
#include <inttypes.h>
static int cmp(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int cmps(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void)
{
    in_start(); char s[12], t[40]; memcpy(s, in_bytes, 11); s[11] = 0; in_next = 11; char *e;
    mix(strlen(s)); mix(strcmp(s, "abc") > 0); mix(strncmp(s, "hello", 3) < 0); mix(strchr(s, 'a') ? strchr(s, 'a') - s : -1); mix(strrchr(s, '1') ? 1 : 0); mix(memchr(s, 0, 12) != 0); mix(memcmp(s, "abcdefghijkl", 12) < 0); strcpy(t, s); strcat(t, "tail"); mix(strlen(t)); strncpy(t, s, 5); mix(t[4]); mix(strspn(s, "0123456789")); mix(strcspn(s, " ")); mix(strstr(t, "tail") != 0); char *tok = strtok(t, " ,"); mix(tok ? strlen(tok) : 0); mix(strcasecmp(s, "ABC") == 0); char *dup = strdup(s); mix(dup[0]); free(dup); mix(strpbrk(s, "xyz") != 0); mix(strnlen(s, 4)); show("string");
    for (int i = 0; i < 4; i++) { int c = (unsigned char)s[i]; mix(!!isalpha(c)); mix(!!isdigit(c)); mix(!!isspace(c)); mix(toupper(c)); mix(tolower(c)); mix(!!isxdigit(c)); mix(!!ispunct(c)); mix(!!isprint(c)); mix(!!iscntrl(c)); } show("ctype");
    errno = 0; mix(strtol(s, &e, 10)); mix(e - s); mix(strtol(s, &e, 0)); mix(e - s); mix(strtoul(s + 1, &e, 16)); mix(e - s); mix(atoi(s)); mix(strtoll(s, 0, 8)); mix(errno); show("strtol");
    s[5] = 0; double d = strtod(s, &e); mix_bytes(&d, 8); mix(e - s); float f = strtof("1.5e3x", &e); mix_bytes(&f, 4); d = atof("0x1.8p3"); mix_bytes(&d, 8); show("strtod");
    int v[6], k; for (int i = 0; i < 6; i++) v[i] = in_take(1); qsort(v, 6, 4, cmp); for (int i = 0; i < 6; i++) mix(v[i]); k = in_take(1); int *f2 = bsearch(&k, v, 6, 4, cmp); mix(f2 ? f2 - v : -1); char *names[] = {"pear", "fig", "apple", "kiwi"}; qsort(names, 4, sizeof *names, cmps); for (int i = 0; i < 4; i++) mix(names[i][0]); show("sort");
    int a = 0, b = 0; char w[10] = ""; char line[24]; snprintf(line, sizeof line, "%d %x word", (int)in_take(1), (int)in_take(1)); mix(sscanf(line, "%d %x %9s", &a, (unsigned *)&b, w)); mix(a); mix(b); mix(w[0]); mix(sscanf("12,34", "%d,%d", &a, &b)); mix(a + b); float ff; mix(sscanf("3.25 [x]", "%f [%[a-z]]", &ff, w)); mix_bytes(&ff, 4); mix(w[0]); mix(sscanf("%%5", "%%%%%d", &a)); show("scanf");
    char *mp; size_t ms; FILE *m = open_memstream(&mp, &ms); fprintf(m, "%d-%s", a, "memory"); fputc('!', m); fclose(m); mix(ms); mix(mp[0]); free(mp); char fb[20] = "line one\nline two\n"; m = fmemopen(fb, sizeof fb - 1, "r"); mix(fgets(line, 24, m) != 0); mix(strlen(line)); mix(fgetc(m)); ungetc('Z', m); mix(fgetc(m)); mix(fscanf(m, "%9s", w)); mix(w[0]); mix(feof(m)); fclose(m); show("stdio");
    time_t when = 86400L * (1 + in_take(1)) + 3661; struct tm *tm = gmtime(&when); mix(tm->tm_year); mix(tm->tm_mon); mix(tm->tm_mday); mix(tm->tm_hour); mix(tm->tm_wday); mix(mktime(tm)); strftime(t, 40, "%Y-%m-%d %H:%M:%S", tm); mix_bytes(t, strlen(t)); show("time");
    div_t q = div((int)in_take(2), 7); mix(q.quot); mix(q.rem); ldiv_t lq = ldiv(-17, 5); mix(lq.rem); mix(labs(-5)); srand(5); mix(rand()); mix(imaxabs(-3)); mix(getenv("HOME") != 0); mix(getenv("NOPE") != 0); show("stdlib");
    void *p[20]; for (int i = 0; i < 20; i++) { p[i] = malloc(i * 13 + 1); memset(p[i], i, i * 13 + 1); } for (int i = 0; i < 20; i += 2) free(p[i]); for (int i = 1; i < 20; i += 2) { p[i] = realloc(p[i], i * 29); mix(*(char *)p[i]); } for (int i = 1; i < 20; i += 2) free(p[i]); mix(malloc(0) != (void *)1); p[0] = aligned_alloc(64, 128); mix((uintptr_t)p[0] & 63); free(p[0]); posix_memalign(&p[1], 256, 10); mix((uintptr_t)p[1] & 255); show("malloc");
    return 3;
}
