/* Functions that run before and after main, by attributes and by sections. */
#include <stdio.h>

__attribute__((constructor(200))) static void early(void) { puts("early"); }
__attribute__((destructor)) static void last(void) { puts("last"); }
static void before(void) { puts("before"); }
static void first(void) { puts("first"); }
static void second(void) { puts("second"); }
static void after(void) { puts("after"); }
__attribute__((section(".preinit_array"), used)) static void (*const at_the_start)(void) = before;
__attribute__((section(".init_array"), used)) static void (*both[])(void) = {first, second};
__attribute__((section(".fini_array.300"), used)) static void (*at_the_end)(void) = after;

int main(void)
{
    puts("main");
    return 0;
}
