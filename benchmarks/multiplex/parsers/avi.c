/* AVI: nested RIFF lists; main header, stream headers and formats, the index. */
#define FILE_SIZE 200
#include "reader.h"

#define ID(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

struct movie { uint32_t period, flags, frames, streams, width, height, seen, video, audio; int moved, indexed; };

static int main_header(struct movie *m, uint32_t size) {
    if (size < 40) return fail("short main header");
    m->period = le32();
    le32();
    le32();
    m->flags = le32();
    m->frames = le32();
    le32();
    m->streams = le32();
    le32();
    m->width = le32();
    m->height = le32();
    if (m->period == 0) puts("no frame rate");
    else if (m->period < 1000) return fail("too fast");
    if (m->streams == 0 || m->streams > 8) return fail("streams");
    if (m->width * m->height > 1 << 26) return fail("too large");
    if (m->flags & 0x10) puts("has an index");
    if (m->flags & 0x20) puts("must use it");
    return 0;
}

static int stream_header(struct movie *m, uint32_t size, uint32_t *kind) {
    if (size < 32) return fail("short stream header");
    *kind = le32();
    uint32_t handler = le32();
    skip(12);
    uint32_t scale = le32(), rate = le32();
    if (scale == 0) return fail("scale");
    if (++m->seen > m->streams) return fail("more streams than said");
    if (*kind == ID('v', 'i', 'd', 's')) {
        m->video++;
        if (rate / scale > 120) return fail("frames per second");
        if (handler == ID('D', 'I', 'V', 'X') || handler == ID('X', 'V', 'I', 'D')) puts("MPEG-4");
        else if (handler == ID('M', 'J', 'P', 'G')) puts("motion JPEG");
    } else if (*kind == ID('a', 'u', 'd', 's')) {
        m->audio++;
        if (rate / scale > 192000) return fail("samples per second");
    } else if (*kind == ID('t', 'x', 't', 's')) puts("subtitles");
    else return fail("kind of stream");
    return 0;
}

static int stream_format(struct movie *m, uint32_t size, uint32_t kind) {
    if (kind == ID('v', 'i', 'd', 's')) {
        if (size < 40) return fail("short video format");
        if (le32() != 40) return fail("video format");
        uint32_t width = le32(), height = le32();
        if (width != m->width || height != m->height) puts("sizes differ");
        if (le16() != 1) return fail("planes");
        uint32_t bits = le16();
        if (bits != 8 && bits != 16 && bits != 24 && bits != 32) return fail("bits");
    } else if (kind == ID('a', 'u', 'd', 's')) {
        if (size < 16) return fail("short audio format");
        uint32_t format = le16(), channels = le16();
        if (format == 0x55) puts("MP3");
        if (channels == 0 || channels > 6) return fail("channels");
    } else return fail("format without a stream");
    return 0;
}

static int chunks(struct movie *m, uint32_t end, int depth);

static int list(struct movie *m, uint32_t end, int depth) {
    uint32_t id = le32();
    if (id == ID('m', 'o', 'v', 'i')) {
        if (!m->streams) return fail("movie before headers");
        m->moved = 1;
        at = end;
        return 0;
    }
    if (id != ID('h', 'd', 'r', 'l') && id != ID('s', 't', 'r', 'l')) {
        puts("unknown list");
        at = end;
        return 0;
    }
    return depth > 3 ? fail("too deep") : chunks(m, end, depth + 1);
}

static int chunks(struct movie *m, uint32_t end, int depth) {
    uint32_t kind = 0;
    for (int i = 0; i < 4 && at + 8 <= end; i++) {
        uint32_t id = le32(), size = le32();
        if (size > end - at) return fail("chunk too long");
        uint32_t next = at + size + (size & 1);
        int status = 0;
        switch (id) {
        case ID('L', 'I', 'S', 'T'): status = size < 4 ? fail("short list") : list(m, at + size, depth); break;
        case ID('a', 'v', 'i', 'h'): status = main_header(m, size); break;
        case ID('s', 't', 'r', 'h'): status = stream_header(m, size, &kind); break;
        case ID('s', 't', 'r', 'f'): status = stream_format(m, size, kind); break;
        case ID('i', 'd', 'x', '1'):
            if (!m->moved) return fail("index before movie");
            if (size % 16) return fail("index size");
            m->indexed = 1;
            break;
        case ID('J', 'U', 'N', 'K'): break;
        default: puts("unknown chunk");
        }
        if (status) return status;
        at = next;
    }
    return 0;
}

int main(void) {
    struct movie m = {0};
    open_file();
    if (le32() != ID('R', 'I', 'F', 'F')) return fail("no RIFF");
    uint32_t size = le32(), id = le32();
    if (id == ID('A', 'V', 'I', 'X')) return fail("a continuation");
    if (id != ID('A', 'V', 'I', ' ')) return fail("no AVI");
    if (size < 100) return fail("too short");
    if (chunks(&m, FILE_SIZE, 0)) return 1;
    if (!m.video) return fail("no video");
    if (m.flags & 0x10 && !m.indexed) puts("index is missing");
    puts("movie");
    return 0;
}
