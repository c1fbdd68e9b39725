/* A vault behind ten doors in a row, among rooms that look just as interesting.
 *
 * A door opens if one letter is right, but all doors are opened by the same code: a pending state that asks for the right
 * letter looks like any other, since everything it leads to directly has been seen at the first door.  Wherever a visitor
 * stops, a crowd looks at the rest of the text, byte by byte and two ways: some forty pending states for every run, tens of
 * thousands a second, none of which leads anywhere.  A search has to guess which of them is the key.  But a test that
 * opened a door is a good one: what it holds (the right room, the letters so far) can be learned. */
#include <klee/klee.h>

#define LENGTH 30

static int noise, seen;

static void crowd(const unsigned char *text, int from) {
    for (int i = from; i < LENGTH; i++) {
        if (text[i] & 1) {
            noise++;
        }
        if (text[i] & 2) {
            noise += 2;
        }
    }
}

static int opens(unsigned char letter, char key) {
    if (letter == (unsigned char)key) {
        return 1;
    }
    return 0;
}

/* A room with something to see, and nothing behind it. */
#define ROOM(name, a, b)                          \
    static void name(const unsigned char *text) { \
        if (opens(text[1], a)) {                  \
            seen++;                               \
        } else if (opens(text[1], b)) {           \
            seen += 2;                            \
        }                                         \
        crowd(text, 2);                           \
    }

ROOM(kitchen, 'p', 'q')
ROOM(cellar, 'r', 's')
ROOM(attic, 't', 'u')

#define DOOR(number, key)               \
    if (!opens(text[number], key)) {    \
        crowd(text, number + 1);        \
        return;                         \
    }

static void vault(const unsigned char *text) {
    DOOR(1, 'o')
    DOOR(2, 'p')
    DOOR(3, 'e')
    DOOR(4, 'n')
    DOOR(5, ' ')
    DOOR(6, 's')
    DOOR(7, 'e')
    DOOR(8, 's')
    DOOR(9, 'a')
    DOOR(10, 'm')
    klee_assert(0); /* the treasure */
}

int main(void) {
    unsigned char text[LENGTH];
    klee_make_symbolic(text, sizeof text, "text");
    switch (text[0]) {
    case 'k': kitchen(text); break;
    case 'c': cellar(text); break;
    case 'a': attic(text); break;
    case 'v': vault(text); break;
    default: crowd(text, 1); break;
    }
    return noise > seen;
}
