// SAFE: A field's width read from two digits, plus one.
#include <klee/klee.h>
#include <stdio.h>
static unsigned field(unsigned value, unsigned low, unsigned width)
{
    return value >> low & ((1u << (width & 31)) - 1);
}
int main(void)
{
    unsigned char text[2];
    klee_make_symbolic(text, sizeof text, "text");
    if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9') return 1;
    unsigned width = (text[0] - '0') * 10u + (text[1] - '0');
    if (width > 30) return 2;
    unsigned limit = 1u << (width + 1);
    return field(limit, width, 3) == 7;
}
