/* The bottom: host system calls, raw memory, the map of the address space. */
#include "runtime.h"

#define HOST_MMAP 9
#define HOST_MPROTECT 10
#define HOST_MADVISE 28
#define HOST_CLOCK_GETTIME 228
#define HOST_EXIT_GROUP 231

#define PROT_RW 3
#define SHARED_FIXED 0x11      /* MAP_SHARED | MAP_FIXED */
#define PRIVATE_FIXED 0x4032   /* MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE */
#define ADVICE_DONTNEED 4
#define ADVICE_HUGEPAGE 14

typedef u64 __attribute__((aligned(1), may_alias)) word;

long host_call(long n, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static void copy_up(u8 *to, const u8 *from, u64 n) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static void copy_down(u8 *to, const u8 *from, u64 n) {
    while (n >= 8) {
        n -= 8;
        *(word *)(to + n) = *(const word *)(from + n);
    }
    while (n--) to[n] = from[n];
}

void raw_copy(void *to, const void *from, u64 n) {
    u8 *t = to;
    const u8 *f = from;
    if ((u64)t - (u64)f < n) { /* overlapping, upwards */
        u64 gap = (u64)t - (u64)f;
        if (gap >= 8) copy_down(t, f, n);
        else while (n--) t[n] = f[n];
        return;
    }
    if (n > 64) return copy_up(t, f, n);
    for (; n >= 8 && (u64)f - (u64)t >= 8; n -= 8, t += 8, f += 8)
        *(word *)t = *(const word *)f;
    for (; n; n--) *t++ = *f++;
}

void raw_fill(void *to, u8 byte, u64 n) {
    u8 *t = to;
    if (n <= 64) { /* starting the processor's own loop costs more */
        u64 bytes = byte * 0x0101010101010101ull;
        for (; n >= 8; n -= 8, t += 8) *(word *)t = bytes;
        for (; n; n--) *t++ = byte;
        return;
    }
    __asm__ volatile("rep stosb" : "+D"(t), "+c"(n) : "a"(byte) : "memory");
}

int raw_compare(const void *a, const void *b, u64 n) {
    const u8 *x = a, *y = b;
    for (; n >= 8; n -= 8, x += 8, y += 8)
        if (*(const word *)x != *(const word *)y) break;
    for (; n; n--, x++, y++)
        if (*x != *y) return *x < *y ? -1 : 1;
    return 0;
}

u64 text_length(const char *s, u64 limit) {
    u64 n = 0;
    while (n < limit && s[n]) n++;
    return n;
}

void clear_memory(u64 start, u64 end) {
    if (end <= start) return;
    if (end - start <= 0x40000) {
        raw_fill((void *)start, 0, end - start);
        return;
    }
    u64 first = (start + 4095) & ~4095ull, last = end & ~4095ull;
    raw_fill((void *)start, 0, first - start);
    host_call(HOST_MADVISE, (long)first, (long)(last - first), ADVICE_DONTNEED, 0, 0, 0);
    raw_fill((void *)last, 0, end - last);
}

u64 clock_now(void) {
    u64 t[2];
    host_call(HOST_CLOCK_GETTIME, 1, (long)t, 0, 0, 0, 0);
    return t[0] * 1000000000 + t[1];
}

static void map_or_die(u64 address, u64 size, long flags, long fd, u64 offset) {
    long got = host_call(HOST_MMAP, (long)address, (long)size, PROT_RW, flags, fd, (long)offset);
    if (got != (long)address) host_call(HOST_EXIT_GROUP, 113, 0, 0, 0, 0, 0);
}

static void map_private(u64 address, u64 size) { map_or_die(address, size, PRIVATE_FIXED, -1, 0); }

void map_space(int shm_fd) {
    map_private(CINQ_HEAP_BASE, CINQ_HEAP_END - CINQ_HEAP_BASE);
    map_private(CINQ_STACK_BASE, CINQ_STACK_END - CINQ_STACK_BASE);
    map_private(CINQ_TAG_BASE, CINQ_TAG_SIZE);
    map_private(CINQ_ID_BASE, 0x400000000);
    map_private(PRIVATE_BASE, PRIVATE_BYTES);
    map_private(NATIVE_STACK_BASE, NATIVE_STACK_BYTES);
    host_call(HOST_MPROTECT, NATIVE_STACK_BASE, NATIVE_GUARD, 0, 0, 0, 0);
    host_call(HOST_MADVISE, INDEX_BASE, INDEX_BYTES, ADVICE_HUGEPAGE, 0, 0, 0);
    if (shm_fd < 0) {
        map_private(CINQ_SHM_BASE, CINQ_SHM_SIZE);
        map_private(CINQ_COV_BASE, CINQ_COVERAGE_CAPACITY);
    } else {
        map_or_die(CINQ_SHM_BASE, CINQ_SHM_SIZE, SHARED_FIXED, shm_fd, 0);
        map_or_die(CINQ_COV_BASE, CINQ_COVERAGE_CAPACITY, SHARED_FIXED, shm_fd, CINQ_SHM_COVERAGE);
    }
    /* The page after the last trace slot: running into it ends the run. */
    host_call(HOST_MPROTECT, (long)(CINQ_SHM_BASE + CINQ_SHM_TRACE + CINQ_TRACE_CAPACITY * 4ull - 4096), 4096, 0, 0, 0, 0);
}
