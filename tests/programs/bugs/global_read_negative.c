// EXPECT: out-of-bounds 9 - A plain char as an index is negative for half of its values.
#include <klee/klee.h>
static const short weights[128] = {1, 2, 3};
int main(void)
{
    char letters[2];
    klee_make_symbolic(letters, sizeof letters, "letters");
    if (letters[0] != '#') return 0;
    return weights[letters[1]];
}
