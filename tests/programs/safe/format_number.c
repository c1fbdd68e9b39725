// SAFE: A number of eight digits, sign included, does not fit where seven do.
#include <klee/klee.h>
#include <stdio.h>
int main(void)
{
    int value;
    char text[9];
    klee_make_symbolic(&value, sizeof value, "value");
    if (value > -1000000) return 0;
    if (value < -9999999) return 1;
    sprintf(text, "%d", value);
    return text[0] == '-';
}
