/* Follows block traces through contexts (empc/walk.py).
 *
 * A step leads from a context over a block to the next context; a call enters a function's first context, keeping the
 * one it came from on a stack; a return goes to the nearest frame of the block's function that knows the step.  What
 * is not known stops the walk: Python makes it known and the walk goes on.
 *
 * A context with its stack is a *position*, a number: where a walk goes from a position depends on the blocks to come
 * alone.  So the steps between positions are remembered, and the blocks that were followed after each the last time: as
 * long as a trace goes on as one did before, it is compared, not followed.  Traces have up to a million blocks, most of
 * them in loops and after branches that change little. */
#include "search/walk.h"

#include <assert.h>

#include "common/map.h"

#define NONE (-1)
#define UNKNOWN UNKNOWN_KEY

#define MOST_POSITIONS (1u << 19) /* positions (50 MB), after which all are forgotten */
#define PAST (1u << 20)    /* blocks remembered */
#define LONG 64            /* blocks: a stretch that is worth comparing with where it is */
#define END 0xFFFFFFFFu    /* of such a stretch: no block */

struct origin {
    i32 function;
    u32 block;
};

/* Of a stack; number 0 is below all. */
struct frame {
    i32 context;
    u32 below;
};

/* `block`, `next`: the first two steps; `seen`: where their blocks were last in the past, 0: not there. */
struct position {
    u32 block[2], next[2], seen[2];
    i32 context;
    u32 stack;
};

struct walker {
    i32 *calls;     /* per block: the first context of the function it enters, NONE */
    i32 *functions; /* per block, NONE: of no function, passed over */
    u64 blocks;
    struct map edges; /* within functions, from block to block */
    struct origin *origins; /* per context */
    u64 contexts, context_room;
    struct map steps; /* between contexts */
    struct frame *frames;
    u64 frame_count, frame_room;
    struct map frame_numbers;
    struct position *positions;
    u64 position_count, position_room;
    struct map position_numbers, moves; /* moves: steps between positions beyond the first two */
    u32 here; /* the position where it is */
    i32 frame; /* the context that a return could lead to when it stopped */
    u32 *past, *where; /* blocks that were followed, and the position before each */
    u64 used; /* past[used] is END, where[used] the position after the last block */
    int open; /* the last block of the past is the one before `here` */
};

/* ---- numbers by pairs ---- */

static u64 key_of(i32 first, u32 second) { return ((u64)(u32)(first + 2) << 32) | second; }

/* ---- positions ---- */

static u32 frame_of(struct walker *w, i32 context, u32 below)
{
    u32 found = map_get(&w->frame_numbers, key_of(context, below));
    if (found != UNKNOWN) return found;
    w->frames = grown(w->frames, &w->frame_room, w->frame_count + 1, sizeof *w->frames);
    w->frames[w->frame_count] = (struct frame){context, below};
    map_put(&w->frame_numbers, key_of(context, below), w->frame_count);
    return w->frame_count++;
}

static u32 position_of(struct walker *w, i32 context, u32 stack)
{
    u32 found = map_get(&w->position_numbers, key_of(context, stack));
    if (found != UNKNOWN) return found;
    w->positions = grown(w->positions, &w->position_room, w->position_count + 1, sizeof *w->positions);
    w->positions[w->position_count] = (struct position){.context = context, .stack = stack};
    map_put(&w->position_numbers, key_of(context, stack), w->position_count);
    return w->position_count++;
}

static void forget_past(struct walker *w);

static void begin(struct walker *w)
{
    w->frame_count = 1; /* the first is below all */
    w->position_count = 0;
    w->frame_numbers = map_new(1024);
    w->position_numbers = map_new(4096);
    w->moves = map_new(1024);
    w->here = position_of(w, NONE, 0);
    forget_past(w);
}

static void forget(struct walker *w)
{
    map_free(&w->frame_numbers);
    map_free(&w->position_numbers);
    map_free(&w->moves);
}

