/* More paths than anybody will explore. */
#include <klee/klee.h>

int main(void) {
    unsigned char data[40];
    int sum = 0;
    klee_make_symbolic(data, sizeof data, "data");
    for (unsigned i = 0; i < sizeof data; i++)
        if (data[i] > 5) sum++;
    return sum;
}
