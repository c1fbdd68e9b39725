/* Follows block traces through contexts (empc/walk.py): one look-up per block.
 *
 * A step leads from a context over a block to the next context; a call enters a function's first context, keeping the
 * one it came from on a stack; a return goes to the nearest frame of the block's function that knows the step.  What
 * is not known stops the walk: Python makes it known and the walk goes on.
 *
 * Where a trace agrees with the one followed before, there is nothing to do: marks on the way say where the walk was. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;

#define NONE (-1)

#define STRIDE 64 /* blocks between marks */
#define DEEP 256  /* frames: deeper places are not marked */

struct step { u64 key; i32 next; };
struct ways { u32 block[2]; i32 next[2]; }; /* the first two steps from a context; block 0 is none */
struct mark { u64 at, saved; i32 context; u32 depth; }; /* before trace[at]; its stack from saved[saved] on */

struct walker {
    i32 *calls;     /* per block: the first context of the function it enters, NONE */
    i32 *functions; /* per block, NONE: of no function, passed over */
    u64 blocks;
    i32 *owners; /* per context: its function */
    struct ways *ways; /* per context, after one for NONE */
    u64 contexts, context_room, ways_room;
    struct step *steps; /* further ones; open addressing; key 0 is free */
    u64 used, room;
    i32 *stack;
    u64 depth, stack_room;
    i32 context, frame; /* where it is; where a return could lead when it stopped */
    u32 *last; /* the trace followed before */
    u64 last_size, last_room;
    struct mark *marks;
    i32 *saved;
    u64 mark_count, mark_room, saved_room;
};

static void *grown(void *memory, u64 *room, u64 wanted, u64 item)
{
    if (wanted <= *room) return memory;
    while (*room < wanted) *room = *room ? 2 * *room : 1024;
    memory = realloc(memory, *room * item);
    if (!memory) abort();
    return memory;
}

static u64 key_of(i32 context, u32 block) { return ((u64)(u32)(context + 2) << 32) | block; }

static struct step *probe(const struct walker *w, u64 key)
{
    u64 at = (key ^ key >> 29) * 0x9E3779B97F4A7C15u >> 24;
    while (w->steps[at &= w->room - 1].key && w->steps[at].key != key) at++;
    return &w->steps[at];
}

struct walker *cinq_walker_new(const i32 *functions, u64 blocks)
{
    struct walker *w = calloc(1, sizeof *w);
    if (!w) abort();
    w->blocks = blocks;
    w->functions = malloc(blocks * sizeof *w->functions);
    w->calls = malloc(blocks * sizeof *w->calls);
    w->room = 4096;
    w->steps = calloc(w->room, sizeof *w->steps);
    if (!w->functions || !w->calls || !w->steps) abort();
    memcpy(w->functions, functions, blocks * sizeof *functions);
    memset(w->calls, 0xFF, blocks * sizeof *w->calls);
    w->ways = grown(w->ways, &w->ways_room, 1, sizeof *w->ways);
    w->ways[0] = (struct ways){0};
    return w;
}

void cinq_walker_free(struct walker *w)
{
    free(w->functions);
    free(w->calls);
    free(w->owners);
    free(w->ways);
    free(w->steps);
    free(w->stack);
    free(w->last);
    free(w->marks);
    free(w->saved);
    free(w);
}

void cinq_walker_context(struct walker *w, i32 function)
{
    w->owners = grown(w->owners, &w->context_room, w->contexts + 1, sizeof *w->owners);
    w->owners[w->contexts++] = function;
    w->ways = grown(w->ways, &w->ways_room, w->contexts + 1, sizeof *w->ways);
    w->ways[w->contexts] = (struct ways){0};
}

void cinq_walker_call(struct walker *w, u32 block, i32 context) { w->calls[block] = context; }

void cinq_walker_step(struct walker *w, i32 context, u32 block, i32 next)
{
    struct ways *ways = &w->ways[context + 1];
    for (int i = 0; i < 2; i++) {
        if (ways->block[i]) continue;
        ways->block[i] = block;
        ways->next[i] = next;
        return;
    }
    if (2 * ++w->used > w->room) {
        struct step *old = w->steps;
        u64 count = w->room;
        w->room *= 2;
        w->steps = calloc(w->room, sizeof *w->steps);
        if (!w->steps) abort();
        for (u64 i = 0; i < count; i++) if (old[i].key) *probe(w, old[i].key) = old[i];
        free(old);
    }
    *probe(w, key_of(context, block)) = (struct step){key_of(context, block), next};
}

