/* Java class files: constant pool, access flags, fields, methods, attributes, the first instructions of code. */
#define FILE_SIZE 120
#include "reader.h"

#define MOST 12

static uint8_t tags[MOST];
static uint16_t refers[MOST][2];
static uint32_t constants;

static int constant(uint32_t *index) {
    uint32_t tag = u8();
    tags[*index] = (uint8_t)tag;
    switch (tag) {
    case 1: {
        uint32_t length = be16();
        if (length > left()) return fail("string too long");
        if (length && (data[at] == 0 || data[at] >= 0xf0)) return fail("string not modified UTF-8");
        skip(length);
        break;
    }
    case 3: case 4: be32(); break;
    case 5: case 6: be32(); be32(); ++*index; break;
    case 7: case 8: case 16: case 19: case 20: refers[*index][0] = (uint16_t)be16(); break;
    case 9: case 10: case 11: case 12: case 17: case 18:
        refers[*index][0] = (uint16_t)be16();
        refers[*index][1] = (uint16_t)be16();
        break;
    case 15: {
        uint32_t kind = u8();
        if (kind < 1 || kind > 9) return fail("handle kind");
        refers[*index][0] = (uint16_t)be16();
        break;
    }
    default: return fail("constant tag");
    }
    return ended ? fail("ends in constants") : 0;
}

static int is(uint32_t index, uint32_t tag) { return index > 0 && index < constants && tags[index] == tag; }

static int references(void) {
    for (uint32_t i = 1; i < constants; i++)
        switch (tags[i]) {
        case 7: case 8: if (!is(refers[i][0], 1)) return fail("name is no string"); break;
        case 9: case 10: case 11:
            if (!is(refers[i][0], 7) || !is(refers[i][1], 12)) return fail("bad reference");
            break;
        case 12: if (!is(refers[i][0], 1) || !is(refers[i][1], 1)) return fail("bad name and type"); break;
        default: break;
        }
    return 0;
}

static int code(uint32_t length) {
    uint32_t start = at;
    for (int count = 0; at < start + length && count < 6; count++) {
        uint32_t op = u8();
        if (op <= 15 || (op >= 26 && op <= 53) || (op >= 59 && op <= 131)) continue;
        if (op == 16 || op == 18 || op == 188) u8();
        else if (op == 17 || (op >= 153 && op <= 168)) {
            int32_t offset = (int16_t)be16();
            if (op != 17 && (offset < -(int32_t)(at - start) || offset > (int32_t)length)) return fail("jump outside");
        } else if (op >= 178 && op <= 184) { if (!is(be16(), op < 182 ? 9 : 10)) return fail("operand"); }
        else if (op >= 172 && op <= 177) { puts("returns"); return 0; }
        else if (op == 170 || op == 171) return fail("switch");
        else if (op > 201) return fail("instruction");
        else be16();
    }
    return 0;
}

static int attributes(int depth) {
    uint32_t count = be16();
    if (count > 3) return fail("many attributes");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t name = be16(), length = be32();
        if (!is(name, 1)) return fail("attribute name");
        if (length > left()) return fail("attribute too long");
        uint32_t end = at + length;
        if (depth == 1 && length >= 12) {
            uint32_t stack = be16(), locals = be16(), size = be32();
            if (size == 0 || size > length - 12) return fail("code size");
            if (stack > 100 || locals > 100) puts("large frame");
            if (code(size)) return 1;
        }
        at = end;
    }
    return 0;
}

static int members(int methods) {
    uint32_t count = be16();
    if (count > 3) return fail("many members");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t flags = be16(), name = be16(), type = be16();
        uint32_t visibility = (flags & 1) + (flags >> 1 & 1) + (flags >> 2 & 1);
        if (visibility > 1) return fail("visibility");
        if (methods && flags & 0x400 && flags & 0x538) return fail("abstract and more");
        if (!methods && (flags & 0x50) == 0x50) return fail("final and volatile");
        if (!is(name, 1) || !is(type, 1)) return fail("member name");
        if (attributes(methods)) return 1;
    }
    return 0;
}

int main(void) {
    open_file();
    if (be32() != 0xcafebabe) return fail("no class file");
    uint32_t minor = be16(), major = be16();
    if (major < 45 || major > 65) return fail("version");
    if (major >= 56 && minor != 0 && minor != 65535) return fail("minor version");
    constants = be16();
    if (constants == 0 || constants > MOST) return fail("constants");
    for (uint32_t i = 1; i < constants; i++) {
        if (constant(&i)) return 1;
        if (i >= constants) return fail("constant beyond the end");
    }
    if (references()) return 1;
    uint32_t flags = be16(), self = be16(), super = be16(), interfaces = be16();
    if (flags & 0x200 && !(flags & 0x400)) return fail("interface not abstract");
    if ((flags & 0x410) == 0x410) return fail("final and abstract");
    if (!is(self, 7)) return fail("this class");
    if (super == 0) puts("the root");
    else if (!is(super, 7)) return fail("super class");
    if (interfaces > 2) return fail("many interfaces");
    for (uint32_t i = 0; i < interfaces; i++)
        if (!is(be16(), 7)) return fail("interface");
    if (members(0) || members(1) || attributes(0)) return 1;
    puts("class");
    return 0;
}
