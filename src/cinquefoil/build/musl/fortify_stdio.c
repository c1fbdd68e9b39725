/* What bitcode compiled against glibc's headers with _FORTIFY_SOURCE calls.  The engine checks every access
 * itself, and better, so these only forward. */
#include <stdarg.h>
#include <stdio.h>

#define FORWARD(CALL) \
    va_list ap; \
    va_start(ap, format); \
    int n = CALL; \
    va_end(ap); \
    return n

int __printf_chk(int flag, const char *format, ...) { FORWARD(vprintf(format, ap)); }
int __fprintf_chk(FILE *f, int flag, const char *format, ...) { FORWARD(vfprintf(f, format, ap)); }
int __sprintf_chk(char *s, int flag, size_t size, const char *format, ...) { FORWARD(vsprintf(s, format, ap)); }
int __snprintf_chk(char *s, size_t n_, int flag, size_t size, const char *format, ...)
{
    FORWARD(vsnprintf(s, n_, format, ap));
}
int __vprintf_chk(int flag, const char *format, va_list ap) { return vprintf(format, ap); }
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list ap) { return vfprintf(f, format, ap); }
int __vsprintf_chk(char *s, int flag, size_t size, const char *format, va_list ap)
{
    return vsprintf(s, format, ap);
}
int __vsnprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, va_list ap)
{
    return vsnprintf(s, n, format, ap);
}
char *__fgets_chk(char *s, size_t size, int n, FILE *f) { return fgets(s, n, f); }
