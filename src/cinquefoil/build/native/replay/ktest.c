/* Reads a .ktest file in place.  It may come from anywhere: no length is believed before it is checked. */
#include "replay.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct cursor { const unsigned char *at; size_t left; };
static struct cursor objects; /* at the first object */
static uint32_t count;

static void bad_test(const char *path, const char *problem)
{
    fprintf(stderr, "replay: %s: %s\n", path, problem);
    _exit(STATUS_BAD_TEST);
}

static int take(struct cursor *c, size_t n, const unsigned char **bytes)
{
    if (n > c->left) return 0;
    *bytes = c->at;
    c->at += n;
    c->left -= n;
    return 1;
}

static int take_word(struct cursor *c, uint32_t *word)
{
    const unsigned char *b;
    if (!take(c, 4, &b)) return 0;
    *word = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    return 1;
}

static int take_counted(struct cursor *c, const unsigned char **bytes, uint32_t *n)
{
    return take_word(c, n) && take(c, *n, bytes);
}

static int read_header(struct cursor *c)
{
    const unsigned char *b;
    uint32_t version, arguments, n;
    if (!take(c, 5, &b) || (memcmp(b, "KTEST", 5) && memcmp(b, "BOUT\n", 5))) return 0;
    if (!take_word(c, &version) || version < 1 || version > 3 || !take_word(c, &arguments)) return 0;
    for (uint32_t i = 0; i < arguments; i++)
        if (!take_counted(c, &b, &n)) return 0;
    if (version >= 2 && !take(c, 8, &b)) return 0;
    return take_word(c, &count);
}

static int check_objects(struct cursor c)
{
    const unsigned char *b;
    uint32_t n;
    for (uint32_t i = 0; i < count; i++)
        if (!take_counted(&c, &b, &n) || !take_counted(&c, &b, &n)) return 0;
    return 1;
}

void test_open(const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &info) || info.st_size <= 0) bad_test(path, "cannot be read");
    void *data = mmap(0, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (data == MAP_FAILED) bad_test(path, "cannot be read");
    objects.at = data;
    objects.left = (size_t)info.st_size;
    if (!read_header(&objects) || !check_objects(objects)) bad_test(path, "is not a .ktest file, or damaged");
}

const unsigned char *test_object(const char *name, size_t *size)
{
    struct cursor c = objects;
    size_t length = strlen(name);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *at, *bytes;
        uint32_t n, m;
        if (!take_counted(&c, &at, &n) || !take_counted(&c, &bytes, &m)) break;
        if (n == length && !memcmp(at, name, n)) {
            *size = m;
            return bytes;
        }
    }
    return 0;
}

/* ---- Names within a run: x, x_1, x_2, ... as the engine and KLEE number them ---- */
struct used { char name[NAME_BYTES]; uint32_t next; };
#define USED_LIMIT 0x4000
static struct used used[USED_LIMIT];

static uint32_t slot_of(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
    return h % USED_LIMIT;
}

static struct used *find(const char *name, int *fresh)
{
    uint32_t i = slot_of(name), tries = 0;
    while (used[i].name[0] && strcmp(used[i].name, name) && ++tries < USED_LIMIT) i = (i + 1) % USED_LIMIT;
    *fresh = !used[i].name[0] || tries >= USED_LIMIT;
    if (*fresh) snprintf(used[i].name, NAME_BYTES, "%s", name);
    return &used[i];
}

void unique_name(const char *name, char out[NAME_BYTES])
{
    int fresh;
    snprintf(out, NAME_BYTES - 11, "%s", name); /* room for _ and ten digits */
    size_t n = strlen(out);
    struct used *base = find(out, &fresh);
    while (!fresh) {
        snprintf(out + n, NAME_BYTES - n, "_%u", ++base->next);
        find(out, &fresh);
    }
}
