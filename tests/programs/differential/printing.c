#include "input.h"
#include <wchar.h>
#include <locale.h>
int main(void)
{
    in_start(); char b[256]; int i = IN(int); long l = IN(long); unsigned char c = IN(char); short s = IN(short); double d = IN(short) / 8.0;
    printf("%d %i %u %x %X %o %c|\n", i, i, i, i, i, i, c ? c : '.'); printf("%ld %lu %lx %lld %zu %jd %td|\n", l, l, l, (long long)l, (size_t)l, (intmax_t)l, (ptrdiff_t)s);
    printf("%hd %hhd %hu %hhu|\n", s, c, s, c); printf("%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%*d|%.*d|\n", s, s, s, s, s, s, s, s, 6, s, 4, s);
    printf("%#x %#o %#X|\n", i, i, i); printf("%s|%10s|%-10s|%.2s|%.*s|\n", "text", "text", "text", "text", 3, "text"); printf("%f %e %g %a|\n", d, d, d, d);
    printf("%.0f %.10f %10.2f %-10.2f %+.1e %G|\n", d, d, d, d, d, d); printf("%Lf %Lg|\n", (long double)d, (long double)i); printf("%p %p|\n", (void *)0, (void *)0x1234); printf("%%%n|\n", &i); printf("%d|\n", i);
    int n = snprintf(b, 5, "%d-%s", s, "abc"); printf("%d %s\n", n, b); n = sprintf(b, "%c%c%5.1f", 'a', 'b', d); printf("%d %s\n", n, b);
    printf("%ls|%lc|\n", L"wide", L'w'); swprintf((wchar_t *)b, 20, L"%d", s); printf("%ls\n", (wchar_t *)b); fprintf(stderr, "err %d\n", s); puts("done"); putchar('x'); putchar('\n'); fputs("f\n", stdout); fwrite("ab\n", 1, 3, stdout);
    printf("%2$s %1$d|\n", s, "pos"); perror("perror"); printf("%m|\n"); setlocale(LC_ALL, "C"); wchar_t w[8]; printf("%zu %d\n", mbstowcs(w, "h\xc3\xa9", 8), (int)w[0]); printf("%d\n", wcscmp(L"a", L"b") < 0);
    return fflush(stdout);
}
