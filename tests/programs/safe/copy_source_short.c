// SAFE: The target has room; the source is shorter than it says (as in Heartbleed).
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    unsigned char request[7];
    klee_make_symbolic(request, sizeof request, "request");
    unsigned claimed = request[1] << 8 | request[2];
    if (request[0] != 24) return 0;
    if (claimed > 4) return 1;
    char *answer = malloc(65536);
    memcpy(answer, request + 3, claimed);
    int first = claimed ? answer[0] : 0;
    free(answer);
    return first;
}
