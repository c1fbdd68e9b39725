/* The program's heap: bump allocation, red zones, quarantine.
 *
 * Blocks are laid out upwards, each behind a red zone that also holds its index,
 * so the record list is sorted by address and addresses are the same in every
 * run.  Freed blocks wait in a FIFO; only when 64 MiB wait (or the arena is
 * full) are the oldest recycled, for requests of exactly the same room.
 */
#include "runtime.h"

/* A program may define these itself; its definition wins. */
#pragma weak malloc
#pragma weak calloc
#pragma weak realloc
#pragma weak free
#pragma weak memalign
#pragma weak aligned_alloc
#pragma weak posix_memalign
#pragma weak malloc_usable_size

#define BLOCKS ((struct block *)BLOCK_BASE)
#define BLOCK_LIMIT (BLOCK_BYTES / sizeof(struct block) - 1)
#define QUARANTINE 0x4000000
#define CLASSES 4096 /* by room / 16; the last one holds all larger ones */
#define MAGIC 0xb10cb10c

RUN_STATE static u32 block_count;
RUN_STATE u64 heap_top = CINQ_HEAP_BASE;
RUN_STATE static u64 live_bytes, waiting_bytes;
RUN_STATE static u32 oldest, newest;      /* FIFO of freed blocks: 1 + index */
static u32 pooled[CLASSES];               /* lists of recycled blocks: 1 + index */
RUN_STATE static u32 is_pooling;          /* there were some in this run */

extern int *__errno_location(void) __attribute__((weak));
void cinq_set_errno(int code) {
    if (__errno_location) *__errno_location() = code;
}

u32 heap_block_at(u64 address) {
    u32 low = 0, high = block_count;
    while (low < high) {
        u32 mid = (low + high) / 2;
        if (BLOCKS[mid].base <= address) low = mid + 1;
        else high = mid;
    }
    return low;
}

static u64 red_zone(u64 size) { return size < 256 ? 32 : size < 4096 ? 64 : 256; }
static u32 class_of(u64 room) { return room / 16 < CLASSES - 1 ? (u32)(room / 16) : CLASSES - 1; }

static void recycle_oldest(void) {
    struct block *b = &BLOCKS[oldest - 1];
    u32 next = b->next, c = class_of(b->room);
    waiting_bytes -= b->room;
    is_pooling = 1;
    raw_fill((void *)(u64)b->base, 0, b->room);
    b->state = BLOCK_POOLED;
    b->next = pooled[c];
    pooled[c] = oldest;
    oldest = next;
    if (!oldest) newest = 0;
}

static u32 take_pooled(u64 room, u64 align) { /* 1 + index; 0: none fits */
    u32 *link = &pooled[class_of(room)];
    for (; *link; link = &BLOCKS[*link - 1].next) {
        struct block *b = &BLOCKS[*link - 1];
        if (b->room != room || b->base & (align - 1)) continue;
        u32 found = *link;
        *link = b->next;
        return found;
    }
    return 0;
}

static u32 take_fresh(u64 size, u64 room, u64 align) {
    u64 base = (heap_top + red_zone(size) + align - 1) & ~(align - 1);
    if (base + room + 64 > CINQ_HEAP_END || block_count >= BLOCK_LIMIT) return 0;
    BLOCKS[block_count].base = (u32)base;
    BLOCKS[block_count].room = (u32)room;
    heap_top = base + room;
    return ++block_count;
}

static u32 take_block(u64 size, u64 room, u64 align) {
    u32 i = take_pooled(room, align);
    if (!i) i = take_fresh(size, room, align);
    while (!i && oldest) {
        recycle_oldest();
        i = take_pooled(room, align);
    }
    return i;
}

static u64 heap_left(void) {
    u64 limit = CONTROL->max_heap ? CONTROL->max_heap : CINQ_HEAP_END - CINQ_HEAP_BASE;
    return live_bytes < limit ? limit - live_bytes : 0;
}

u64 heap_allocate(u64 size, u64 align, u32 site) {
    if (size > heap_left()) return 0;
    u64 room = size ? (size + 15) & ~15ull : 16;
    if (align < 16) align = 16;
    u32 i = take_block(size, room, align);
    if (!i) return 0;
    struct block *b = &BLOCKS[i - 1];
    b->size = (u32)size;
    b->site = site;
    b->freed_site = 0;
    b->state = BLOCK_LIVE;
    b->allocated = 0;
    b->next = 0;
    if (site) live_bytes += size; /* what the run-time itself needs is none of the program's */
    ((u32 *)(u64)b->base)[-1] = MAGIC; /* the red zone before it holds its index */
    ((u32 *)(u64)b->base)[-2] = i;
    memory_alive(b->base, size);
    return b->base;
}

static struct block *block_of(u64 address) {
    if (address < CINQ_HEAP_BASE + 16 || address >= CINQ_HEAP_END || address & 15) return 0;
    const u32 *header = (const u32 *)address;
    if (header[-1] != MAGIC || header[-2] == 0 || header[-2] > block_count) return 0;
    struct block *b = &BLOCKS[header[-2] - 1];
    return b->base == address && b->state != BLOCK_POOLED ? b : 0;
}

