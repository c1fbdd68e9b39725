// SAFE: A look-up by name finds nothing for one word that the caller thinks is known.
#include <klee/klee.h>
#include <string.h>
#include <stddef.h>
struct command { const char *name; int code; };
static const struct command commands[] = { {"add", 1}, {"del", 2}, {"put", 3} };
static const struct command *find(const char *name)
{
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}
int main(void)
{
    char word[4];
    klee_make_symbolic(word, sizeof word, "word");
    word[3] = 0;
    const struct command *c = find(word);
    if (strcmp(word, "put") != 0) return 0;
    return c->code;
}
