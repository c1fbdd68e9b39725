/* Floating point: its odd corners are reachable, what rounding forbids is not. */
#include "points.h"
int main(void)
{
    float x;
    unsigned char n;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&n, 1, "n");
    if (x != x) { REACHED(not_a_number); return 0; }
    if (x + 1.0f == x && x > 0 && x < 20000000.0f) REACHED(one_is_lost);
    else if (x == 0.1f + 0.2f && x != 0.3f) NEVER(float_hides_the_difference);
    else if (x * 0.5f == 0 && x > 0) REACHED(halved_to_nothing);
    else if (x < 0 && x > 0) NEVER(both_signs);
    else if (1.0f / x < 0 && x == 0) REACHED(minus_zero);
    else if ((float)n / 3.0f == 11.0f && n == 33) REACHED(third);
    else if ((float)n / 4.0f * 4.0f != n) NEVER(quarters_are_exact);
    return 0;
}
