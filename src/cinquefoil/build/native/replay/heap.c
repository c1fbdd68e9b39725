/* The heap as the engine lays it out (machine/runtime/heap.c): upwards, zeroed, reused late, and as large.
 *
 * Programs compare and hash the addresses of their objects, and a few read what they never wrote.  With this order and
 * these contents they decide natively as in the engine.  Only in the build with musl: others keep their own heap, which
 * sanitizers watch.  Weak, so a program's own malloc wins.
 */
#define _GNU_SOURCE
#include <features.h>
#ifndef __GLIBC__
#include "replay.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define HEAP __attribute__((weak, visibility("default")))
#define ARENA ((uintptr_t)1 << 40)
#define CHUNK ((size_t)16 << 20)
#define QUARANTINE ((size_t)64 << 20)
#define CLASSES 4096 /* by room / 16; the last one holds all larger ones */
#define MOST ((size_t)0x30000000) /* from CINQ_HEAP_BASE to CINQ_HEAP_END (machine/runtime/layout.h) */
#define LIVE_MOST ((size_t)512 << 20) /* of all blocks that are not free: Limits.heap (machine/worker.py) */

struct block { size_t size, room; struct block *next; size_t unused; }; /* in the red zone before the memory */

static uintptr_t top = ARENA, mapped = ARENA;
static size_t waiting, live;
static struct block *oldest, *newest, *pooled[CLASSES];

static struct block *block_of(void *p) { return (struct block *)p - 1; }
static size_t red_zone(size_t size) { return size < 256 ? 32 : size < 4096 ? 64 : 256; }
static size_t class_of(size_t room) { return room / 16 < CLASSES - 1 ? room / 16 : CLASSES - 1; }

static int reach(uintptr_t end)
{
    if (end <= mapped) return 1;
    size_t n = (end - mapped + CHUNK - 1) & ~(CHUNK - 1);
    void *got = mmap((void *)mapped, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != (void *)mapped) return 0;
    mapped += n;
    return 1;
}

static void recycle_oldest(void)
{
    struct block *b = oldest, **list = &pooled[class_of(b->room)];
    waiting -= b->room;
    oldest = b->next;
    if (!oldest) newest = 0;
    memset(b + 1, 0, b->room);
    b->next = *list;
    *list = b;
}

static void *take_pooled(size_t room, size_t align)
{
    for (struct block **link = &pooled[class_of(room)]; *link; link = &(*link)->next) {
        struct block *b = *link;
        if (b->room != room || (uintptr_t)(b + 1) & (align - 1)) continue;
        *link = b->next;
        return b + 1;
    }
    return 0;
}

static void *take_fresh(size_t size, size_t room, size_t align)
{
    uintptr_t base = (top + red_zone(size) + align - 1) & ~(uintptr_t)(align - 1);
    if (base + room + 64 > ARENA + MOST || !reach(base + room)) return 0;
    top = base + room;
    block_of((void *)base)->room = room;
    return (void *)base;
}

static void *take(size_t size, size_t room, size_t align)
{
    void *p = take_pooled(room, align);
    if (!p) p = take_fresh(size, room, align);
    while (!p && oldest) {
        recycle_oldest();
        p = take_pooled(room, align);
    }
    return p;
}

/* Did this one fail in the engine (machine/runtime/faults.c)?  Objects malloc-fail, malloc-fail_1, ... tell. */
static int failed(void)
{
    static int asked, chosen;
    char unique[NAME_BYTES];
    size_t bytes;
    if (!asked) asked = 1, replay_start(), chosen = test_object("malloc-fail", &bytes) != 0;
    if (!chosen) return 0;
    unique_name("malloc-fail", unique);
    const unsigned char *choice = test_object(unique, &bytes);
    return choice && bytes && *choice == 1;
}

static void *allocate(size_t size, size_t align)
{
    size_t room = size ? (size + 15) & ~(size_t)15 : 16;
    void *p = failed() || size > LIVE_MOST - live ? 0 : take(size, room, align < 16 ? 16 : align);
    if (!p) {
        errno = ENOMEM;
        return 0;
    }
    block_of(p)->size = size;
    live += size;
    return p;
}

HEAP void *malloc(size_t size) { return allocate(size, 16); }

HEAP void *calloc(size_t count, size_t each)
{
    size_t total;
    if (__builtin_mul_overflow(count, each, &total)) total = ~(size_t)0;
    return allocate(total, 16);
}

HEAP void free(void *p)
{
    int kept = errno;
    if (!p) return;
    struct block *b = block_of(p);
    b->next = 0;
    waiting += b->room;
    live -= b->size;
    if (newest) newest->next = b;
    else oldest = b;
    newest = b;
    while (waiting > QUARANTINE) recycle_oldest();
    errno = kept;
}

HEAP void *realloc(void *p, size_t size)
{
    void *q = allocate(size, 16);
    if (!p || !q) return q;
    size_t before = block_of(p)->size;
    memcpy(q, p, size < before ? size : before);
    free(p);
    return q;
}

HEAP void *memalign(size_t align, size_t size)
{
    if (align && !(align & (align - 1)) && align <= 0x100000) return allocate(size, align);
    errno = EINVAL;
    return 0;
}

HEAP void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }

HEAP int posix_memalign(void **out, size_t align, size_t size)
{
    if (align < 8 || align & (align - 1)) return EINVAL;
    void *p = allocate(size, align);
    if (!p) return ENOMEM;
    *out = p;
    return 0;
}

HEAP size_t malloc_usable_size(void *p) { return p ? block_of(p)->size : 0; }
#endif
