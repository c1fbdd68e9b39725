/* BMP: file header, info header of either kind, palette, pixels of every depth, run-length encoding. */
#define FILE_SIZE 96
#include "reader.h"

struct image { int32_t width, height; uint32_t bits, compression, colours, offset, masks[3]; int upside_down; };

static int info_header(struct image *m) {
    uint32_t size = le32();
    if (size == 12) {
        m->width = (int32_t)le16();
        m->height = (int32_t)le16();
        if (le16() != 1) return fail("planes");
        m->bits = le16();
        return 0;
    }
    if (size != 40 && size != 108 && size != 124) return fail("unknown header");
    m->width = (int32_t)le32();
    m->height = (int32_t)le32();
    if (le16() != 1) return fail("planes");
    m->bits = le16();
    m->compression = le32();
    uint32_t image_size = le32();
    le32();
    le32();
    m->colours = le32();
    le32();
    if (image_size && image_size > 1 << 20) return fail("image size");
    return 0;
}

static int check(struct image *m) {
    if (m->height < 0) {
        if (m->height == INT32_MIN) return fail("height");
        m->height = -m->height;
        m->upside_down = 1;
    }
    if (m->width <= 0 || m->height == 0) return fail("empty");
    if (m->width > 4096 || m->height > 4096) return fail("too large");
    switch (m->bits) {
    case 1: case 4: case 8: break;
    case 16: case 24: case 32: break;
    default: return fail("depth");
    }
    switch (m->compression) {
    case 0: break;
    case 1: if (m->bits != 8) return fail("RLE8 needs 8 bits"); break;
    case 2: if (m->bits != 4) return fail("RLE4 needs 4 bits"); break;
    case 3: if (m->bits != 16 && m->bits != 32) return fail("masks need 16 or 32 bits"); break;
    default: return fail("compression");
    }
    if (m->compression && m->compression < 3 && m->upside_down) return fail("compressed upside down");
    return 0;
}

static int palette(struct image *m) {
    if (m->bits > 8) return 0;
    uint32_t most = 1u << m->bits, count = m->colours ? m->colours : most;
    if (count > most) return fail("colours");
    for (uint32_t i = 0; i < count && !ended; i++) {
        uint32_t blue = u8(), green = u8(), red = u8();
        u8();
        if (i == 0 && blue == 0 && green == 0 && red == 0) puts("black first");
        if (i == 1 && blue + green + red == 765) puts("white second");
        if (i > 3) break;
    }
    return 0;
}

static int run_lengths(struct image *m) {
    int32_t x = 0, y = 0;
    for (int codes = 0; codes < 12; codes++) {
        uint32_t count = u8(), value = u8();
        if (ended) return fail("ends in pixels");
        if (count) {
            x += (int32_t)count;
            if (x > m->width) return fail("run too long");
            continue;
        }
        switch (value) {
        case 0: x = 0; if (++y >= m->height) return 0; break;
        case 1: return 0;
        case 2: x += (int32_t)u8(); y += (int32_t)u8(); if (x >= m->width || y >= m->height) return fail("jump"); break;
        default: if (!skip((value + 1) & ~1u)) return fail("literal"); x += (int32_t)value;
        }
    }
    return 0;
}

static int pixels(struct image *m) {
    if (m->offset < 26 || m->offset > FILE_SIZE) return fail("offset");
    if (m->offset < at) return fail("pixels inside headers");
    at = m->offset;
    if (m->compression == 1 || m->compression == 2) return run_lengths(m);
    uint32_t stride = ((uint32_t)m->width * m->bits + 31) / 32 * 4;
    if (stride * (uint32_t)m->height > left()) return fail("too few pixels");
    if (m->bits == 24 && m->width * 3 % 4 == 0) puts("no padding");
    return 0;
}

int main(void) {
    struct image m = {0};
    open_file();
    if (u8() != 'B' || u8() != 'M') return fail("no BMP");
    uint32_t size = le32();
    if (size && size < 26) return fail("file size");
    if (le16() || le16()) puts("reserved fields in use");
    m.offset = le32();
    if (info_header(&m) || check(&m)) return 1;
    if (m.compression == 3) {
        for (int i = 0; i < 3; i++) m.masks[i] = le32();
        if (m.masks[0] & m.masks[1] || m.masks[1] & m.masks[2]) return fail("masks overlap");
    }
    if (palette(&m) || pixels(&m)) return 1;
    puts(m.upside_down ? "image, top first" : "image");
    return 0;
}