int walker_is_full(const struct walker *w)
{
    return w->position_count > MOST_POSITIONS || w->frame_count > MOST_POSITIONS;
}

void walker_restart(struct walker *w)
{
    forget(w);
    begin(w);
}

struct walker *cinq_walker_new(const i32 *functions, u64 blocks, const i32 *sources, const i32 *targets, u64 edges)
{
    struct walker *w = zeros(1, sizeof *w);
    w->blocks = blocks;
    w->functions = resized(0, blocks, sizeof *w->functions);
    w->calls = resized(0, blocks, sizeof *w->calls);
    w->past = resized(0, PAST, sizeof *w->past);
    w->where = resized(0, PAST, sizeof *w->where);
    memcpy(w->functions, functions, blocks * sizeof *functions);
    memset(w->calls, 0xFF, blocks * sizeof *w->calls);
    w->steps = map_new(4096);
    w->edges = map_new(4096);
    for (u64 i = 0; i < edges; i++) map_put(&w->edges, key_of(sources[i], (u32)targets[i]), 0);
    w->frames = grown(w->frames, &w->frame_room, 1, sizeof *w->frames);
    begin(w);
    return w;
}

void cinq_walker_free(struct walker *w)
{
    forget(w);
    map_free(&w->steps);
    map_free(&w->edges);
    free(w->functions);
    free(w->calls);
    free(w->origins);
    free(w->frames);
    free(w->positions);
    free(w->past);
    free(w->where);
    free(w);
}

/* ---- what Python makes known ---- */

void cinq_walker_context(struct walker *w, u32 block)
{
    w->origins = grown(w->origins, &w->context_room, w->contexts + 1, sizeof *w->origins);
    w->origins[w->contexts++] = (struct origin){w->functions[block], block};
}

void cinq_walker_call(struct walker *w, u32 block, i32 context) { w->calls[block] = context; }

void cinq_walker_step(struct walker *w, i32 context, u32 block, i32 next)
{
    map_put(&w->steps, key_of(context, block), next);
}

i32 cinq_walker_at(const struct walker *w) { return w->positions[w->here].context; }
i32 cinq_walker_frame(const struct walker *w) { return w->frame; }

/* ---- one step ---- */

static u32 come_back(struct walker *w, u32 stack, u32 block)
{
    for (; stack; stack = w->frames[stack].below) {
        struct frame f = w->frames[stack];
        if (f.context == NONE || w->origins[f.context].function != w->functions[block]) continue;
        w->frame = f.context;
        u32 next = map_get(&w->steps, key_of(f.context, block));
        return next == UNKNOWN ? UNKNOWN : position_of(w, next, f.below);
    }
    return UNKNOWN;
}

/* Where a block leads that was not met at this position before. */
static u32 found(struct walker *w, struct position at, u32 block)
{
    u32 next = map_get(&w->steps, key_of(at.context, block));
    if (next != UNKNOWN) return position_of(w, next, at.stack);
    if (w->calls[block] != NONE) return position_of(w, w->calls[block], frame_of(w, at.context, at.stack));
    if (w->functions[block] == NONE) return w->here;
    w->frame = NONE;
    if (at.context != NONE && map_get(&w->edges, key_of(w->origins[at.context].block, block)) != UNKNOWN)
        return UNKNOWN;
    return come_back(w, at.stack, block);
}

static u32 moved(struct walker *w, u32 block)
{
    u32 here = w->here;
    struct position *at = &w->positions[here];
    if (!block || block >= w->blocks) return here;
    if (at->block[0] == block) return at->next[0];
    if (at->block[1] == block) return at->next[1];
    u64 key = key_of(here, block);
    u32 next = at->block[1] ? map_get(&w->moves, key) : UNKNOWN;
    if (next != UNKNOWN || (next = found(w, *at, block)) == UNKNOWN) return next;
    at = &w->positions[here]; /* they may have moved */
    for (int i = 0; i < 2; i++) {
        if (at->block[i]) continue;
        at->block[i] = block;
        at->next[i] = next;
        return next;
    }
    map_put(&w->moves, key, next);
    return next;
}

