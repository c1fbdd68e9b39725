// SAFE: Test-Comp's error function, behind a small virtual machine.
#include <klee/klee.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    unsigned stack[4] = {0}, top = 0;
    for (int step = 0; step < 4; step++) {
        unsigned char op = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(op < 100);
        if (op < 10 && top < 4) stack[top++] = op;
        else if (op == '+' && top > 1) top--, stack[top - 1] += stack[top];
        else if (op == '*' && top > 1) top--, stack[top - 1] *= stack[top];
        else return 0;
    }
    if (top == 2 && stack[0] == 53 && stack[1] == 3) reach_error();
    return 1;
}
