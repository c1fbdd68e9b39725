// EXPECT: out-of-bounds 10 - snprintf is told the room by the input.
#include <klee/klee.h>
#include <stdio.h>
int main(void)
{
    char text[8];
    unsigned room;
    klee_make_symbolic(&room, sizeof room, "room");

    snprintf(text, room, "%s", "0123456789");
    return 1;
}
