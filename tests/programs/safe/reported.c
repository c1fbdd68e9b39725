// SAFE: klee_report_error where a parser's depth and a count agree.
#include <klee/klee.h>
int main(void)
{
    char text[5];
    int depth = 0, letters = 0;
    klee_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 5 && text[i]; i++) {
        if (text[i] == '(') depth++;
        else if (text[i] == ')' && depth > 0) depth--;
        else if (text[i] == 'x') letters++;
        else return 0;
    }
    if (depth == 2 && letters == 4) klee_report_error(__FILE__, __LINE__, "two open, three letters", "user.err");
    return 1;
}
