// SAFE: memcmp of more than the shorter object, if all before is equal.
#include <klee/klee.h>
#include <string.h>
static const char wanted[5] = "magic", more[8] = "magical";
int main(void)
{
    char text[5];
    klee_make_symbolic(text, sizeof text, "text");
    if (memcmp(text, wanted, 5)) return 0;
    return memcmp(text, more, 5);
}
