/* What was written through one symbolic index and is read through another. */
#include "points.h"
int main(void)
{
    unsigned char cells[8] = {0, 10, 20, 30, 40, 50, 60, 70}, i, j, v;
    klee_make_symbolic(&i, 1, "i");
    klee_make_symbolic(&j, 1, "j");
    klee_make_symbolic(&v, 1, "v");
    if (i > 7 || j > 7) return 0;
    cells[i] = v;
    if (i == j && cells[j] != v) NEVER(lost);
    else if (i != j && cells[j] != j * 10) NEVER(hit_another);
    else if (cells[j] == 35) REACHED(new_value);
    else if (cells[j] == 50 && j == 3) REACHED(old_number_elsewhere);
    else if (cells[0] + cells[1] + cells[2] + cells[3] == 301) REACHED(large_sum);
    else if (cells[0] + cells[1] + cells[2] + cells[3] > 60 + 255) NEVER(too_large_a_sum);
    else if (cells[cells[j] & 7] == 77 && i == 4) REACHED(twice_through_the_table);
    return 0;
}
