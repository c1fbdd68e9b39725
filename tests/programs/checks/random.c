/* One number of each generator leads to an end of its own; none leaves its range. */
#include <stdlib.h>

int main(void)
{
    unsigned seed = 1;
    srand(1);
    if (rand() % 1000 == 421 && rand() % 1000 == 17)
        abort();
    long wide = random(), low = lrand48(), any = mrand48();
    double part = drand48();
    if (wide < 0 || low < 0 || part < 0 || part >= 1)
        return 1;
    if (wide == 123456789)
        return 2;
    if (low == 0x7fffffff)
        return 3;
    if (any == -5)
        return 4;
    if (part == 0.75)
        return 5;
    if (rand_r(&seed) == 77)
        return 6;
    return 0;
}
