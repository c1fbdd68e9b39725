/* A door behind ten locks.  Each lock that does not open sends the rest of the text through a counting loop, where
 * every byte is looked at four ways: thousands of states a second, one of which opens the next lock.  A search that
 * does not know which states matter drowns; what Homi keeps, and answers before it forgets, leads on. */
#include <klee/klee.h>

#define LENGTH 40

static int letters, marks;

static void count(const unsigned char *text, int from) {
    for (int i = from; i < LENGTH; i++) {
        if (text[i] & 1) {
            letters++;
        }
        if (text[i] & 2) {
            marks++;
        }
        if (text[i] & 4) {
            letters += 2;
        }
        if (text[i] & 8) {
            marks += 2;
        }
    }
}

#define LOCK(number, key)        \
    if (text[number] != (key)) { \
        count(text, number + 1); \
        return letters > marks;  \
    }

int main(void) {
    unsigned char text[LENGTH];
    klee_make_symbolic(text, sizeof text, "text");
    LOCK(0, 'o')
    LOCK(1, 'p')
    LOCK(2, 'e')
    LOCK(3, 'n')
    LOCK(4, ' ')
    LOCK(5, 's')
    LOCK(6, 'e')
    LOCK(7, 's')
    LOCK(8, 'a')
    LOCK(9, 'm')
    klee_assert(0); /* the door */
    return 0;
}
