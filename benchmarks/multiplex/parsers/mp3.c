/* MP3: an ID3 tag if there is one, then frame headers that must agree with each other. */
#define FILE_SIZE 64
#include "reader.h"

static const uint16_t rates[2][3][16] = {
    {{0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 0},
     {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0},
     {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0}},
    {{0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 0},
     {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
     {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0}},
};
static const uint32_t frequencies[3] = {44100, 48000, 32000};

struct frame { uint32_t version, layer, rate, frequency, mode, length; int checked; };

static int tag(void) {
    if (data[0] != 'I' || data[1] != 'D' || data[2] != '3') return 0;
    at = 3;
    uint32_t version = u8();
    u8();
    uint32_t flags = u8(), size = 0;
    if (version < 2 || version > 4) return fail("tag version");
    if (flags & 0x0f) return fail("tag flags");
    for (int i = 0; i < 4; i++) {
        uint32_t part = u8();
        if (part & 0x80) return fail("tag size");
        size = size << 7 | part;
    }
    if (flags & 0x40) puts("extended tag");
    if (!skip(size)) return fail("tag too long");
    return 0;
}

static int header(struct frame *f) {
    uint32_t word = be32();
    if (ended) return fail("ends");
    if (word >> 21 != 0x7ff) return fail("no sync");
    uint32_t version = word >> 19 & 3, layer = word >> 17 & 3, rate = word >> 12 & 15, frequency = word >> 10 & 3;
    if (version == 1) return fail("version");
    if (layer == 0) return fail("layer");
    if (rate == 15) return fail("rate");
    if (rate == 0) return fail("free format");
    if (frequency == 3) return fail("frequency");
    f->version = version == 3 ? 1 : version == 2 ? 2 : 25;
    f->layer = 4 - layer;
    f->rate = rates[version != 3][f->layer - 1][rate];
    f->frequency = frequencies[frequency] / (version == 3 ? 1 : version == 2 ? 2 : 4);
    f->mode = word >> 6 & 3;
    f->checked = !(word >> 16 & 1);
    uint32_t padding = word >> 9 & 1;
    if (f->layer == 1) f->length = (12000 * f->rate / f->frequency + padding) * 4;
    else f->length = (f->layer == 3 && f->version != 1 ? 72000 : 144000) * f->rate / f->frequency + padding;
    if (f->layer == 2) {
        if (f->mode == 3 && f->rate > 192) return fail("too much for one channel");
        if (f->mode != 3 && (f->rate == 32 || f->rate == 48 || f->rate == 56 || f->rate == 80)) return fail("too little for two");
    }
    if ((word & 3) == 2) return fail("emphasis");
    return 0;
}

static int side_information(const struct frame *f) {
    if (f->checked) le16();
    uint32_t begin = f->version == 1 ? be16() >> 7 : u8();
    if (begin > 0 && f->length < 100) puts("borrows bits");
    uint32_t size = f->version == 1 ? (f->mode == 3 ? 17 : 32) : f->mode == 3 ? 9 : 17;
    if (size > f->length) return fail("frame too short");
    return 0;
}

int main(void) {
    struct frame first, second;
    open_file();
    if (tag() || header(&first)) return 1;
    if (first.layer == 3 && side_information(&first)) return 1;
    if (first.mode == 3) puts("mono");
    else if (first.mode == 1) puts("joint stereo");
    if (first.length < 48 && skip(first.length > 16 ? 16 : first.length)) {
        if (header(&second)) return 1;
        if (second.frequency != first.frequency || second.version != first.version) return fail("frames differ");
        if (second.rate != first.rate) puts("variable rate");
    }
    puts("sound");
    return 0;
}
