/* Calls that only tell something: time, names, limits, chance.  All of it is the same in every run. */
#include "files.h"

#define STEP_NANOSECONDS 1000000 /* the clock moves by this with every look at it */

RUN_STATE static u64 nanoseconds; /* since CLOCK_START */
RUN_STATE static u64 ticks;
RUN_STATE static u64 chance = 0x9e3779b97f4a7c15;

/* ---- Time ------------------------------------------------------------------------------ */
SLOW u64 cinq_ticks(void) { /* never the same twice */
    u64 steps = CONTROL->budget - (u64)cinq_budget;
    return ticks = steps > ticks ? steps : ticks + 1;
}

static u64 look(void) { return nanoseconds += STEP_NANOSECONDS; }

u64 clock_seconds(void) { return CLOCK_START + nanoseconds / 1000000000; }

long clock_give(u64 to, u64 unit) {
    u64 now = look(), t[2] = {CLOCK_START + now / 1000000000, now % 1000000000 / unit};
    if (to) give(to, t, sizeof t);
    return 0;
}

long clock_time(u64 to) {
    u64 t = CLOCK_START + look() / 1000000000;
    if (to) give(to, &t, 8);
    return (long)t;
}

long clock_sleep(u64 wanted, u64 left) {
    u64 seconds = take_word(wanted), rest = take_word(wanted + 8);
    if ((i64)seconds < 0 || rest > 999999999) return E_INVAL;
    nanoseconds += (seconds < 0x100000000 ? seconds : 0x100000000) * 1000000000 + rest;
    if (left) give_zeros(left, 16);
    return 0;
}

/* ---- The system -------------------------------------------------------------------------- */
long give_system_name(u64 to) {
    static const char *const parts[6] = {"Linux", "localhost", "6.1.0", "#1 SMP", "x86_64", "(none)"};
    give_zeros(to, 390);
    for (u64 i = 0; i < 6; i++) raw_copy((void *)(to + i * 65), parts[i], text_length(parts[i], 64));
    return 0;
}

long give_limit(u64 to, long which) {
    enum { CPU, FILE_SIZE, DATA, STACK, CORE, FILES = 7 };
    u64 limit[2] = {~0ull, ~0ull};
    if (which < 0 || which > 15) return E_INVAL;
    if (which == STACK) limit[0] = 8 << 20;
    if (which == CORE) limit[0] = 0;
    if (which == FILES) limit[0] = limit[1] = DESCRIPTOR_LIMIT;
    if (to) give(to, limit, 16);
    return 0;
}

long give_system_state(u64 to) { /* struct sysinfo */
    u64 s[14] = {1000, 0, 0, 0, 4ull << 30, 2ull << 30, 0, 0, 0, 0, 1, 0, 0, 1};
    give(to, s, sizeof s);
    return 0;
}

/* ---- Chance -------------------------------------------------------------------------------- */
static u8 random_byte(void) {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return (u8)(chance >> 32);
}

long give_random(u64 to, u64 n) {
    give_zeros(to, n);
    for (u64 i = 0; i < n; i++) ((u8 *)to)[i] = random_byte();
    return (long)n;
}
