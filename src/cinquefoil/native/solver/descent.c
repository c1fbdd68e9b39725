/* Basin hopping over inputs: minimises the objective of some constraints (MuSE, section 3.4).
 *
 * A descent goes variable by variable: first to where a violated comparison would change its outcome if the
 * expressions were linear (a secant step), then by steps of powers of two, largest first, in the order of the
 * numbers (for floating point: units in the last place).  In a local minimum a few variables are changed at
 * random and the descent goes on from there or, now and then, from a worse point.
 *
 * Partial solutions are the local minima, and the first point met for every constraint that is the first one it
 * violates: points that leave the path at different branches.
 */
#include "common/map.h"
#include "eval.h"
#include "solver/objective.h"

#define ROWS 256
#define MOST_TERMS 6 /* comparisons of a variable that get a secant step */

struct descent {
    struct objective o;
    u64 random, budget;
    double current;
    u64 best[OB_VARIABLES];
    u32 order[OB_VARIABLES]; /* variables by their position in the input */
    u32 *seen, seen_stamp; /* first violated constraints met */
    u64 seen_room;
    u8 *rows;
    u64 hashes[ROWS];
    u32 row_count, row_size;
    u64 row_room;
    u32 minima;
    /* of a sweep: */
    struct constraint *path;
    u64 path_room;
    struct keys edges; /* branches taken or handed out */
    u64 *branches; /* per constraint, the edge that violating it takes */
    u64 branch_room;
};

static u64 draw(struct descent *d)
{
    d->random ^= d->random << 13;
    d->random ^= d->random >> 7;
    d->random ^= d->random << 17;
    return d->random;
}

static u32 bits_in(const struct variable *v) { return 8 * v->count; }
static int spent(const struct descent *d) { return d->o.work >= d->budget; }

/* ---- partial solutions ----------------------------------------------------------- */
static void keep_row(struct descent *d)
{
    u64 hash = 0;
    for (u32 v = 0; v < d->o.variable_count; v++) hash = mix(hash ^ d->o.value[v]) + v;
    for (u32 i = 0; i < d->row_count; i++)
        if (d->hashes[i] == hash) return;
    if (d->row_count == ROWS) return;
    u8 *row = d->rows + (size_t)d->row_count * d->row_size;
    for (u32 v = 0; v < d->o.variable_count; v++) {
        memcpy(row, &d->o.value[v], d->o.variables[v].count);
        row += d->o.variables[v].count;
    }
    d->hashes[d->row_count++] = hash;
}

static void note(struct descent *d)
{
    u32 first = objective_first_violated(&d->o);
    if (first == d->o.limit || d->seen[first] == d->seen_stamp) return; /* a solution is kept at the end */
    d->seen[first] = d->seen_stamp;
    keep_row(d);
}

/* ---- moves ------------------------------------------------------------------------- */
static int try_value(struct solver *s, struct descent *d, u32 v, u64 value)
{
    u64 old = d->o.value[v];
    double before = d->current;
    if (value == old || spent(d)) return 0;
    double total = objective_change(s, &d->o, v, value);
    note(d);
    if (total < before) {
        d->current = total;
        return 1;
    }
    objective_restore(&d->o, v, old, before);
    return 0;
}

static u64 stepped(const struct variable *v, u64 value, u64 step, int up)
{
    u32 width = bits_in(v);
    if (!v->real) return (up ? value + step : value - step) & mask_of(width);
    u64 infinity = width == 32 ? 0x7f800000 : 0x7ff0000000000000, sign = 1ull << (width - 1);
    u64 at = ordered_of(value, width), low = sign - infinity, high = sign + infinity;
    if (at < low || at > high) at = sign; /* a NaN: start from zero */
    if (up) at = step > high - at ? high : at + step;
    else at = step > at - low ? low : at - step;
    return bits_of(at, width);
}

static int ladder(struct solver *s, struct descent *d, u32 v)
{
    const struct variable *x = &d->o.variables[v];
    int improved = 0;
    for (int k = (int)bits_in(x) - 1; k >= 0 && d->current > 0 && !spent(d); k--)
        for (int up = 1; up >= 0; up--)
            while (try_value(s, d, v, stepped(x, d->o.value[v], 1ull << k, up))) improved = 1;
    return improved;
}