/* Steps, if it is known where to. */
static int step(struct walker *w, i32 from, u32 block)
{
    const struct ways *ways = &w->ways[from + 1];
    if (ways->block[0] == block) w->context = ways->next[0];
    else if (ways->block[1] == block) w->context = ways->next[1];
    else {
        if (!ways->block[1]) return 0;
        const struct step *s = probe(w, key_of(from, block));
        if (!s->key) return 0;
        w->context = s->next;
    }
    return 1;
}

static int come_back(struct walker *w, u32 block)
{
    w->frame = NONE;
    for (u64 at = w->depth; at-- > 0;) {
        i32 context = w->stack[at];
        if (context == NONE || w->owners[context] != w->functions[block]) continue;
        w->frame = context;
        if (!step(w, context, block)) return 0;
        w->depth = at;
        return 1;
    }
    return 0;
}

/* ---- what was followed before ---- */

static void mark(struct walker *w, u64 at)
{
    const struct mark *before = w->mark_count ? &w->marks[w->mark_count - 1] : 0;
    if (!at || w->depth > DEEP || (before && before->at >= at)) return;
    u64 saved = before ? before->saved + before->depth : 0;
    w->marks = grown(w->marks, &w->mark_room, w->mark_count + 1, sizeof *w->marks);
    w->saved = grown(w->saved, &w->saved_room, saved + w->depth + 1, sizeof *w->saved);
    w->marks[w->mark_count++] = (struct mark){at, saved, w->context, w->depth};
    memcpy(w->saved + saved, w->stack, w->depth * sizeof *w->stack);
}

/* Remembers the trace; goes to the last mark where it agrees with the one before, not beyond `most`.  Gives its place. */
static u64 resume(struct walker *w, const u32 *trace, u64 n, u64 most)
{
    u64 same = 0, both = n < w->last_size ? n : w->last_size;
    while (same + STRIDE <= both && !memcmp(w->last + same, trace + same, STRIDE * sizeof *trace)) same += STRIDE;
    w->last = grown(w->last, &w->last_room, n, sizeof *w->last);
    if (n > same) memcpy(w->last + same, trace + same, (n - same) * sizeof *trace);
    w->last_size = n;
    if (most > same) most = same;
    while (w->mark_count && w->marks[w->mark_count - 1].at > most) w->mark_count--;
    if (!w->mark_count) {
        w->depth = 0;
        w->context = NONE;
        return 0;
    }
    const struct mark *m = &w->marks[w->mark_count - 1];
    w->depth = m->depth;
    w->context = m->context;
    memcpy(w->stack, w->saved + m->saved, m->depth * sizeof *w->stack);
    return m->at;
}

/* Goes on from trace[start] (0: from the beginning).  out[k] is the context after the first stops[k] blocks, NONE
 * before all; stops ascend.  Gives the index of the first block it could not follow, or n. */
u64 cinq_walk(struct walker *w, const u32 *trace, u64 n, u64 start, const u32 *stops, u64 count, i32 *out)
{
    u64 k = 0;
    if (!start) start = resume(w, trace, n, count ? stops[0] : n);
    while (k < count && stops[k] < start) k++;
    for (u64 i = start; i < n; i++) {
        for (; k < count && stops[k] <= i; k++) out[k] = w->context;
        if (i % STRIDE == 0) mark(w, i);
        u32 block = trace[i];
        if (!block || block >= w->blocks || step(w, w->context, block)) continue;
        if (w->calls[block] != NONE) {
            w->stack = grown(w->stack, &w->stack_room, w->depth + 1, sizeof *w->stack);
            w->stack[w->depth++] = w->context;
            w->context = w->calls[block];
        } else if (w->functions[block] != NONE && !come_back(w, block)) return i;
    }
    for (; k < count; k++) out[k] = w->context;
    return n;
}

i32 cinq_walker_at(const struct walker *w) { return w->context; }
i32 cinq_walker_frame(const struct walker *w) { return w->frame; }
