/* A command interpreter whose comparisons multiply states: every byte that is no command is classified by a chain of
 * counters, so paths double with every byte, while the goal needs eight commands in a row and a fitting argument.
 * Search alone drowns in the classifications; a pruner that learns which bytes open new code keeps the commands. */
#include <klee/klee.h>

#define LENGTH 24

static int classify(unsigned char c, int *letters, int *marks) {
    if (c & 1) {
        (*letters)++;
    }
    if (c & 2) {
        (*marks)++;
    }
    if (c & 4) {
        (*letters) += 2;
    }
    if (c & 8) {
        (*marks) += 2;
    }
    return *letters > *marks;
}

int main(void) {
    unsigned char text[LENGTH];
    klee_make_symbolic(text, sizeof text, "text");
    int stage = 0, letters = 0, marks = 0;
    for (int i = 0; i < LENGTH; i++) {
        switch (stage) {
        case 0: stage = text[i] == 'o' ? 1 : 0; break;
        case 1: stage = text[i] == 'p' ? 2 : 0; break;
        case 2: stage = text[i] == 'e' ? 3 : 0; break;
        case 3: stage = text[i] == 'n' ? 4 : 0; break;
        case 4: stage = text[i] == ' ' ? 5 : 0; break;
        case 5: stage = text[i] == 'd' ? 6 : 0; break;
        case 6: stage = text[i] == 'o' ? 7 : 0; break;
        case 7: stage = text[i] == 'o' ? 8 : 0; break;
        case 8: stage = text[i] == 'r' ? 9 : 0; break;
        default: break;
        }
        if (stage == 0) {
            classify(text[i], &letters, &marks);
        }
        if (stage == 9) {
            klee_assert(0); /* the goal */
        }
    }
    return letters - marks;
}
