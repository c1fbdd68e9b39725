/* Nanoseconds per operation that makes a new node, and per operation that finds one. */
#include "driver.h"

#define NEW 1000000
#define FEW 4000
#define LOOPS 500

static u64 cpu_now(void) { /* other processes' share of the machine does not count */
    u64 t[2];
    host_call(228, 2, (long)t, 0, 0, 0, 0);
    return t[0] * 1000000000 + t[1];
}

static void driver(void) {
    for (u32 i = 0; i < 64; i++) node_input(i);
    u64 t0 = cpu_now();
    u32 x = node_extend(OP_ZEXT, node_input(0), 64), y = node_extend(OP_ZEXT, node_input(1), 64);
    for (u64 i = 0; i < NEW / 2; i++) x = node_binary(OP_MUL, 64, node_binary(OP_ADD, 64, x, y), y);
    u64 t1 = cpu_now();
    for (u64 loop = 0; loop < LOOPS; loop++) {
        x = node_extend(OP_ZEXT, node_input(0), 64);
        for (u64 i = 0; i < FEW / 2; i++) x = node_binary(OP_MUL, 64, node_binary(OP_ADD, 64, x, y), y);
    }
    u64 t2 = cpu_now();
    u64 buffer = heap_allocate(64, 16, 0);
    for (u64 i = 0; i < 1000000; i++) {
        cinq_store(buffer, 0, 8, 0, x, 0);
        x = cinq_load(buffer, 0, 8, 0);
    }
    u64 t3 = cpu_now();
    for (u64 i = 0; i < 1000000; i++) cinq_binary(OP_ADD | 32 << 8, 0, 0, i, 3), node_binary(OP_ADD, 64, x, node_const(64, 5));
    u64 t4 = cpu_now();
    print_named("tenths of ns per new node", (t1 - t0) * 10 / NEW);
    print_named("tenths of ns per hit", (t2 - t1) * 10 / ((u64)FEW * LOOPS));
    print_named("tenths of ns per store and load of 8 bytes", (t3 - t2) / 100000);
    print_named("tenths of ns per hit with a constant", (t4 - t3) / 100000);
}
