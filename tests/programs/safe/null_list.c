// SAFE: The second element of a list that has one only if the input says so.
#include <klee/klee.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void)
{
    unsigned char in[4];
    struct node *list = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 3; i++) {
        if (in[i] < 100) continue;
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->value = in[i];
        list = n;
    }
    if (in[3] != 0xc3 || !list) return 0;
    if (!list->next) return 1;
    return list->next->value;
}
