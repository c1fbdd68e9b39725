/* Loading and running of programs (lanes.h). */
#include "solver/lanes.h"

#define STEP_WORK 16 /* lane operations that loading a step counts for, and arranging it */

static struct step *step_of(struct program *p, u32 node) { return &p->steps[step_index_of(p, node)]; }
static int has_step(const struct program *p, u32 node) { return p->step_index[node] >> 16 == p->stamp; }

static struct program *program_of(struct solver *s)
{
    if (!s->program) {
        s->program = zeros(1, sizeof *s->program);
        s->program->step_index = zeros(s->count, sizeof(u64));
    }
    return s->program;
}

static void emit(struct solver *s, struct program *p, u32 node)
{
    const struct cinq_node *n = &s->nodes[node];
    struct step *t = &p->steps[p->step_count];
    *t = (struct step){.node = node, .width = n->width, .op = n->op, .imm = n->imm};
    t->slow = (u8)lanes_slow(s, n);
    t->from = n->a ? s->nodes[n->a].width : 0;
    t->a = n->a ? step_index_of(p, n->a) : 0;
    t->b = n->b ? step_index_of(p, n->b) : 0;
    t->c = n->c ? step_index_of(p, n->c) : 0;
    p->step_index[node] = p->stamp << 16 | p->step_count++;
}

static u32 operands_of(const struct solver *s, const struct cinq_node *n, u32 own[3], const u32 **entries)
{
    own[0] = n->a;
    own[1] = n->b;
    own[2] = n->c;
    *entries = 0;
    if (n->op != OP_TREAD || !s->tables[n->imm].ids) return 0;
    *entries = (const u32 *)(s->pool + s->tables[n->imm].ids);
    return s->tables[n->imm].count;
}

/* Pushes what has no step yet; 0 if the program has become too large. */
static int push_missing(struct solver *s, struct program *p, u32 node, u32 *depth)
{
    const u32 *entries;
    u32 own[3], count = operands_of(s, &s->nodes[node], own, &entries);
    if (*depth + 3 + count > 4 * MAX_STEPS) return 0;
    for (int i = 0; i < 3; i++)
        if (own[i] && !has_step(p, own[i])) p->pending[(*depth)++] = own[i];
    for (u32 i = 0; i < count; i++)
        if (entries[i] && !has_step(p, entries[i])) p->pending[(*depth)++] = entries[i];
    return 1;
}

static int add_cone(struct solver *s, struct program *p, u32 root)
{
    u32 depth = 0;
    p->pending[depth++] = root;
    while (depth) {
        u32 node = p->pending[depth - 1], before = depth;
        if (has_step(p, node)) {
            depth--;
            continue;
        }
        if (p->step_count == MAX_STEPS || !lanes_supported(&s->nodes[node])) return 0;
        if (!push_missing(s, p, node, &depth)) return 0;
        if (depth == before) {
            emit(s, p, node);
            depth--;
        }
    }
    return 1;
}

int program_load(struct solver *s, const struct constraint *constraints, u32 count)
{
    struct program *p = program_of(s);
    p->stamp++;
    p->query = 0;
    p->step_count = p->check_count = 0;
    u64 room = p->check_room;
    p->checks = grown(p->checks, &p->check_room, count, sizeof *p->checks);
    p->sorted = grown(p->sorted, &room, count, sizeof *p->sorted);
    for (u32 i = 0; i < count; i++) {
        if (!add_cone(s, p, constraints[i].node)) return 0;
        p->checks[p->check_count++] = (struct check){step_index_of(p, constraints[i].node), constraints[i]};
    }
    s->lane_work += STEP_WORK * p->step_count;
    return 1;
}

int program_load_slice(struct solver *s)
{
    struct program *p = program_of(s);
    if (p->query == s->query) return p->fits;
    p->fits = program_load(s, s->slice, s->slice_count);
    p->query = s->query;
    return p->fits;
}

