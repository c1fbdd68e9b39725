/* A vault behind eight doors in a row, among rooms that look just as interesting.
 *
 * A door opens if one letter is right, but all doors are opened by the same code: a pending state that asks for the right
 * letter looks like any other, since everything it leads to directly has been seen at the first door.  Before a visitor
 * enters a room, and wherever he stops, a crowd looks at bytes that mean nothing: some twenty pending states for every
 * run, of which at most one is a key.  A search has to guess which.  But a test that opened a door is a good one: what it
 * holds (the right room, the letters so far) can be learned. */
#include <klee/klee.h>

#define DOORS 8
#define CROWD 9 /* bytes, before the room and behind it */

static int noise, seen;

static void crowd(const unsigned char *text) {
    for (int i = 0; i < CROWD; i++) {
        if (text[i] & 1) {
            noise++;
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
    }

ROOM(kitchen, 'p', 'q')
ROOM(cellar, 'r', 's')
ROOM(attic, 't', 'u')

#define DOOR(number, key)            \
    if (!opens(text[number], key)) { \
        return;                      \
    }

static void vault(const unsigned char *text) {
    DOOR(1, 'o')
    DOOR(2, 'p')
    DOOR(3, 'e')
    DOOR(4, 'n')
    DOOR(5, 's')
    DOOR(6, 'e')
    DOOR(7, 's')
    DOOR(8, 'a')
    klee_assert(0); /* the treasure */
}

int main(void) {
    unsigned char text[1 + DOORS], before[CROWD], behind[CROWD];
    klee_make_symbolic(text, sizeof text, "text");
    klee_make_symbolic(before, sizeof before, "before");
    klee_make_symbolic(behind, sizeof behind, "behind");
    crowd(before);
    switch (text[0]) {
    case 'k': kitchen(text); break;
    case 'c': cellar(text); break;
    case 'a': attic(text); break;
    case 'v': vault(text); break;
    default: break;
    }
    crowd(behind);
    return noise > seen;
}
