/* A vault behind five doors in a row, among rooms that look just as interesting.
 *
 * A door opens if both letters of its key are right, but that is only counted, in code that all doors share: one right
 * letter covers nothing new, and no pending state is one step away from an open door unless the other letter is right
 * already.  Wherever a visitor stops, a crowd looks at the rest of the text byte by byte: a dozen pending states for
 * every run, tens of thousands a second, none of which leads anywhere.  A search has to guess which of them is half a key.
 * But a test that opened a door is a good one: what it holds (the right room, the letters of the keys so far) can be
 * learned. */
#include <klee/klee.h>

#define LENGTH 20

static int noise, seen;

static void crowd(const unsigned char *text, int from) {
    for (int i = from; i < LENGTH; i++) {
        if (text[i] & 1) {
            noise++;
        }
    }
}

static int opens(const unsigned char *text, const char *key) {
    int right = 0;
    if (text[0] == key[0]) {
        right++;
    }
    if (text[1] == key[1]) {
        right++;
    }
    return right == 2;
}

/* A room with something to see, and nothing behind it. */
#define ROOM(name, a, b)                                  \
    static void name(const unsigned char *text) {         \
        if (text[1] == (a)) {                             \
            seen++;                                       \
        } else if (text[1] == (b)) {                      \
            seen += 2;                                    \
        }                                                 \
        crowd(text, 2);                                   \
    }

ROOM(kitchen, 'p', 'q')
ROOM(cellar, 'r', 's')
ROOM(attic, 't', 'u')

static void vault(const unsigned char *text) {
    static const char keys[] = "opensesame";
    int at = 1;
#define DOOR(number)                          \
    if (!opens(text + at, keys + 2 * number)) { \
        crowd(text, at + 2);                  \
        return;                               \
    }                                         \
    at += 2;
    DOOR(0)
    DOOR(1)
    DOOR(2)
    DOOR(3)
    DOOR(4)
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