static void join_level(struct step *t, const struct step *operand)
{
    if (operand->level == FIXED) return;
    if (operand->level == t->level) t->own &= operand->own;
    else if (operand->level > t->level) {
        t->own = t->level == FIXED && operand->own;
        t->level = operand->level;
    } else t->own = 0;
}

static void level_step(struct solver *s, struct program *p, struct step *t)
{
    const struct cinq_node *n = &s->nodes[t->node];
    const u32 *entries;
    u32 own[3], count = operands_of(s, n, own, &entries);
    t->level = FIXED;
    t->own = 1;
    if (n->op == OP_INPUT) t->level = p->level_of[position_of(s, (u32)n->imm)];
    for (int i = 0; i < 3; i++)
        if (own[i]) join_level(t, step_of(p, own[i]));
    for (u32 i = 0; i < count; i++)
        if (entries[i]) join_level(t, step_of(p, entries[i]));
}

static const u64 *operand_lanes(struct program *p, const struct step *t, u32 index, u32 count, u64 *room)
{
    const struct step *o = &p->steps[index];
    if (o->level == t->level || o->op == OP_CONST) return o->lanes;
    u64 value = o->lanes[o->level == FIXED ? 0 : p->levels[o->level].choice];
    for (u32 i = 0; i < count; i++) room[i] = value;
    return room;
}

static void compute(struct solver *s, struct program *p, struct step *t)
{
    u64 a[LANES], b[LANES], c[LANES];
    u32 count = t->op == OP_CONST ? p->widest : t->level == FIXED ? 1 : p->levels[t->level].padded;
    if (t->op == OP_INPUT) {
        const struct level *v = t->level == FIXED ? 0 : &p->levels[t->level];
        u32 position = v ? 0 : position_of(s, (u32)t->imm);
        for (u32 i = 0; i < count; i++) t->lanes[i] = v ? v->values[i] : s->model[position];
        return;
    }
    if (t->slow) {
        lanes_compute(s, t, count, a, b, c);
        return;
    }
    const u64 *x = operand_lanes(p, t, t->a, count, a), *y = operand_lanes(p, t, t->b, count, b);
    lanes_compute(s, t, count, x, y, t->op == OP_ITE ? operand_lanes(p, t, t->c, count, c) : c);
}

static u32 lanes_needed(const struct program *p, const struct step *t)
{
    if (t->width > 64) return 2 * LANES;
    return t->op == OP_CONST ? p->widest : t->level == FIXED ? 1 : LANES;
}

static int assign_lanes(struct program *p)
{
    size_t needed = 0;
    for (u32 i = 0; i < p->step_count; i++) needed += lanes_needed(p, &p->steps[i]);
    if (needed > MAX_ARENA) return 0;
    if (needed > p->arena_room) {
        free(p->arena);
        p->arena_room = (2 * needed + 7) & ~(size_t)7; /* whole cache lines, as aligned_alloc wants */
        p->arena = aligned_alloc(64, p->arena_room * sizeof(u64));
        if (!p->arena) abort();
    }
    u64 *at = p->arena;
    for (u32 i = 0; i < p->step_count; at += lanes_needed(p, &p->steps[i++])) p->steps[i].lanes = at;
    return 1;
}

static void set_levels(struct solver *s, struct program *p)
{
    if (s->byte_count + 1 > p->level_of_room) {
        p->level_of_room = s->byte_room + 1;
        p->level_of = resized(p->level_of, p->level_of_room, sizeof *p->level_of);
    }
    memset(p->level_of, 0xff, (s->byte_count + 1) * sizeof *p->level_of); /* FIXED */
    p->widest = 1;
    for (int l = 0; l < p->level_count; l++) {
        struct level *v = &p->levels[l];
        p->level_of[v->byte] = (int16_t)l;
        v->padded = (v->count + 7) & ~7u;
        if (v->padded > p->widest) p->widest = v->padded;
        for (u32 i = v->count; i < v->padded; i++) v->values[i] = v->values[v->count - 1];
    }
}

