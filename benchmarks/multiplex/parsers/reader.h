/* A cursor over the symbolic file, as decoders have one: reads beyond the end give 0 and are remembered. */
#ifndef READER_H
#define READER_H

#include <klee/klee.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t data[FILE_SIZE];
static uint32_t at;
static int ended;

static inline uint32_t u8(void) {
    if (at >= FILE_SIZE) {
        ended = 1;
        return 0;
    }
    return data[at++];
}
static inline uint32_t le16(void) { uint32_t low = u8(); return low | u8() << 8; }
static inline uint32_t le32(void) { uint32_t low = le16(); return low | le16() << 16; }
static inline uint32_t be16(void) { uint32_t high = u8(); return high << 8 | u8(); }
static inline uint32_t be32(void) { uint32_t high = be16(); return high << 16 | be16(); }
static inline uint32_t left(void) { return FILE_SIZE - at; }
static inline int skip(uint32_t n) {
    if (n > left()) {
        ended = 1;
        at = FILE_SIZE;
        return 0;
    }
    at += n;
    return 1;
}
static inline int fail(const char *why) {
    puts(why);
    return 1;
}
static inline void open_file(void) { klee_make_symbolic(data, sizeof data, "data"); }

#endif
