/* Every function on strings and blocks, with operands that end where their memory ends, at every alignment. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <ctype.h>
#include <fnmatch.h>
#include <regex.h>
#include <inttypes.h>

static unsigned long sum = 5381;
static void note(long value) { sum = sum * 33 + (unsigned long)value; }
static void sign(int value) { note((value > 0) - (value < 0)); }
static void at(const void *found, const void *base) { note(found ? (long)((const char *)found - (const char *)base) : -1); }

/* The last `size` bytes of an object, `shift` bytes behind its start. */
static void *tail(const void *from, size_t size, size_t shift)
{
    char *object = malloc(shift + size ? shift + size : 1);
    memset(object, 'x', shift);
    return memcpy(object + shift, from, size);
}

static void strings(const char *text, size_t n, size_t shift)
{
    char *s = tail(text, n + 1, shift), *o = tail(text, n + 1, 7 - shift), *room = tail(text, n + 1, shift), *save;
    char *twice = malloc(2 * n + 1);
    note(strlen(s)); note(strnlen(s, n)); note(strnlen(s, n + 9)); sign(strcmp(s, o)); sign(strncmp(s, o, n + 9));
    sign(strcasecmp(s, o)); sign(strncasecmp(s, o, n + 9)); sign(strcoll(s, o)); sign(strverscmp(s, o));
    at(strchr(s, 'c'), s); at(strchr(s, 0), s); at(strchr(s, 'Q'), s); at(strrchr(s, 'a'), s); at(strchrnul(s, 'Q'), s);
    at(strstr(s, o), s); at(strstr(s, "bcd"), s); at(strstr(s, "Qqqqqqq"), s); at(strcasestr(s, "BC"), s);
    at(strpbrk(s, "cd"), s); note(strspn(s, "ab")); note(strcspn(s, "Q")); note(strspn(s, o)); note(strcspn(s, ""));
    at(strcpy(room, s), room); at(stpcpy(room, s), room); at(strncpy(room, s, n + 1), room); at(stpncpy(room, s, n + 1), room);
    strcpy(twice, s); strcat(twice, o); note(strlen(twice)); twice[n] = 0; strncat(twice, s, n); note(strlen(twice));
    char *copy = strdup(s), *part = strndup(s, n / 2); note(strlen(copy) + strlen(part)); at(strtok_r(room, "c", &save), room);
    at(memccpy(room, s, 0, n + 1), room); at(memccpy(room, s, 'Q', n + 1), room); note(strxfrm(room, s, n + 1));
    note(atoi(s)); note(strtol(s, 0, 16)); note(strtod(s, 0)); note(strtoull(s, 0, 0)); note(fnmatch("a*[c-f]?", s, 0));
    char word[20]; int number = -1; note(sscanf(s, "%19s", word)); note(sscanf(s, "%d", &number)); note(snprintf(word, 5, "%s", s));
    note(snprintf(word, sizeof word, "%.3s|%-6s", s, s)); strcpy(room, s); save = room; at(strsep(&save, "b"), room);
    regex_t pattern; note(regcomp(&pattern, "b+c?", REG_EXTENDED)); note(regexec(&pattern, s, 0, 0, 0)); regfree(&pattern);
}

static void blocks(const char *text, size_t n, size_t shift)
{
    char *s = tail(text, n, shift), *o = tail(text, n, 7 - shift), *room = tail(text, n, shift);
    sign(memcmp(s, o, n)); sign(bcmp(s, o, n)); at(memchr(s, 'd', n), s); at(memchr(s, 'Q', n), s); at(memrchr(s, 'a', n), s);
    at(memmem(s, n, o, n / 2), s); at(memmem(s, n, "cd", 2), s); at(memmem(s, n, o, n), s); note(strnlen(s, n)); sign(strncmp(s, o, n));
    at(mempcpy(room, s, n), room); at(memmove(room, s, n), room); at(memset(room, 'y', n), room); bzero(room, n); note(n ? room[n - 1] : 0);
    at(memccpy(room, s, 'Q', n), room); at(stpncpy(room, s, n), room); char *part = strndup(s, n); note(strlen(part)); swab(s, room, n);
    printf("%.*s\n", (int)n, s); note(fwrite(s, 1, n, stdout));
}

static void wide(const char *text, size_t n, size_t shift)
{
    wchar_t buffer[20], *s, *o, *room, *save;
    char *bytes = tail(text, n + 1, shift), *narrow = malloc(n + 1);
    const char *from = bytes;
    const wchar_t *wfrom;
    mbstate_t state = {0};
    note(mbstowcs(buffer, bytes, 20)); note(mbstowcs(0, bytes, 0)); note(mbsrtowcs(buffer, &from, 20, &state)); from = bytes;
    note(mbsnrtowcs(buffer, &from, n + 1, 20, &state)); note(mblen(bytes, n + 1)); note(mbrlen(bytes, n + 1, &state));
    s = tail(buffer, (n + 1) * sizeof *s, shift / 4 * 4); o = tail(buffer, (n + 1) * sizeof *s, 4); room = tail(buffer, (n + 1) * sizeof *s, 0);
    note(mbstowcs(room, bytes, n + 1)); note(wcstombs(narrow, s, n + 1)); note(wcstombs(0, s, 0)); wfrom = s; note(wcsrtombs(narrow, &wfrom, n + 1, &state)); wfrom = s;
    note(wcsnrtombs(narrow, &wfrom, n + 1, n + 1, &state)); note(wcslen(s)); note(wcsnlen(s, n)); note(wcsnlen(s, n + 5)); sign(wcscmp(s, o)); sign(wcsncmp(s, o, n + 5)); sign(wcscasecmp(s, o));
    at(wcschr(s, L'c'), s); at(wcschr(s, L'Q'), s); at(wcsrchr(s, L'a'), s); at(wcsstr(s, o), s); at(wcsstr(s, L"Qq"), s); at(wcspbrk(s, L"cd"), s);
    note(wcsspn(s, L"ab")); note(wcscspn(s, L"Q")); at(wcscpy(room, s), room); at(wcpcpy(room, s), room); at(wcsncpy(room, s, n + 1), room); at(wcpncpy(room, s, n + 1), room);
    at(wmemchr(s, L'Q', n + 1), s); sign(wmemcmp(s, o, n + 1)); at(wmemcpy(room, s, n + 1), room); at(wmemmove(room, s, n + 1), room); at(wmemset(room, L'z', n + 1), room);
    wcscpy(room, s); at(wcstok(room, L"c", &save), room); note(wcstol(s, 0, 16)); note(wcstod(s, 0)); note(wcslen(wcsdup(s))); note(wcscoll(s, o) == 0); note(wcsxfrm(room, s, n + 1));
    note(swprintf(buffer, 20, L"%ls|%s", s, bytes)); int number = -1; note(swscanf(s, L"%d", &number)); note(snprintf(narrow, n + 1, "%ls", s));
    mbtowc(buffer, bytes, n + 1); note(buffer[0]); note(mbrtowc(buffer, bytes, n + 1, &state));
}

int main(void)
{
    static const char *const texts[] = {"", "a", "ab", "abc", "12", "-7", "0x1f", "abcd", "aBcDe", "abcdef", "abcabcd", "abcdabcd", "ababababc"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t shift = 0; shift < 8; shift++) {
            strings(texts[t], strlen(texts[t]), shift);
            blocks(texts[t], strlen(texts[t]), shift);
            wide(texts[t], strlen(texts[t]), shift);
        }
    printf("%lx\n", sum);
    return 0;
}
