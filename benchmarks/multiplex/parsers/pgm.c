/* PGM and its family: numbers as text, comments, pixels as text or bytes. */
#define FILE_SIZE 40
#include "reader.h"

static int next(void) {
    int c = (int)u8();
    if (c == '#')
        while (!ended && c != '\n') c = (int)u8();
    return ended ? -1 : c;
}

static int is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int number(uint32_t *out, uint32_t most) {
    int c = next();
    while (is_space(c)) c = next();
    if (c < '0' || c > '9') return 0;
    uint32_t value = 0;
    for (; c >= '0' && c <= '9'; c = next()) {
        value = value * 10 + (uint32_t)(c - '0');
        if (value > most) return 0;
    }
    *out = value;
    return c < 0 || is_space(c);
}

int main(void) {
    uint32_t width, height, most = 1;
    open_file();
    if (u8() != 'P') return fail("no PNM");
    uint32_t kind = u8() - '0';
    if (kind < 1 || kind > 6) return fail("kind");
    if (!number(&width, 65535)) return fail("width");
    if (!number(&height, 65535)) return fail("height");
    if (width == 0 || height == 0) return fail("empty");
    if (kind != 1 && kind != 4 && !number(&most, 65535)) return fail("most");
    if (most == 0) return fail("most is zero");
    uint32_t samples = kind == 3 || kind == 6 ? 3 : 1;
    if (width * height > 1 << 24) return fail("too large");
    uint32_t total = width * height * samples, dark = 0, bright = 0;
    if (kind == 4) {
        if ((width + 7) / 8 * height > left()) return fail("too few bits");
        puts("bitmap");
        return 0;
    }
    if (kind > 3 && total * (most > 255 ? 2 : 1) > left()) return fail("too few bytes");
    for (uint32_t i = 0; i < total && i < 4; i++) {
        uint32_t value;
        if (kind <= 3) {
            if (!number(&value, most)) return fail("sample");
        } else {
            value = most > 255 ? be16() : u8();
            if (value > most) return fail("sample too large");
        }
        if (value * 4 < most) dark++;
        if (value * 4 > most * 3) bright++;
    }
    if (dark == 4) puts("dark");
    if (bright == 4) puts("bright");
    if (dark == 2 && bright == 2) puts("contrast");
    return 0;
}
