/* Points that a program must or must not reach; each is a line of output. */
#include <klee/klee.h>
#include <stdio.h>
#define REACHED(name) puts("reached " #name)
#define NEVER(name) puts("never " #name)
