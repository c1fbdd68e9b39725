/* Named symbolic inputs.
 *
 * An object is known by name and size for good; each has its own range of input
 * indices.  Within a run names are made unique as KLEE does: x, x_1, x_2, ...
 * Both tables are looked up by hash and have twice as many slots as there can be
 * entries; their pages are there only once they are used.
 */
#include "runtime.h"

static u64 hash_text(const char *s) {
    u64 h = 0xcbf29ce484222325ull;
    for (; *s; s++) h = (h ^ (u8)*s) * 0x100000001b3ull;
    return h;
}

/* ---- Unique names within a run ------------------------------------------------------ */
struct used { u64 hash; u32 run, next; };
#define USED ((struct used *)NAME_BASE)
#define USED_SLOTS (NAME_BYTES / sizeof(struct used)) /* a call takes two at most: a name, and that name with a number */
_Static_assert(USED_SLOTS >= 4 * CINQ_OBJECT_CAPACITY, "half of the slots stay free");

void names_forget(void) { clear_memory(NAME_BASE, NAME_BASE + NAME_BYTES); }

static struct used *used_slot_of(u64 h, int *fresh) { /* slots of earlier runs are free */
    u32 i = (u32)(h ^ h >> 32) & (USED_SLOTS - 1);
    while (USED[i].run == run_serial && USED[i].hash != h) i = (i + 1) & (USED_SLOTS - 1);
    *fresh = USED[i].run != run_serial;
    if (*fresh) USED[i] = (struct used){h, run_serial, 0};
    return &USED[i];
}

static struct used *used_slot(const char *name, int *fresh) { return used_slot_of(hash_text(name), fresh); }

static u64 append_number(char *out, u64 n, u32 value) {
    char digits[10];
    u32 count = 0;
    do digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    out[n++] = '_';
    while (count) out[n++] = digits[--count];
    out[n] = 0;
    return n;
}

static void unique_name(const char *name, char *out) {
    int fresh;
    u64 n = text_length(name, CINQ_NAME - 12);
    raw_copy(out, name, n);
    out[n] = 0;
    struct used *base = used_slot(out, &fresh);
    while (!fresh) {
        append_number(out, n, ++base->next);
        used_slot(out, &fresh);
    }
}

u32 names_list(struct name_used *out, u32 most) { /* what has been used is what has been made */
    int fresh;
    for (u64 i = 0; i < CONTROL->made && i < most; i++) {
        const struct used *u = used_slot(OBJECTS[MADE[i]].name, &fresh);
        out[i].hash = u->hash;
        out[i].next = u->next;
    }
    return (u32)CONTROL->made;
}

void names_use(const struct name_used *names, u32 count) {
    int fresh;
    for (u32 i = 0; i < count; i++) {
        struct used *u = used_slot_of(names[i].hash, &fresh);
        u->next = names[i].next;
    }
}

/* ---- The registry --------------------------------------------------------------------- */
#define INDEX ((u32 *)OBJECT_INDEX_BASE) /* of objects, plus 1 */
#define INDEX_SLOTS (OBJECT_INDEX_BYTES / 4)
_Static_assert(INDEX_SLOTS >= 2 * CINQ_OBJECT_CAPACITY, "half of the slots stay free");
static u64 indexed; /* objects in it; the engine adds objects too */

static int is_object(u64 i, const char *name, u64 size) {
    const struct cinq_object *o = &OBJECTS[i];
    return o->size == size && !raw_compare(o->name, name, text_length(name, CINQ_NAME - 1) + 1);
}

/* The slot of an object of this name and size, or the free one where it would be. */
static u32 *index_slot(const char *name, u64 size) {
    u64 h = hash_text(name) ^ size * 0x9e3779b97f4a7c15ull;
    u32 i = (u32)(h ^ h >> 32) & (INDEX_SLOTS - 1);
    while (INDEX[i] && !is_object(INDEX[i] - 1, name, size)) i = (i + 1) & (INDEX_SLOTS - 1);
    return &INDEX[i];
}

static void index_new_objects(void) {
    for (; indexed < CONTROL->objects && indexed < CINQ_OBJECT_CAPACITY; indexed++) {
        u32 *slot = index_slot(OBJECTS[indexed].name, OBJECTS[indexed].size);
        if (!*slot) *slot = (u32)indexed + 1;
    }
}

static u32 add_object(const char *name, u64 size) {
    u64 i = CONTROL->objects, most = is_watching() ? UNWRITTEN_FIRST : CINQ_INPUT_CAPACITY;
    if (i >= CINQ_OBJECT_CAPACITY || size > CINQ_INPUT_CAPACITY || CONTROL->input_known + size > most)
        end_run(END_INPUT, 0);
    struct cinq_object *o = &OBJECTS[i];
    raw_fill(o, 0, sizeof *o);
    raw_copy(o->name, name, text_length(name, CINQ_NAME - 1));
    o->size = (u32)size;
    o->first = (u32)CONTROL->input_known;
    CONTROL->input_known += size;
    CONTROL->objects = i + 1;
    return (u32)i;
}

static u32 find_object(const char *name, u64 size) {
    u64 guess = CONTROL->made; /* runs make their objects in the same order, mostly */
    if (guess < CONTROL->objects && is_object(guess, name, size)) return (u32)guess;
    index_new_objects();
    u32 *slot = index_slot(name, size);
    return *slot ? *slot - 1 : add_object(name, size);
}

static u32 input_fill(u64 address, u64 size, const char *name) { /* the bytes, without shadows */
    char unique[CINQ_NAME];
    if (CONTROL->made >= CINQ_OBJECT_CAPACITY) end_run(END_INPUT, 0);
    unique_name(name, unique);
    u32 object = find_object(unique, size), first = OBJECTS[object].first;
    MADE[CONTROL->made++] = object;
    for (u64 i = 0; i < size; i++) ((u8 *)address)[i] = first + i < CONTROL->input_size ? INPUT[first + i] : 0;
    return first;
}

u32 input_make(u64 address, u64 size, const char *name) {
    input_asked();
    u32 first = input_fill(address, size, name);
    for (u64 i = 0; i < size; i++) memory_put_byte(address + i, node_input((u32)(first + i)));
    return first;
}

struct span texts[TEXTS];
RUN_STATE u32 text_count;

static void note_text(u64 address, u64 size) {
    if (text_count < TEXTS) texts[text_count] = (struct span){address, size};
    text_count++;
}

void input_text(u64 address, u64 size, const char *name) {
    input_asked();
    note_text(address, size);
    if (!(CONTROL->flags & CINQ_FLAG_COVERAGE_ONLY)) input_make(address, size, name);
    else {
        input_fill(address, size, name);
        memory_concrete(address, size);
    }
}
