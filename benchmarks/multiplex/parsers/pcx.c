/* PCX: header, planes and depths, run-length encoded lines, the palette at the end. */
#define FILE_SIZE 160
#include "reader.h"

int main(void) {
    open_file();
    if (u8() != 10) return fail("no PCX");
    uint32_t version = u8(), encoding = u8(), bits = u8();
    if (version == 1 || version > 5) return fail("version");
    if (encoding > 1) return fail("encoding");
    if (bits != 1 && bits != 2 && bits != 4 && bits != 8) return fail("bits");
    uint32_t left_ = le16(), top = le16(), right = le16(), bottom = le16();
    if (right < left_ || bottom < top) return fail("window");
    uint32_t width = right - left_ + 1, height = bottom - top + 1;
    le16();
    le16();
    uint32_t colours = 0;
    for (int i = 0; i < 16; i++) {
        uint32_t sum = u8() + u8() + u8();
        if (sum > colours) colours = sum;
        if (i >= 3) { skip(45 - 9); break; }
    }
    if (u8() != 0) puts("reserved byte in use");
    uint32_t planes = u8(), line = le16(), palette = le16();
    if (planes == 0 || planes > 4) return fail("planes");
    if (line & 1) return fail("odd line");
    if (line * 8 < width * bits) return fail("short line");
    switch (bits * planes) {
    case 1: puts("two colours"); break;
    case 2: case 4: puts("sixteen colours"); break;
    case 8: if (version < 5) return fail("no palette then"); puts("palette"); break;
    case 24: puts("true colour"); break;
    case 32: puts("with alpha"); break;
    default: return fail("depth");
    }
    if (palette == 2) puts("grey");
    else if (palette > 2) return fail("palette kind");
    le16();
    le16();
    at = 128;
    for (uint32_t y = 0; y < height && y < 2; y++)
        for (uint32_t done = 0, total = line * planes; done < total && done < 24;) {
            uint32_t code = u8(), run = 1;
            if (ended) return fail("ends in pixels");
            if (encoding && (code & 0xc0) == 0xc0) {
                run = code & 0x3f;
                if (run == 0) return fail("empty run");
                code = u8();
            }
            if (done + run > total) return fail("run beyond line");
            if (code > 200 && run > 4) puts("bright run");
            done += run;
        }
    if (bits * planes == 8 && left() && u8() == 12) puts("long palette");
    puts("image");
    return 0;
}
