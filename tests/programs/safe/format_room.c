// SAFE: snprintf is told the room by the input.
#include <klee/klee.h>
#include <stdio.h>
int main(void)
{
    char text[8];
    unsigned room;
    klee_make_symbolic(&room, sizeof room, "room");
    if (room > 8) return 0;
    snprintf(text, room, "%s", "0123456789");
    return 1;
}
