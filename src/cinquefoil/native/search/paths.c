/* The execution tree that random-path walks (search/randompath.py), a node per run.
 *
 * A row is a state of the run: it is `alive` if it may wait itself (`own`) or if runs below it lead to one that may.  That
 * a state is gone is not told: a walk that ends there sees it (state_index.c), closes the row it stood at and goes on as
 * if it had not been there.  Nor is it told of new runs: before a walk, those that came since the last one grow.  A node
 * is freed when all its states are settled, so that no run can grow there any more, and nothing is left below. */
#include "common/memory.h"
#include "common/random.h"
#include "search/state_index.h"

#define DEAD 0xFFFFFFFFu /* instead of a number of kids: to be freed */

struct node {
    u64 first; /* id */
    u32 size, live, unsettled,
        kids; /* rows; alive ones; not settled ones; nodes that have it as `up`, attached or not */
    struct node *up, *next; /* `next`: at the same row of `up` */
    struct node **below;    /* per row, once there is any */
    u32 row;                /* of `up`; without one, the index among the roots */
    u8 attached;
    u8 *alive, *own, *heads, *settled;
};

struct paths {
    const struct state_index *index;
    u64 seen; /* of the index, by serial number */
    struct numbered_node {
        u64 first;
        struct node *node;
    } *nodes; /* by first id */
    u64 used, room, dead;
    struct node **roots;
    u64 root_count, root_room;
};

struct paths *cinq_paths_new(const struct state_index *index)
{
    struct paths *p = zeros(1, sizeof *p);
    p->index = index;
    return p;
}

static void release(struct node *n)
{
    free(n->below);
    free(n->alive);
    free(n);
}

void cinq_paths_free(struct paths *p)
{
    for (u64 i = 0; i < p->used; i++) release(p->nodes[i].node);
    free(p->nodes);
    free(p->roots);
    free(p);
}

static u64 nodes_until(const struct paths *p, u64 id)
{
    u64 low = 0, high = p->used;
    while (low < high) {
        u64 middle = (low + high) / 2;
        if (p->nodes[middle].first <= id) low = middle + 1;
        else high = middle;
    }
    return low;
}

static struct node *find(const struct paths *p, u64 id)
{
    u64 at = nodes_until(p, id);
    struct node *n = at ? p->nodes[at - 1].node : 0;
    return n && id - n->first < n->size ? n : 0;
}

/* ---- growing and shrinking ---- */

/* It leads somewhere now, and so does the row it grows below, upwards. */
static void attach(struct paths *p, struct node *n)
{
    for (struct node *up = n->up; up; n = up, up = n->up) {
        n->attached = 1;
        if (!up->below) up->below = zeros(up->size, sizeof *up->below);
        n->next = up->below[n->row];
        up->below[n->row] = n;
        if (up->alive[n->row]) return;
        up->alive[n->row] = 1;
        if (++up->live > 1) return;
    }
    n->attached = 1;
    p->roots = grown(p->roots, &p->root_room, p->root_count + 1, sizeof *p->roots);
    n->row = p->root_count;
    p->roots[p->root_count++] = n;
}

static void unlink_from(struct paths *p, struct node *n)
{
    n->attached = 0;
    if (!n->up) {
        struct node *last = p->roots[--p->root_count];
        p->roots[last->row = n->row] = last;
        return;
    }
    struct node **at = &n->up->below[n->row];
    while (*at != n) at = &(*at)->next;
    *at = n->next;
}

/* If neither a state waits there nor a run below leads to one, a row leads nowhere; nor may its run, upwards. */
static void close(struct paths *p, struct node *n, u32 row)
{
    while (n->alive[row] && !n->own[row] && !(n->below && n->below[row])) {
        n->alive[row] = 0;
        if (--n->live) return;
        unlink_from(p, n);
        if (!n->up) return;
        row = n->row;
        n = n->up;
    }
}

/* Marks a node to be freed, and those above it, if nothing can come of them any more. */
static void give_up(struct paths *p, struct node *n)
{
    while (n && !n->unsettled && !n->live && !n->kids) {
        struct node *up = n->up;
        n->kids = DEAD;
        p->dead++;
        if (up) up->kids--;
        n = up;
    }
}

static void sweep(struct paths *p)
{
    u64 left = 0;
    for (u64 i = 0; i < p->used; i++) {
        if (p->nodes[i].node->kids == DEAD) release(p->nodes[i].node);
        else p->nodes[left++] = p->nodes[i];
    }
    p->used = left;
    p->dead = 0;
}

static struct node *node_of(const struct entry *e)
{
    struct node *n = zeros(1, sizeof *n);
    u64 size = e->size;
    n->first = e->first;
    n->size = size;
    n->alive = resized(0, 4, size);
    n->own = n->alive + size;
    n->heads = n->own + size;
    n->settled = n->heads + size;
    memcpy(n->alive, e->waiting, size);
    memcpy(n->own, e->waiting, size);
    const u32 *index = e->columns->index + e->row;
    for (u64 i = 0; i < size; i++) {
        n->heads[i] = !i || index[i] != index[i - 1];
        n->settled[i] = !e->unsettled[i];
        n->unsettled += e->unsettled[i];
        n->live += n->alive[i];
    }
    return n;
}