static double number_of(const struct variable *v, u64 value)
{
    u32 width = bits_in(v);
    if (v->real) return (double)cinq_widen(width, value);
    return width < 32 ? (double)value : (double)(i64)cinq_sign(value, width);
}

static u64 value_for(const struct variable *v, double x)
{
    u32 width = bits_in(v);
    if (v->real) return (u64)cinq_narrow(width, x);
    if (!(x > -9.2e18 && x < 9.2e18)) return 0;
    return (u64)(i64)x & mask_of(width);
}

/* How far the left side of a comparison is above the right one. */
static double gap_of(const struct objective *o, const struct term *t)
{
    u128 a = (u128)o->high[t->a] << 64 | o->low[t->a], b = (u128)o->high[t->b] << 64 | o->low[t->b];
    if (t->kind == TERM_VALUE) b = t->value;
    if (t->op >= OP_FOEQ) return (double)(cinq_widen(t->width, a) - cinq_widen(t->width, b));
    if (t->op == OP_SLT || t->op == OP_SLE)
        return (double)(i64)cinq_sign(a, t->width) - (double)(i64)cinq_sign(b, t->width);
    return (double)(u64)a - (double)(u64)b;
}

static int near(struct solver *s, struct descent *d, u32 v, double target)
{
    const struct variable *x = &d->o.variables[v];
    double nudge = x->real ? (target < 0 ? -target : target) * 1e-9 + 1e-12 : 1;
    double tries[] = {target, target + nudge, target - nudge, target + 1, target - 1};
    int improved = 0;
    if (!(target - target == 0)) return 0; /* not finite */
    for (u32 i = 0; i < 5 && d->current > 0; i++) improved |= try_value(s, d, v, value_for(x, tries[i]));
    return improved;
}

static int secant(struct solver *s, struct descent *d, u32 v, const struct term *t)
{
    const struct variable *x = &d->o.variables[v];
    u64 old = d->o.value[v];
    double before = d->current, at = number_of(x, old), gap = gap_of(&d->o, t);
    if (!(at - at == 0) || !(gap - gap == 0)) return 0;
    double size = at < 0 ? -at : at, step = x->real ? (size > 1e-3 ? size : 1) * 1e-4 : 1;
    objective_change(s, &d->o, v, value_for(x, at + step));
    note(d);
    double moved = number_of(x, d->o.value[v]) - at, slope = (gap_of(&d->o, t) - gap) / moved;
    objective_restore(&d->o, v, old, before);
    if (!(slope - slope == 0) || slope == 0) return 0;
    return near(s, d, v, at - gap / slope);
}

static int improve(struct solver *s, struct descent *d, u32 v)
{
    const struct variable *x = &d->o.variables[v];
    u32 tried = 0;
    int improved = 0;
    for (u32 k = 0; k < x->constraint_count && tried < MOST_TERMS && d->current > 0; k++) {
        u32 c = d->o.touched[x->constraints + k];
        for (u32 t = d->o.first_term[c]; t < d->o.first_term[c + 1] && d->o.distance[c] > 0 && tried < MOST_TERMS; t++)
            if (d->o.terms[t].kind <= TERM_VALUE && !spent(d)) {
                improved |= secant(s, d, v, &d->o.terms[t]);
                tried++;
            }
    }
    return d->current > 0 ? improved | ladder(s, d, v) : 1;
}

static int matters(const struct descent *d, u32 v)
{ /* does a violated constraint depend on it */
    const struct variable *x = &d->o.variables[v];
    for (u32 k = 0; k < x->constraint_count; k++)
        if (d->o.distance[d->o.touched[x->constraints + k]] > 0) return 1;
    return 0;
}

static void descend(struct solver *s, struct descent *d)
{
    int improved = 1;
    while (improved && d->current > 0 && !spent(d)) {
        improved = 0;
        for (u32 k = 0; k < d->o.variable_count && d->current > 0; k++)
            if (matters(d, d->order[k])) improved |= improve(s, d, d->order[k]);
    }
    d->minima++;
    keep_row(d);
}

