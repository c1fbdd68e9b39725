/* Calls through pointers: the target must be the start of a function. */
#include "runtime.h"

extern u64 __start_cinq_functions[], __stop_cinq_functions[];

/* Library functions of the run-time that programs take the address of. */
extern char malloc[], calloc[], realloc[], free[], memcpy[], memmove[], memset[], abort[], longjmp[], pthread_create[];
static char *const library[] = {malloc, calloc, realloc, free, memcpy, memmove, memset, abort, longjmp, pthread_create};

#define SLOTS (FUNCTION_BYTES / 8)
#define TABLE ((u64 *)FUNCTION_BASE)

static int ready; /* the table is made once and outlives the runs */

static u64 *slot_of(u64 address) {
    u64 at = (address * 0x9e3779b97f4a7c15) >> 44;
    while (TABLE[at % SLOTS] && TABLE[at % SLOTS] != address) at++;
    return &TABLE[at % SLOTS];
}

static COLD void fill_table(void) {
    for (u64 *f = __start_cinq_functions; f < __stop_cinq_functions; f++) *slot_of(*f) = *f;
    for (u32 i = 0; i < sizeof library / sizeof library[0]; i++) *slot_of((u64)library[i]) = (u64)library[i];
    ready = 1;
}

SLOW void cinq_callee(u32 site, u64 address) {
    if (unlikely(!ready)) fill_table();
    if (likely(*slot_of(address) == address && address)) return;
    error_memory(address, 0, ACCESS_CALL, site);
}

SLOW void cinq_jump(u32 site, u64 address) { error_memory(address, 0, ACCESS_CALL, site); }
