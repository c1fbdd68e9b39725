/* poll and select.  Nothing happens while one waits: what is not ready now never will be. */
#include "files.h"

long wait_poll(u64 list, u64 count) {
    long found = 0;
    if (count > 1024) return E_INVAL;
    buffer_check(list, count * 8, ACCESS_WRITE);
    for (u64 at = list; at < list + 8 * count; at += 8) {
        u64 entry = take_word(at);
        long fd = (int)(u32)entry, wanted = (long)(entry >> 32 & 0xffff) | 0x38; /* errors always count */
        u64 events = fd < 0 ? 0 : (u64)(file_ready(fd) & wanted);
        found += events != 0;
        *(u64 *)at = (entry & 0xffffffffffff) | events << 48;
    }
    return found;
}

static int in_set(u64 set, long fd) { return set && ((const u8 *)set)[fd / 8] >> (fd % 8) & 1; }

static long keep(u64 set, long fd, int ready) {
    if (!in_set(set, fd)) return 0;
    if (!ready) ((u8 *)set)[fd / 8] &= (u8)~(1u << (fd % 8));
    return ready;
}

static void settle_set(u64 set, long count) {
    for (long i = 0; set && i < (count + 63) / 64; i++) take_word(set + 8 * (u64)i);
    if (set) buffer_check(set, (u64)(count + 63) / 64 * 8, ACCESS_WRITE);
}

long wait_select(long count, u64 read, u64 write, u64 except) {
    long found = 0;
    if (count < 0 || count > 1024) return E_INVAL;
    settle_set(read, count);
    settle_set(write, count);
    settle_set(except, count);
    for (long fd = 0; fd < count; fd++) {
        if (!in_set(read, fd) && !in_set(write, fd) && !in_set(except, fd)) continue;
        if (!opening_of(fd)) return E_BADF;
        long ready = file_ready(fd);
        found += keep(read, fd, (ready & 0x11) != 0) + keep(write, fd, (ready & 4) != 0) + keep(except, fd, 0);
    }
    return found;
}
