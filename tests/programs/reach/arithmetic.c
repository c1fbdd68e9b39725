/* Facts of machine arithmetic, true and false ones. */
#include "points.h"
int main(void)
{
    int x;
    unsigned y, z;
    unsigned char c;
    short d;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_make_symbolic(&z, sizeof z, "z");
    klee_make_symbolic(&c, sizeof c, "c");
    klee_make_symbolic(&d, sizeof d, "d");
    if ((unsigned)x * x == 1u && x != 1 && x != -1) REACHED(other_roots_of_one); /* such as 0x7fffffff */
    else if (x == -x && x) REACHED(least_is_its_own_negative);
    else if (y * y == 2) NEVER(root_of_two);
    else if (y * y % 4 == 3) NEVER(squares_are_0_or_1_modulo_4);
    else if ((y & z) + (y | z) != y + z) NEVER(and_plus_or);
    else if (y > z && y - z > y) NEVER(difference_larger);
    else if (y + z < y && z < 3) REACHED(sum_wraps);
    else if (c * 257 == 0xabab) REACHED(repeated_byte);
    else if (c * 257 == 0xabac) NEVER(not_a_repeated_byte);
    else if ((c ^ c >> 1) == 0x80 && c == 0xff) REACHED(gray_code);
    else if (d / 7 * 7 + d % 7 != d) NEVER(division_law);
    else if (d % 7 < -6) NEVER(remainder_too_small);
    else if (d % 7 == -6) REACHED(negative_remainder);
    return 0;
}
