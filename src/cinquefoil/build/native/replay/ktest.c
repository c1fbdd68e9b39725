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

static void index_objects(void);

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
    index_objects();
}

/* ---- Objects by name: a hash table of where they begin in the file ---- */
static const unsigned char **index_slots;
static uint32_t index_size; /* a power of two, more than twice the number of objects */

static uint64_t hash_bytes(const unsigned char *bytes, size_t n)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; i++) h = (h ^ bytes[i]) * 0x100000001b3ull;
    return h ^ h >> 32;
}

static void *pages(size_t size) /* the heap is the program's */
{
    void *found = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) bad_test("the test", "has more objects than there is memory for");
    return found;
}

static struct cursor object_at(const unsigned char *at) { return (struct cursor){at, (size_t)(objects.at + objects.left - at)}; }

/* The slot of the object of this name, or the free one where it would be. */
static const unsigned char **index_slot(const unsigned char *name, uint32_t length)
{
    uint32_t i = (uint32_t)hash_bytes(name, length) & (index_size - 1);
    for (; index_slots[i]; i = (i + 1) & (index_size - 1)) {
        struct cursor c = object_at(index_slots[i]);
        const unsigned char *at;
        uint32_t n;
        if (take_counted(&c, &at, &n) && n == length && !memcmp(at, name, n)) break;
    }
    return &index_slots[i];
}

static void index_objects(void)
{
    struct cursor c = objects;
    for (index_size = 16; index_size < 2 * (uint64_t)count; index_size *= 2) {}
    index_slots = pages(index_size * sizeof *index_slots);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *start = c.at, *name, *bytes;
        uint32_t n, m;
        if (!take_counted(&c, &name, &n) || !take_counted(&c, &bytes, &m)) return;
        const unsigned char **slot = index_slot(name, n);
        if (!*slot) *slot = start; /* of equal names, the first */
    }
}

const unsigned char *test_object(const char *name, size_t *size)
{
    const unsigned char **slot = index_slots ? index_slot((const unsigned char *)name, (uint32_t)strlen(name)) : 0;
    if (!slot || !*slot) return 0;
    struct cursor c = object_at(*slot);
    const unsigned char *at, *bytes;
    uint32_t n, m;
    if (!take_counted(&c, &at, &n) || !take_counted(&c, &bytes, &m)) return 0;
    *size = m;
    return bytes;
}

/* ---- Names within a run: x, x_1, x_2, ... as the engine and KLEE number them; told apart by their hashes ---- */
struct used { uint64_t hash; uint32_t taken, next; };
#define FIRST_SLOTS 0x1000
static struct used first_slots[FIRST_SLOTS], *used = first_slots;
static uint32_t used_size = FIRST_SLOTS, used_count;

static struct used *used_slot(uint64_t hash)
{
    uint32_t i = (uint32_t)hash & (used_size - 1);
    while (used[i].taken && used[i].hash != hash) i = (i + 1) & (used_size - 1);
    return &used[i];
}

static void grow(void)
{
    struct used *old = used;
    uint32_t old_size = used_size;
    used_size *= 2;
    used = pages(used_size * sizeof *used);
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i].taken) *used_slot(old[i].hash) = old[i];
    if (old != first_slots) munmap(old, old_size * sizeof *old);
}

static struct used *find(const char *name, int *fresh)
{
    uint64_t hash = hash_bytes((const unsigned char *)name, strlen(name));
    if (2 * used_count >= used_size) grow();
    struct used *slot = used_slot(hash);
    *fresh = !slot->taken;
    if (*fresh) {
        *slot = (struct used){hash, 1, 0};
        used_count++;
    }
    return slot;
}

void unique_name(const char *name, char out[NAME_BYTES])
{
    int fresh;
    snprintf(out, NAME_BYTES - 11, "%s", name); /* room for _ and ten digits */
    size_t n = strlen(out);
    struct used *base = find(out, &fresh);
    uint64_t hash = base->hash;
    while (!fresh) {
        snprintf(out + n, NAME_BYTES - n, "_%u", ++used_slot(hash)->next);
        find(out, &fresh);
    }
}
