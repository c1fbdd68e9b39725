/* WAV: RIFF chunks; format with its extensions, fact, cue, list and data. */
#define FILE_SIZE 80
#include "reader.h"

#define ID(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

struct sound { uint32_t format, channels, rate, bytes_per_second, block, bits, samples; int have_format, have_data; };

static int format_chunk(struct sound *s, uint32_t size) {
    if (size < 16) return fail("short format");
    s->format = le16();
    s->channels = le16();
    s->rate = le32();
    s->bytes_per_second = le32();
    s->block = le16();
    s->bits = le16();
    s->have_format = 1;
    if (size > 16) {
        uint32_t extension = le16();
        if (extension + 18 != size) return fail("format extension");
        if (s->format == 0xfffe) {
            if (extension != 22) return fail("extensible format");
            uint32_t valid = le16();
            le32();
            s->format = le16();
            if (valid > s->bits) return fail("valid bits");
            skip(14);
        } else skip(extension);
    }
    return 0;
}

static int check_format(const struct sound *s) {
    if (s->channels == 0) return fail("no channel");
    if (s->channels > 8) return fail("too many channels");
    if (s->rate < 8000 || s->rate > 192000) return fail("rate");
    switch (s->format) {
    case 1:
        if (s->bits != 8 && s->bits != 16 && s->bits != 24 && s->bits != 32) return fail("bits");
        if (s->block != s->channels * s->bits / 8) return fail("block");
        if (s->bytes_per_second != s->rate * s->block) return fail("bytes per second");
        break;
    case 3:
        if (s->bits != 32 && s->bits != 64) return fail("float bits");
        break;
    case 6: case 7:
        if (s->bits != 8) return fail("companded bits");
        puts(s->format == 6 ? "A-law" : "mu-law");
        break;
    case 2: case 17:
        if (s->bits != 4) return fail("ADPCM bits");
        if (s->block < 7 * s->channels) return fail("ADPCM block");
        break;
    default: return fail("format");
    }
    return 0;
}

static int data_chunk(struct sound *s, uint32_t size) {
    if (!s->have_format) return fail("data before format");
    if (s->have_data) return fail("data twice");
    s->have_data = 1;
    if (s->block && size % s->block) puts("incomplete block");
    if (s->format == 1 && s->bits == 16 && size >= 4) {
        int32_t first = (int16_t)le16(), second = (int16_t)le16();
        if (first == 0 && second == 0) puts("starts with silence");
        if (first > 30000 || first < -30000) puts("starts loud");
        size -= 4;
    }
    skip(size);
    return 0;
}

static int chunk(struct sound *s) {
    uint32_t id = le32(), size = le32();
    if (size > left()) return fail("chunk too long");
    uint32_t end = at + size;
    int status = 0;
    switch (id) {
    case ID('f', 'm', 't', ' '): status = format_chunk(s, size) || check_format(s); break;
    case ID('d', 'a', 't', 'a'): status = data_chunk(s, size); break;
    case ID('f', 'a', 'c', 't'):
        if (size < 4) return fail("fact");
        s->samples = le32();
        if (s->samples == 0) puts("no samples");
        break;
    case ID('c', 'u', 'e', ' '):
        if (size < 4 || le32() * 24 + 4 != size) return fail("cue");
        break;
    case ID('L', 'I', 'S', 'T'):
        if (size >= 4 && le32() == ID('I', 'N', 'F', 'O')) puts("has information");
        break;
    default: puts("unknown chunk");
    }
    if (at > end) return fail("chunk too short");
    at = end + (size & 1);
    return status;
}

int main(void) {
    struct sound s = {0};
    open_file();
    uint32_t id = le32();
    if (id == ID('R', 'I', 'F', 'X')) return fail("big endian");
    if (id != ID('R', 'I', 'F', 'F')) return fail("no RIFF");
    uint32_t size = le32();
    if (size < 36) return fail("RIFF size");
    if (le32() != ID('W', 'A', 'V', 'E')) return fail("no WAVE");
    for (int i = 0; i < 4 && at + 8 <= FILE_SIZE; i++)
        if (chunk(&s)) return 1;
    if (!s.have_data) return fail("no data");
    puts("sound");
    return 0;
}
