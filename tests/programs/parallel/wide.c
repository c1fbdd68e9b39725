/* 1,024 paths of equal length, and one of them fails: enough that several processes get their share. */
#include <assert.h>
#include <klee/klee.h>

int main(void) {
    unsigned char data[10];
    int sum = 0;
    klee_make_symbolic(data, sizeof data, "data");
    for (unsigned i = 0; i < sizeof data; i++) {
        sum *= 2;
        if (data[i] > 10 * i + 5) sum++;
    }
    assert(sum != 613);
    return sum & 127;
}