/* ---- hopping ------------------------------------------------------------------------ */
static const double special_reals[] = {0, -0.0, 1, -1, 0.5, 2, 1e-8, 1e8, 1e300, 5e-324, -1e300, 1e-300};

static u64 special(struct descent *d, const struct variable *v)
{
    u32 width = bits_in(v);
    u64 pick = draw(d) % 15;
    if (!v->real)
        return (pick < 3   ? pick - 1
                : pick < 5 ? (1ull << (width - 1)) - (pick - 3)
                           : 1ull << draw(d) % width) &
               mask_of(width);
    if (pick < 12) return value_for(v, special_reals[pick]);
    u64 infinity = width == 32 ? 0x7f800000 : 0x7ff0000000000000;
    return pick == 12   ? infinity
           : pick == 13 ? infinity | 1ull << (width - 1)
                        : infinity | 1ull << (width == 32 ? 22 : 51);
}

static u64 other_value(struct descent *d, const struct variable *v)
{ /* of a variable of the same size, moved a little */
    const struct objective *o = &d->o;
    for (int i = 0; i < 4; i++) {
        u32 other = (u32)(draw(d) % o->variable_count);
        if (o->variables[other].count == v->count) return stepped(v, o->value[other], draw(d) % 2, 1);
    }
    return draw(d) & mask_of(bits_in(v));
}

static u64 anything(struct descent *d, u32 index)
{
    const struct variable *v = &d->o.variables[index];
    u64 value = d->o.value[index], small = draw(d) % 33;
    double x = number_of(v, value);
    switch (draw(d) % 8) {
    case 0:
        return d->o.pool_count ? stepped(v, d->o.pool[draw(d) % d->o.pool_count] & mask_of(bits_in(v)), draw(d) % 2,
                                         (int)(draw(d) % 2))
                               : 0;
    case 1: return value_for(v, (double)(i64)small - 16);
    case 2: return special(d, v);
    case 3: return other_value(d, v);
    case 4: return value_for(v, draw(d) % 2 ? x * 2 : x / 2);
    case 5: return value_for(v, -x);
    case 6: return stepped(v, value, 1ull << draw(d) % bits_in(v), (int)(draw(d) % 2));
    default:
        return v->real ? value_for(v, ((double)(draw(d) >> 11) / 9007199254740992.0 - 0.5) * 200)
                       : draw(d) & mask_of(bits_in(v));
    }
}

static void jump(struct solver *s, struct descent *d)
{
    u32 changes = 1 + (u32)(draw(d) % 3), chosen = 0;
    for (u32 tries = 0; tries < 16 && chosen < changes; tries++) {
        u32 v = (u32)(draw(d) % d->o.variable_count);
        if (!matters(d, v) && draw(d) % 4) continue;
        d->o.value[v] = anything(d, v);
        chosen++;
    }
    d->current = objective_all(s, &d->o);
    note(d);
}

static int accepts(struct descent *d, double best)
{ /* Metropolis, with a small table instead of exp */
    static const u32 chance[] = {100, 60, 37, 22, 14, 8, 5, 3, 2, 1};
    double worse = d->current - best;
    if (worse <= 0) return 1;
    return worse < 10 && draw(d) % 100 < chance[(u32)worse] / 2;
}

static void hop(struct solver *s, struct descent *d)
{
    double best = d->current;
    memcpy(d->best, d->o.value, sizeof d->best);
    while (d->current > 0 && !spent(d)) {
        jump(s, d);
        descend(s, d);
        if (accepts(d, best)) {
            best = d->current;
            memcpy(d->best, d->o.value, sizeof d->best);
        } else {
            memcpy(d->o.value, d->best, sizeof d->best);
            d->current = objective_all(s, &d->o);
        }
    }
}

/* ---- entry points -------------------------------------------------------------------- */
static void start_values(struct descent *d, const u8 *input, u64 size)
{
    for (u32 v = 0; v < d->o.variable_count; v++) {
        const struct variable *x = &d->o.variables[v];
        d->o.value[v] = 0;
        for (u32 i = 0; i < x->count; i++)
            if (x->bytes[i] < size) d->o.value[v] |= (u64)input[x->bytes[i]] << 8 * i;
    }
}

