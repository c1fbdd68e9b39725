// SAFE: A small request uses a buffer on the stack, which is then freed.
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    unsigned char sizes[2];
    char local[16];
    klee_make_symbolic(sizes, sizeof sizes, "sizes");
    if (sizes[0] % 50 != 49 || sizes[1] % 40 != 39) return 0;
    char *buffer = sizes[0] + sizes[1] <= 87 ? local : malloc(600);
    free(buffer);
    return 1;
}
