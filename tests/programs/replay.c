/* Gives input objects their bytes in a native run: the file named by REPLAY holds them, in the order they are made. */
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long taken;

void klee_make_symbolic(void *addr, size_t nbytes, const char *name)
{
    memset(addr, 0, nbytes);
    const char *path = getenv("REPLAY");
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) return;
    fseek(file, taken, SEEK_SET);
    fread(addr, 1, nbytes, file);
    fclose(file);
    taken += nbytes;
}