static void start_from(struct solver *s, struct descent *d, const u8 *input, u64 size)
{
    start_values(d, input, size);
    d->current = objective_all(s, &d->o);
    note(d);
}

static void sort_variables(struct descent *d)
{
    for (u32 i = 0; i < d->o.variable_count; i++) {
        u32 k = i;
        for (; k && d->o.variables[d->order[k - 1]].bytes[0] > d->o.variables[i].bytes[0]; k--)
            d->order[k] = d->order[k - 1];
        d->order[k] = i;
    }
}

static void prepare(struct descent *d, u64 seed, u64 budget)
{
    sort_variables(d);
    d->seen = grown_with_zeros(d->seen, &d->seen_room, d->o.count + 1, sizeof(u32));
    d->seen_stamp++;
    d->row_count = d->row_size = d->minima = 0;
    for (u32 v = 0; v < d->o.variable_count; v++) d->row_size += d->o.variables[v].count;
    d->rows = grown(d->rows, &d->row_room, ROWS * (d->row_size + 1), 1);
    d->random = mix(seed) | 1;
    d->o.work = 0;
    d->budget = budget;
}

int cinq_descend(struct solver *s, const struct constraint *constraints, u32 count, const u8 *witness, u64 size,
                 u64 seed, u64 budget, u64 from_zero)
{
    if (!s->descent) s->descent = zeros(1, sizeof *s->descent);
    struct descent *d = s->descent;
    d->row_count = 0;
    d->o.work = 0;
    if (!objective_load(s, &d->o, constraints, count) || !d->o.variable_count) return UNKNOWN;
    prepare(d, seed, from_zero);
    if (from_zero) {
        start_from(s, d, witness, 0);
        descend(s, d);
    }
    d->budget = budget;
    if (!from_zero || d->current > 0) {
        start_from(s, d, witness, size);
        descend(s, d);
        hop(s, d);
    }
    if (d->current > 0) return UNKNOWN;
    d->row_count -= d->row_count == ROWS;
    memset(d->hashes, 0, sizeof d->hashes); /* the solution is kept even if it was met before */
    keep_row(d);
    return SAT;
}

u32 cinq_descent_inputs(const struct solver *s, u32 *out)
{
    u32 n = 0;
    for (u32 v = 0; v < s->descent->o.variable_count; v++)
        for (u32 i = 0; i < s->descent->o.variables[v].count; i++, n++)
            if (out) out[n] = s->descent->o.variables[v].bytes[i];
    return n;
}
const u8 *cinq_descent_rows(const struct solver *s) { return s->descent->rows; }
u32 cinq_descent_count(const struct solver *s) { return s->descent->row_count; }
u64 cinq_descent_work(const struct solver *s) { return s->descent ? s->descent->o.work : 0; }
u32 cinq_descent_minima(const struct solver *s) { return s->descent->minima; }

/* ---- sweeping a path -------------------------------------------------------------------
 * One load of a path's constraints, then for each of them a short descent to an input that satisfies those before it
 * and violates it: many branches for one call.  A branch is known by the hash of the path up to it; those that were
 * taken or handed out before are left out. */
static int edge_known(struct descent *d, u64 key, int add)
{
    if (!d->edges.room) d->edges = keys_new(4096);
    int known = keys_has(&d->edges, key | 1);
    if (add) keys_add(&d->edges, key | 1);
    return known;
}

