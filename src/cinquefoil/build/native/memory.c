/* memcpy and memmove, which the wheel's copy of musl lacks. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    void *target = to;
    __asm__ volatile("rep movsb" : "+D"(target), "+S"(from), "+c"(n) : : "memory");
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    if ((uintptr_t)to - (uintptr_t)from >= n) return memcpy(to, from, n);
    unsigned char *end = (unsigned char *)to + n;
    const unsigned char *source = (const unsigned char *)from + n;
    while (n--) *--end = *--source;
    return to;
}