/* Checks sorted by level (counting sort): those of fixed steps first, then level by level. */
static void sort_checks(struct program *p)
{
    u32 start[MAX_LEVELS + 2] = {0};
    for (u32 i = 0; i < p->check_count; i++) start[p->steps[p->checks[i].step].level + 2]++;
    for (int l = 0; l <= p->level_count; l++) start[l + 1] += start[l];
    for (int l = 0; l < p->level_count; l++) {
        p->levels[l].checks = start[l + 1];
        p->levels[l].check_count = start[l + 2] - start[l + 1];
    }
    for (u32 i = 0; i < p->check_count; i++) p->sorted[start[p->steps[p->checks[i].step].level + 1]++] = p->checks[i];
    struct check *swap = p->checks;
    p->checks = p->sorted;
    p->sorted = swap;
}

int program_arrange(struct solver *s)
{
    struct program *p = s->program;
    u32 filled = 0;
    set_levels(s, p);
    for (u32 i = 0; i < p->step_count; i++) level_step(s, p, &p->steps[i]);
    s->lane_work += STEP_WORK * p->step_count;
    if (!assign_lanes(p)) return 0;
    for (u32 i = 0; i < p->step_count; i++)
        if (p->steps[i].own) compute(s, p, &p->steps[i]);
    for (int l = 0; l < p->level_count; l++) {
        p->levels[l].steps = filled;
        for (u32 i = 0; i < p->step_count; i++)
            if (p->steps[i].level == l && !p->steps[i].own) p->order[filled++] = i;
        p->levels[l].step_count = filled - p->levels[l].steps;
    }
    sort_checks(p);
    return 1;
}

void program_enter(struct solver *s, int level)
{
    struct program *p = s->program;
    const struct level *v = &p->levels[level];
    for (u32 i = 0; i < v->step_count; i++) compute(s, p, &p->steps[p->order[v->steps + i]]);
}

static int check_lane(const struct program *p, const struct check *c, u32 lane)
{
    const struct step *t = &p->steps[c->step];
    if (t->width > 64 && t->lanes[LANES + lane]) return !c->constraint.equal; /* values are of 64 bits */
    return holds(&c->constraint, t->lanes[lane]);
}

/* 64 lanes of a check; branchless, so that it vectorises. */
static u64 check_word(const struct step *t, const struct constraint *c, u32 first)
{
    const u64 *lanes = t->lanes + first;
    u64 same = 0;
    for (u32 i = 0; i < 64; i++) same |= (u64)(lanes[i] == c->value) << i;
    for (u32 i = 0; t->width > 64 && i < 64; i++) /* values are of 64 bits: a larger one differs */
        if (lanes[LANES + i]) same &= ~(1ull << i);
    return c->equal ? same : ~same;
}

struct domain program_filter(struct solver *s, int level)
{
    struct program *p = s->program;
    const struct level *v = &p->levels[level];
    struct domain kept = {{0}};
    for (u32 word = 0; 64 * word < v->count; word++) {
        u32 left = v->count - 64 * word;
        u64 bits = left >= 64 ? ~0ull : (1ull << left) - 1;
        for (u32 k = 0; k < v->check_count && bits; k++) {
            const struct check *c = &p->checks[v->checks + k];
            bits &= check_word(&p->steps[c->step], &c->constraint, 64 * word);
        }
        kept.bits[word] = bits;
    }
    return kept;
}

int program_fixed_hold(const struct solver *s)
{
    const struct program *p = s->program;
    for (u32 i = 0; i < p->check_count && p->steps[p->checks[i].step].level == FIXED; i++)
        if (!check_lane(p, &p->checks[i], 0)) return 0;
    return 1;
}

void program_free(struct program *p)
{
    free(p->step_index);
    free(p->checks);
    free(p->sorted);
    free(p->level_of);
    free(p->arena);
    free(p);
}