void heap_release(u64 address, u32 site) {
    struct block *b = block_of(address);
    b->state = BLOCK_FREED;
    if (b->site) live_bytes -= b->size;
    b->freed_site = site;
    b->next = 0;
    waiting_bytes += b->room;
    memory_dead(address, b->room);
    u32 i = (u32)(b - BLOCKS) + 1;
    if (newest) BLOCKS[newest - 1].next = i;
    else oldest = i;
    newest = i;
    while (waiting_bytes > QUARANTINE) recycle_oldest();
}

/* Only what the program allocated: arguments, environment and mappings are blocks of the heap as well. */
static int may_be_freed(const struct block *b) { return b && b->allocated && b->state == BLOCK_LIVE; }

void cinq_free(u64 address, u32 site) {
    struct object o;
    const struct block *b = block_of(address);
    if (may_be_freed(b)) return heap_release(address, site);
    o.region = REGION_NONE;
    o.base = o.size = 0;
    o.site = o.freed_site = o.live = 0;
    object_near(address, &o);
    error_object(b && b->allocated ? ERROR_DOUBLE_FREE : ERROR_INVALID_FREE, address, 0, ACCESS_FREE, site, &o);
}

/* From here on nothing is left of what the run has made, memory and tags. */
void heap_clear(u64 from) {
    if (is_pooling) raw_fill(pooled, 0, sizeof pooled);
    u64 tags = CINQ_TAG_BASE + from / 8, end = CINQ_TAG_BASE + (heap_top + 64) / 8;
    clear_memory(from, heap_top);
    clear_memory((tags + 4095) & ~4095ull, end);
}

struct span heap_pools(void) { return (struct span){(u64)pooled, is_pooling ? sizeof pooled : 0}; }
struct span heap_records(void) { return (struct span){BLOCK_BASE, block_count * sizeof(struct block)}; }

/* ---- The C functions: argument shadows in cinq_arg ------------------------------------ */
static u64 size_argument(u32 slot, u64 value) {
    return size_to_allocate(call_site(), cinq_arg[slot], value, heap_left());
}

static void alignment_argument(u32 slot, u64 value) { concretize(call_site(), cinq_arg[slot], value, REASON_SIZE); }

static u64 allocate(u64 size, u64 align) {
    u64 p = allocation_fails() ? 0 : heap_allocate(size, align, call_site());
    if (p) block_of(p)->allocated = 1;
    return p;
}

static void *allocate_or_fail(u64 size, u64 align) {
    u64 p = allocate(size, align);
    if (!p) cinq_set_errno(12);
    cinq_ret[0] = 0;
    return (void *)p;
}

static void *allocate_unwritten(u64 size, u64 align) {
    void *p = allocate_or_fail(size, align);
    if (p) memory_unwritten((u64)p, size, call_site(), REGION_HEAP);
    return p;
}

void *malloc(u64 size) { return allocate_unwritten(size_argument(0, size), 16); }

void *calloc(u64 count, u64 each) {
    u64 total;
    size_argument(1, each);
    size_to_allocate(call_site(), cinq_arg[0], count, heap_left() / (each ? each : 1));
    if (__builtin_mul_overflow(count, each, &total)) total = ~0ull;
    return allocate_or_fail(total, 16);
}

void free(void *p) {
    pointer_to_block(call_site(), cinq_arg[0], (u64)p);
    cinq_ret[0] = 0;
    if (p) cinq_free((u64)p, call_site());
}

void *realloc(void *p, u64 size) {
    pointer_to_block(call_site(), cinq_arg[0], (u64)p);
    size_argument(1, size);
    if (!p) return allocate_unwritten(size, 16);
    const struct block *b = block_of((u64)p);
    if (!may_be_freed(b)) cinq_free((u64)p, call_site());
    void *q = allocate_unwritten(size, 16);
    if (!q) return 0;
    memory_move((u64)q, (u64)p, size < b->size ? size : b->size);
    heap_release((u64)p, call_site());
    return q;
}

void *memalign(u64 align, u64 size) {
    alignment_argument(0, align);
    size_argument(1, size);
    if (!align || align & (align - 1) || align > 0x100000) {
        cinq_set_errno(22);
        cinq_ret[0] = 0;
        return 0;
    }
    return allocate_unwritten(size, align);
}
void *aligned_alloc(u64 align, u64 size) { return memalign(align, size); }
int posix_memalign(void **out, u64 align, u64 size) {
    concretize(call_site(), cinq_arg[0], (u64)out, REASON_ADDRESS);
    alignment_argument(1, align);
    size_argument(2, size);
    cinq_ret[0] = 0;
    if (align < 8 || align & (align - 1)) return 22;
    memory_check((u64)out, 8, ACCESS_WRITE, call_site());
    u64 p = allocate(size, align);
    if (!p) return 12;
    memory_unwritten(p, size, call_site(), REGION_HEAP);
    *out = (void *)p;
    memory_concrete((u64)out, 8);
    return 0;
}

u64 malloc_usable_size(void *p) {
    const struct block *b = block_of((u64)p);
    cinq_ret[0] = 0;
    return b && b->state == BLOCK_LIVE ? b->size : 0;
}