/* The path's constraints, each node once, and the hashes of its branches. */
static u32 take_path(struct solver *s, struct descent *d, const u32 *nodes, const u64 *values, u32 length, u32 asked,
                     u32 most)
{
    u32 count = 0;
    u64 hash = 0x9e3779b97f4a7c15ull;
    u32 stamp = ++d->o.stamp;
    for (u32 i = 0; i < length && count < most; i++) {
        u32 node = nodes[i];
        if (!node || d->o.slot[node] >> 32 == stamp || !set_of(s, node).count) continue;
        d->o.slot[node] = (u64)stamp << 32;
        d->path = grown(d->path, &d->path_room, count + 1, sizeof *d->path);
        d->branches = grown(d->branches, &d->branch_room, count + 1, sizeof(u64));
        d->path[count] = (struct constraint){node, 1, values[i]};
        d->branches[count] = mix(hash ^ node) ^ (s->nodes[node].width == 1 ? mix(values[i] ^ 1) : 77);
        if (i == asked) edge_known(d, d->branches[count], 1);
        hash = mix(hash ^ node) ^ mix(values[i]);
        if (s->nodes[node].width == 1) edge_known(d, hash, 1);
        count++;
    }
    return count;
}

static int every_byte(struct solver *s, struct descent *d, u32 v)
{
    for (u64 value = 0; value < 256 && d->current > 0; value++)
        if (try_value(s, d, v, value)) return 1;
    return 0;
}

static void turn_at(struct solver *s, struct descent *d, u32 c)
{
    for (u32 k = 0; k < d->o.variable_count && d->current > 0; k++) {
        u32 v = d->order[k];
        if (!(d->o.needs[(size_t)c * OB_WORDS + v / 64] >> (v % 64) & 1)) continue;
        improve(s, d, v);
        if (d->current > 0 && d->o.variables[v].count == 1) every_byte(s, d, v);
    }
}

static void back_to_witness(struct solver *s, struct descent *d)
{
    for (u32 v = 0; v < d->o.variable_count; v++)
        if (d->o.value[v] != d->best[v]) objective_change(s, &d->o, v, d->best[v]);
}

u32 cinq_sweep_load(struct solver *s, const u32 *nodes, const u64 *values, u32 length, u32 asked, u32 longest)
{
    if (!s->descent) s->descent = zeros(1, sizeof *s->descent);
    struct descent *d = s->descent;
    d->row_count = 0;
    d->o.work = 0;
    objective_room(s, &d->o);
    u32 count = take_path(s, d, nodes, values, length, asked, longest);
    while (count && !objective_load(s, &d->o, d->path, count)) count /= 2;
    return d->o.variable_count ? count : 0;
}

int cinq_screen(struct solver *s, const u8 *input, u64 size)
{
    struct descent *d = s->descent;
    start_values(d, input, size);
    objective_all(s, &d->o);
    u32 first = objective_first_violated(&d->o);
    return first < d->o.limit ? (int)(2 * first) + !edge_known(d, d->branches[first], 1) : -1;
}

int cinq_sweep(struct solver *s, const u8 *witness, u64 size, u64 budget, u64 each, u32 most)
{
    struct descent *d = s->descent;
    u32 count = d->o.count;
    prepare(d, count, budget);
    start_from(s, d, witness, size);
    if (d->current > 0) return UNKNOWN; /* not this path's witness */
    memcpy(d->best, d->o.value, sizeof d->best);
    for (u32 c = 0; c < count; c++)
        if (edge_known(d, d->branches[c], 0)) d->seen[c] = d->seen_stamp;
    for (u32 c = 0; c < count && d->row_count < most && d->o.work < budget; c++) {
        if (d->seen[c] == d->seen_stamp) continue;
        d->budget = d->o.work + each < budget ? d->o.work + each : budget;
        objective_flip(&d->o, c);
        d->current = d->o.total;
        turn_at(s, d, c);
        edge_known(d, d->branches[c], 1); /* once tried is enough */
        back_to_witness(s, d);
        objective_undo_flip(&d->o, c);
    }
    return UNKNOWN;
}

double cinq_objective(struct solver *s, const struct constraint *constraints, u32 count, const u8 *input, u64 size)
{
    if (!s->descent) s->descent = zeros(1, sizeof *s->descent);
    if (!objective_load(s, &s->descent->o, constraints, count)) return -1;
    prepare(s->descent, 0, 0);
    start_from(s, s->descent, input, size);
    return s->descent->current;
}

void descent_free(struct descent *d)
{
    objective_free(&d->o);
    free(d->seen);
    free(d->rows);
    free(d->path);
    keys_free(&d->edges);
    free(d->branches);
    free(d);
}
