/* A list whose links are input: a node of the program's, the null page, or elsewhere. */
#include <klee/klee.h>
#include <stdlib.h>

struct node {
    long value;
    struct node *next;
};

int main(void) {
    unsigned short where;
    klee_make_symbolic(&where, sizeof where, "where");
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->value = 5, a->next = b;
    b->value = 7, b->next = 0;
    struct node *n = (struct node *)(where < 16 ? where : 0x10000000ul | where);
    if (n == 0) return 1;
    if (n->value == 7) return 2;
    if (n->value == 5 && n->next->value == 7) return 3;
    return 4;
}
