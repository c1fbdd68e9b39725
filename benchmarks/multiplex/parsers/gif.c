/* GIF: screen, colour tables, extensions, images, and the first codes of LZW. */
#define FILE_SIZE 72
#include "reader.h"

struct screen { uint32_t width, height, colours, background; };

static int colour_table(uint32_t colours) {
    uint32_t grey = 0;
    for (uint32_t i = 0; i < colours; i++) {
        uint32_t red = u8(), green = u8(), blue = u8();
        if (ended) return fail("ends in colours");
        if (i < 4 && red == green && green == blue) grey++;
    }
    if (grey == 4) puts("grey");
    return 0;
}

static int extension(void) {
    uint32_t label = u8(), size = u8();
    switch (label) {
    case 0xf9: {
        if (size != 4) return fail("graphic control size");
        uint32_t flags = u8(), delay = le16();
        u8();
        if ((flags >> 2 & 7) > 3) return fail("disposal");
        if (flags & 1) puts("transparent");
        if (delay > 1000) puts("slow");
        break;
    }
    case 0xfe: puts("comment"); skip(size); break;
    case 0x01: if (size != 12) return fail("text size"); skip(12); break;
    case 0xff:
        if (size != 11) return fail("application size");
        if (u8() == 'N' && u8() == 'E' && u8() == 'T') puts("Netscape");
        skip(8);
        break;
    default: return fail("extension");
    }
    for (uint32_t blocks = 0; (size = u8()) != 0; blocks++) {
        if (blocks > 3) return fail("too many blocks");
        if (!skip(size)) return fail("block too long");
    }
    return 0;
}

static int codes(uint32_t minimum, uint32_t length) {
    uint32_t bits = minimum + 1, clear = 1u << minimum, next = clear + 2, held = 0, count = 0, seen = 0;
    int previous = -1;
    while (seen < 8) {
        while (count < bits) {
            if (!length--) return fail("codes end");
            held |= u8() << count;
            count += 8;
        }
        uint32_t code = held & ((1u << bits) - 1);
        held >>= bits;
        count -= bits;
        seen++;
        if (code == clear) { bits = minimum + 1; next = clear + 2; previous = -1; continue; }
        if (code == clear + 1) { puts("complete"); return 0; }
        if (previous < 0) {
            if (code > clear) return fail("first code");
        } else {
            if (code > next) return fail("code beyond table");
            if (next < 4096) next++;
            if (next == 1u << bits && bits < 12) bits++;
        }
        previous = (int)code;
    }
    return 0;
}

static int image(const struct screen *s) {
    uint32_t left_ = le16(), top = le16(), width = le16(), height = le16(), flags = u8();
    if (width == 0 || height == 0) return fail("empty image");
    if (left_ + width > s->width || top + height > s->height) return fail("image outside");
    if (flags & 0x40) puts("interlaced");
    if (flags & 0x80) { if (colour_table(2u << (flags & 7))) return 1; }
    else if (!s->colours) return fail("no colours");
    uint32_t minimum = u8();
    if (minimum < 2 || minimum > 8) return fail("code size");
    uint32_t length = u8();
    if (length == 0) return fail("no codes");
    uint32_t end = at + length + 1;
    if (codes(minimum, length)) return 1;
    if (end > FILE_SIZE) return fail("codes too long");
    at = end;
    return 0;
}

int main(void) {
    struct screen s = {0};
    open_file();
    if (u8() != 'G' || u8() != 'I' || u8() != 'F') return fail("no GIF");
    if (u8() != '8') return fail("version");
    uint32_t version = u8();
    if ((version != '7' && version != '9') || u8() != 'a') return fail("version");
    s.width = le16();
    s.height = le16();
    uint32_t flags = u8();
    s.background = u8();
    uint32_t aspect = u8();
    if (aspect && aspect != 49) puts("pixels not square");
    if (flags & 0x80) {
        s.colours = 2u << (flags & 7);
        if (s.background >= s.colours) return fail("background");
        if (colour_table(s.colours)) return 1;
    }
    for (int blocks = 0; blocks < 4; blocks++)
        switch (u8()) {
        case 0x21: if (version == '7') return fail("extension in 87a"); if (extension()) return 1; break;
        case 0x2c: if (image(&s)) return 1; break;
        case 0x3b: puts("image"); return 0;
        default: return fail("block");
        }
    return 0;
}