/* Grows below the state it came from, if its run is in the tree.  Does it lead anywhere? */
static int grow(struct paths *p, const struct entry *e)
{
    struct node *n = node_of(e), *up = find(p, e->parent);
    if (up && up->kids != DEAD) {
        n->up = up;
        n->row = e->parent - up->first;
        up->kids++;
    }
    p->nodes = grown(p->nodes, &p->room, p->used + 1, sizeof *p->nodes);
    u64 at = p->used && p->nodes[p->used - 1].first > e->first ? nodes_until(p, e->first) : p->used;
    memmove(p->nodes + at + 1, p->nodes + at, (p->used++ - at) * sizeof *p->nodes);
    p->nodes[at] = (struct numbered_node){n->first, n};
    if (n->live) attach(p, n);
    return n->live != 0;
}

void cinq_paths_catch_up(struct paths *p)
{
    const struct state_index *b = p->index;
    if (2 * p->dead > p->used + 64) sweep(p);
    u64 from = index_since(b, p->seen), dead = 0;
    for (u64 i = from; i < b->used; i++)
        if (b->entries[i].serial > p->seen) dead += !grow(p, &b->entries[i]);
    p->seen = b->serial;
    for (u64 i = from; dead && i < b->used; i++) { /* some are done with already */
        struct node *n = find(p, b->entries[i].first);
        if (n && !n->live && n->kids != DEAD) give_up(p, n);
    }
}

void cinq_paths_settle(struct paths *p, u64 id)
{
    struct node *n = find(p, id);
    u64 row = n ? id - n->first : 0;
    if (!n || n->kids == DEAD || n->settled[row]) return;
    n->settled[row] = 1;
    n->unsettled--;
    n->own[row] = 0;
    close(p, n, row);
    if (!n->live && !n->unsettled) cinq_paths_catch_up(p); /* what its run left grows there, before it is given up */
    give_up(p, n);
}

/* ---- walking ---- */

static u64 next_one(const u8 *bytes, u64 from, u64 size)
{
    const u8 *found = from < size ? memchr(bytes + from, 1, size - from) : 0;
    return found ? (u64)(found - bytes) : size;
}

/* Any of an event's rows that are alive, of which `row` is the first. */
static u64 among(const struct node *n, u64 row, u64 end, u64 *seed)
{
    u64 count = 0;
    for (u64 i = row; i < end; i++) count += n->alive[i];
    for (u64 skip = count > 1 ? below(seed, count) : 0; skip; skip--) row = next_one(n->alive, row + 1, end);
    return row;
}

/* A row: a coin at each event that leads anywhere, from `row`'s on; then any of the event's. */
static u64 descend(const struct node *n, u64 row, u64 *seed)
{
    u64 coins = drawn(seed), left = 64;
    while (1) {
        u64 end = next_one(n->heads, row + 1, n->size), rest = next_one(n->alive, end, n->size);
        if (!left--) {
            coins = drawn(seed);
            left = 63;
        }
        if (rest == n->size || coins & 1) return among(n, row, end, seed);
        coins >>= 1;
        row = rest;
    }
}

/* The chosen row was closed: another of its event; else one of later events, as if it had not been there; else, since no
 * event is left to go on to, one of the last event before. */
static u64 descend_again(const struct node *n, u64 row, u64 *seed)
{
    u64 begin = row, end = next_one(n->heads, row + 1, n->size);
    while (!n->heads[begin]) begin--;
    u64 here = next_one(n->alive, begin, n->size);
    if (here < end) return among(n, here, end, seed);
    if (here < n->size) return descend(n, here, seed);
    while (!n->alive[row]) row--;
    while (!n->heads[row]) row--;
    return among(n, next_one(n->alive, row, n->size), next_one(n->heads, row + 1, n->size), seed);
}

static struct node *any(struct node *n, u64 count, u64 *seed)
{
    for (u64 skip = count > 1 ? below(seed, count) : 0; skip; skip--) n = n->next;
    return n;
}

/* Nothing but one run is left below a run: that one stands for both. */
static void pass_over(struct paths *p, struct node *n, u64 row)
{
    struct node *child = n->below[row];
    unlink_from(p, child);
    unlink_from(p, n);
    n->alive[row] = 0;
    n->live = 0;
    n->kids--;
    child->up = n->up;
    child->row = n->row;
    child->next = 0;
    if (n->up) {
        n->up->kids++;
        child->next = n->up->below[n->row];
        n->up->below[n->row] = child;
        child->attached = 1;
    } else {
        attach(p, child);
    }
    give_up(p, n);
}

u64 cinq_paths_select(struct paths *p, u64 seed)
{
    struct node *n = 0;
    u64 row = 0;
    cinq_paths_catch_up(p);
    while (p->root_count) {
        if (!n) {
            n = p->roots[p->root_count > 1 ? below(&seed, p->root_count) : 0];
            row = descend(n, next_one(n->alive, 0, n->size), &seed);
        }
        struct node *down = n->below ? n->below[row] : 0;
        u64 runs = 0;
        for (struct node *each = down; each; each = each->next) runs++;
        if (n->own[row] && (!runs || !below(&seed, runs + 1))) {
            n->own[row] = 0;
            close(p, n, row);
            if (cinq_index_pending(p->index, n->first + row)) return n->first + row;
        } else if (runs) {
            struct node *next = any(down, runs, &seed);
            if (n->live == 1 && runs == 1 && !n->own[row] && !n->unsettled) pass_over(p, n, row);
            n = next;
            row = descend(n, next_one(n->alive, 0, n->size), &seed);
            continue;
        }
        if (!n->live) { /* the walk begins again */
            give_up(p, n);
            n = 0;
        } else if (!n->alive[row]) {
            row = descend_again(n, row, &seed);
        }
    }
    return CINQ_NOBODY;
}
