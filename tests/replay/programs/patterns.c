/* arguments: --sym-arg 5 --sym-stdin 6 */
#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int argc, char **argv)
{
    char in[7] = "", copy[40];
    regex_t r;
    regmatch_t m[2];
    if (!fgets(in, sizeof in, stdin)) return 1;
    if (regcomp(&r, "^(a+|[0-9]{2})b?x*$", REG_EXTENDED) == 0) {
        int found = regexec(&r, in, 2, m, 0);
        printf("regex %d %d\n", found, found ? 0 : (int)m[1].rm_eo);
        regfree(&r);
    }
    printf("glob %d %d\n", fnmatch("*[a-c]?", in, 0), fnmatch(argv[1], "abc", 0));
    char *end, *save, *at = strcpy(copy, argv[1]);
    double d = strtod(argv[1], &end);
    printf("%g %d\n", d, (int)(end - argv[1]));
    for (char *t = strtok_r(at, ",;", &save); t; t = strtok_r(0, ",;", &save)) printf("[%s]", t);
    time_t when = 3600L * atoi(argv[1]);
    struct tm tm = *gmtime(&when);
    strftime(copy, sizeof copy, "%a %d %b %Y %H", &tm);
    printf(" %s\n", copy);
    printf("%5.2f|%-6s|%04x|%+d\n", d / 3, in, in[0] & 255, atoi(in));
    return strverscmp(in, argv[1]) > 0;
}
