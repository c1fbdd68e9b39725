/* The stack arena: dynamic allocas and what leaving frames kills.
 *
 * Fixed frames are the instrumented code's own work.  Dynamic allocas are
 * recorded here, since no frame description names them.
 */
#include "runtime.h"

#define DYNAMIC_CAPACITY 0x10000
#define RED_ZONE 32

RUN_STATE u64 cinq_sp = CINQ_STACK_END;
RUN_STATE struct cinq_frame *cinq_frame;
RUN_STATE u8 *cinq_va;
struct dynamic dynamics[DYNAMIC_CAPACITY];
RUN_STATE u32 dynamic_count;

SLOW u64 cinq_alloca(u64 size, u32 ssize, u32 align, u32 site) {
    u64 mask = (align < 16 ? 16 : align) - 1, room = cinq_sp - CINQ_STACK_BASE, extra = 2 * RED_ZONE + 2 * mask + 16;
    u64 left = room > extra ? room - extra : 0;
    if (size_to_allocate(site, ssize, size, left) > left) cinq_overflow_stack(site);
    u64 base = (cinq_sp - RED_ZONE - size) & ~mask;
    cinq_sp = (base - RED_ZONE) & ~15ull;
    memory_alive(base, size);
    raw_fill((void *)base, 0, size); /* what earlier frames left may depend on the input */
    memory_unwritten(base, size, site, REGION_STACK);
    if (dynamic_count == DYNAMIC_CAPACITY) cinq_overflow_stack(site);
    dynamics[dynamic_count].base = base;
    dynamics[dynamic_count].size = size;
    dynamics[dynamic_count++].site = site;
    return base;
}

SLOW void cinq_restore(u64 sp) {
    if (sp <= cinq_sp || sp > CINQ_STACK_END) return;
    memory_dead(cinq_sp, sp - cinq_sp);
    cinq_sp = sp;
    while (dynamic_count && dynamics[dynamic_count - 1].base < sp) dynamic_count--;
}

SLOW void cinq_overflow_stack(u32 site) { error_end(ERROR_STACK_OVERFLOW, site, 0); }

void stack_give_back(void) {
    clear_memory(NATIVE_STACK_BASE + NATIVE_GUARD, NATIVE_STACK_BASE + NATIVE_STACK_BYTES - STACK_WARM * 16);
}

/* What lies below, memory and tags.  How deep the run went is not known: memory is given back. */
void stack_clear(u64 low, u64 tags) {
    clear_memory(CINQ_TAG_BASE + (cinq_sp & ~63ull) / 8, tags);
    clear_memory(CINQ_STACK_BASE, low);
}