/* ---- the past ---- */

static void move_to(struct walker *w, u32 position)
{
    w->here = position;
    w->past[w->used] = END;
    w->where[w->used] = position;
}

static void forget_past(struct walker *w)
{
    for (u64 i = 0; i < w->position_count; i++) w->positions[i].seen[0] = w->positions[i].seen[1] = 0;
    w->used = 1; /* position.seen is 0 for none */
    w->open = 0;
    move_to(w, w->here);
}

static void end_stretch(struct walker *w)
{
    if (w->open) w->used++;
    w->open = 0;
}

static void remember(struct walker *w, u32 block)
{
    struct position *at = &w->positions[w->here];
    for (int i = 0; i < 2; i++)
        if (at->block[i] == block) at->seen[i] = w->used;
}

/* Follows a block that leads to `next`. */
static void follow(struct walker *w, u32 block, u32 next)
{
    w->open = 1;
    remember(w, block);
    w->past[w->used++] = block;
    move_to(w, next);
}

/* Goes on as from an index of the past.  Short stretches are repeated, to be found together the next time. */
static void repeat(struct walker *w, u64 from, u64 count)
{
    u32 next = w->where[from + count];
    if (count >= LONG) end_stretch(w);
    else {
        if (!w->open) remember(w, w->past[from]);
        w->open = 1;
        memcpy(w->past + w->used, w->past + from, count * sizeof *w->past);
        memcpy(w->where + w->used, w->where + from, count * sizeof *w->where);
        w->used += count;
    }
    move_to(w, next);
}

static u64 agreeing(const u32 *a, const u32 *b, u64 n)
{
    u64 i = 0;
    while (i + 8 <= n && !memcmp(a + i, b + i, 8 * sizeof *a)) i += 8;
    while (i < n && a[i] == b[i]) i++;
    return i;
}

/* ---- a walk ---- */

void cinq_walker_go(struct walker *w, u32 position)
{
    assert(position < w->position_count);
    end_stretch(w);
    move_to(w, position);
}

struct stops {
    const u32 *at;
    u64 count, next;
    i32 *contexts;
    u32 *positions;
};

static void stop(const struct walker *w, struct stops *s, u32 position)
{
    s->contexts[s->next] = w->positions[position].context;
    if (s->positions) s->positions[s->next] = position;
    s->next++;
}

/* How far the next stop is from block i on; none if it lies behind, where a program wrote that they do not ascend. */
static u64 ahead(const struct stops *s, u64 i) { return s->at[s->next] > i ? s->at[s->next] - i : 0; }

u64 cinq_walk(struct walker *w, const u32 *trace, u64 n, u64 start, const u32 *stops, u64 count, i32 *contexts,
              u32 *positions)
{
    struct stops s = {stops, count, 0, contexts, positions};
    while (s.next < count && stops[s.next] < start) s.next++;
    for (u64 i = start; i < n;) {
        if (w->used + LONG + 2 > PAST) forget_past(w);
        const struct position *at = &w->positions[w->here];
        u64 from = trace[i] == at->block[0] ? at->seen[0] : trace[i] == at->block[1] ? at->seen[1] : 0, left = n - i;
        u64 same = from ? agreeing(trace + i, w->past + from, left < w->used - from ? left : w->used - from) : 0;
        while (s.next < count && ahead(&s, i) < same) stop(w, &s, w->where[from + ahead(&s, i)]);
        if (same) {
            repeat(w, from, same);
            i += same;
            continue;
        }
        while (s.next < count && stops[s.next] <= i) stop(w, &s, w->here);
        u32 next = moved(w, trace[i]);
        if (next == UNKNOWN) return i;
        follow(w, trace[i++], next);
    }
    while (s.next < count) stop(w, &s, w->here);
    end_stretch(w);
    return n;
}
