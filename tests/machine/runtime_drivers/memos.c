/* Memos must not outlive what they are for: muting, runs whose numbers come round again. */
#include "driver.h"
#include "../../../src/cinquefoil/machine/runtime/pin.c" /* its stamp is set below */

static u32 sum; /* a table read over byte 0, plus byte 1 */

static void make_sum(void) {
    u64 base = heap_allocate(16, 16, 0);
    struct object o;
    for (u32 i = 0; i < 16; i++) ((u8 *)base)[i] = (u8)(i * 37 + 5);
    object_find(base, &o);
    u32 index = node_extend(OP_ZEXT, node_extract(node_input(0), 0, 4), 32);
    sum = node_binary(OP_ADD, 8, node_tread(table_of(&o, 1), index), node_input(1));
}

static u64 events_of_pin(void) {
    u64 before = event_count;
    u32 pinned = pin(1, sum);
    if (NODES[pinned].lo != 1) quit(4); /* what is left is about byte 1 */
    return event_count - before;
}

static void test_muting(void) {
    CONTROL->flags = CINQ_FLAG_MUTE_OUTPUT;
    runs_count();
    cinq_mute = 1;
    print_named("muted", events_of_pin());
    print_named("muted again", events_of_pin());
    cinq_mute = 0;
    print_named("heard", events_of_pin());
    print_named("heard again", events_of_pin());
    cinq_mute = 1;
    print_named("muted after heard", events_of_pin());
    cinq_mute = 0;
    CONTROL->flags = 0;
}

static void test_stamps_come_round(void) {
    stamp = ~0u - 1;
    for (u32 i = 0; i < 4; i++) {
        runs_count();
        INPUT[0] = (u8)i;
        if (node_value(pin(1, sum)) != node_value(sum)) quit(5);
        if (events_of_pin()) quit(6);
    }
}

static void test_runs_come_round(void) {
    u32 cond = node_binary(OP_EQ, 8, node_input(1), node_const(8, 7));
    run_serial = 0x7fffffff - 2;
    for (u32 i = 0; i < 6; i++) {
        runs_count();
        INPUT[1] = (u8)(i + 5);
        u64 before = event_count;
        cinq_mute = i & 1;
        if (is_settled(cond) || node_value(cond) != (i + 5 == 7)) quit(7);
        decide(EVENT_BRANCH, 1, cond, (u32)node_value(cond), 0);
        decide(EVENT_BRANCH, 1, cond, (u32)node_value(cond), 0);
        if (event_count != before + 1) quit(8);
    }
    cinq_mute = 0;
    print_named("last serial", run_serial);
}

static void test_what_is_not_modelled(void) {
    cinq_mute = 1;
    cinq_unsupported(1, REASON_FLOAT);
    cinq_mute = 0;
    print_named("not modelled, muted", EVENTS[event_count - 1].muted);
}

static void driver(void) {
    CONTROL->input_size = 2;
    make_sum();
    test_muting();
    test_stamps_come_round();
    CONTROL->flags = CINQ_FLAG_MUTE_OUTPUT;
    test_runs_come_round();
    test_what_is_not_modelled();
}
