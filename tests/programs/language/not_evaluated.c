/* The operand of __builtin_constant_p is not evaluated; __OPTIMIZE__ is not defined; nothing is inlined. */
#include <stdio.h>
struct list { struct list *next; int values[4]; };
static int zero;

static int known(struct list *list, int n)
{
    int found = __builtin_constant_p(list->values[2]) + __builtin_constant_p(list->next->next->values[n]);
    found += __builtin_constant_p(n / zero) + __builtin_constant_p(n > 3 ? list->values[0] : *list->next->values);
    return found * 10 + __builtin_constant_p(5 + 3);
}

static int used(struct list *list)
{
    int value = list->values[1];
    return __builtin_constant_p(value) ? -1 : value;
}

int main(void)
{
    struct list list = {0, {1, 2, 3, 4}};
    printf("%d %d\n", known(NULL, 5), used(&list));
#ifdef __OPTIMIZE__
    puts("optimised");
#endif
#ifdef __NO_INLINE__
    puts("not inlined");
#endif
    return 0;
}
