/* arguments: --sym-arg 2 */
/* What runs before and after main. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;
static char trail[32];
static void note(char c) { trail[strlen(trail)] = c; }
__attribute__((constructor(200))) static void early(void) { note('e'); }
__attribute__((constructor)) static void late(void) { note('l'); }
__attribute__((constructor(150))) static void first(void) { note(getenv("HOME") ? 'h' : 'n'); }
__attribute__((destructor)) static void after(void) { note('d'); puts(trail); }
__attribute__((destructor(200))) static void last(void) { note('D'); puts(trail); }
static void one(void) { note('1'); }
static void two(void) { note('2'); if (trail[0] == '?') puts("never"); }
int main(int argc, char **argv)
{
    atexit(one);
    atexit(two);
    puts(trail);
    for (char **v = environ; *v; v++) puts(*v);
    setenv("NEW", argv[1], 1);
    printf("%s %s\n", getenv("NEW"), getenv("PATH"));
    if (argv[1][0] == 'q') quick_exit(3);
    if (argv[1][0] > 'q') exit(4);
    return 5;
}
