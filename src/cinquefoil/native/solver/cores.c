/* Cores: a few conditions that contradict each other, whatever else holds.
 *
 * A refuted query leaves one: the goal, and those constraints that its solutions violate, added until none is left, then
 * taken out again one by one as long as there is none.  A later query, or an untaken branch of a new run, whose
 * constraints contain a core has no solution either.  As a path's own input satisfies all of its constraints, a core
 * among them must have a condition of the goal: cores are found by each of theirs.  The newest replace the oldest.
 */
#include "solver/cores.h"

#define CORES 16384
#define BUCKETS 16384
#define WAYS 6
#define MOST 8          /* conditions of a core */
#define MOST_GROWN 48   /* before it is minimised */
#define WORK 40000      /* lane operations to find one: on tiffinfo more of them cost more than cores saved */
#define SMALL 3         /* slices of so few constraints are taken as they are */

struct core {
    u32 count;
    struct constraint of[MOST];
};
struct cores {
    struct core all[CORES];
    u32 buckets[BUCKETS][WAYS]; /* numbers of cores, from 1 on; the first is the newest */
    u32 next;
};

void cores_free(struct cores *k) { free(k); }

static u32 *bucket(struct cores *k, const struct constraint *c)
{
    return k->buckets[mix(c->node ^ (u64)c->equal << 32 ^ mix(c->value)) & (BUCKETS - 1)];
}

static void learn(struct solver *s, const struct constraint *conditions, u32 count)
{
    if (!count || count > MOST) return;
    if (!s->cores) s->cores = zeros(1, sizeof *s->cores);
    struct cores *k = s->cores;
    u32 number = 1 + k->next++ % CORES;
    struct core *core = &k->all[number - 1];
    core->count = count;
    memcpy(core->of, conditions, count * sizeof *conditions);
    for (u32 i = 0; i < count; i++) {
        u32 *way = bucket(k, &conditions[i]);
        memmove(way + 1, way, (WAYS - 1) * sizeof *way);
        way[0] = number;
    }
}

static int same(const struct constraint *a, const struct constraint *b)
{
    return a->node == b->node && a->equal == b->equal && a->value == b->value;
}

static int among(const struct constraint *all, u32 count, const struct constraint *c)
{
    for (u32 i = 0; i < count; i++)
        if (same(&all[i], c)) return 1;
    return 0;
}

/* A bucket may hold cores of other conditions, and of those that were replaced. */
int core_refutes(struct solver *s, const struct constraint *goal, holding *known, const void *path)
{
    if (!s->cores) return 0;
    const u32 *way = bucket(s->cores, goal);
    for (u32 w = 0; w < WAYS && way[w]; w++) {
        const struct core *core = &s->cores->all[way[w] - 1];
        u32 i = 0;
        if (!among(core->of, core->count, goal)) continue;
        while (i < core->count && (same(&core->of[i], goal) || known(s, path, &core->of[i]))) i++;
        if (i == core->count) return 1;
    }
    return 0;
}

static int implies(const struct constraint *known, const struct constraint *c)
{
    return known->equal ? holds(c, known->value) : !c->equal && c->value == known->value;
}

/* Does a constraint of the slice, which is in the order of nodes, say so? */
static int in_slice(struct solver *s, const void *path, const struct constraint *c)
{
    u32 lo = 0, hi = s->slice_count;
    (void)path;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (s->slice[mid].node < c->node) lo = mid + 1;
        else hi = mid;
    }
    for (; lo < s->slice_count && s->slice[lo].node == c->node; lo++)
        if (implies(&s->slice[lo], c)) return 1;
    return 0;
}

int cinq_contains_core(struct solver *s)
{
    for (u32 i = 0; i < s->goal_count; i++)
        if (core_refutes(s, &s->goal[i], in_slice, 0)) return UNSAT;
    return UNKNOWN;
}

void cinq_learn_core(struct solver *s, const u32 *rows, u32 count)
{
    struct constraint conditions[MOST];
    if (count > MOST) return;
    for (u32 i = 0; i < count; i++) conditions[i] = s->slice[rows[i]];
    learn(s, conditions, count);
}

/* ---- finding one ---- */

struct finder {
    struct constraint chosen[MOST_GROWN];
    u32 count;
    struct constraint *slice; /* the whole one */
    u32 slice_count;
    u8 *witness;
    u64 limit;
};

/* Decides some conditions alone; a solution is left in the model. */
static int decided(struct solver *s, const struct finder *f, struct constraint *conditions, u32 count)
{
    if (s->lane_work >= f->limit) return UNKNOWN;
    s->slice = conditions;
    s->slice_count = count;
    s->query++;
    memcpy(s->model, f->witness, s->byte_count);
    int verdict = cinq_domains(s);
    if (verdict == UNKNOWN) verdict = cinq_search(s, f->limit - s->lane_work);
    s->slice = f->slice;
    s->slice_count = f->slice_count;
    return verdict;
}

/* Adds constraints that the model violates, at most so many; 0 if there is none, or no room. */
static int add_violated(struct solver *s, struct finder *f, u32 most)
{
    u32 added = 0, size = s->byte_count ? s->bytes[s->byte_count - 1] + 1 : 0;
    u8 *input = zeros(size + 1, 1);
    u32 *rows = zeros(s->slice_count + 1, sizeof *rows);
    for (u32 i = 0; i < s->byte_count; i++) input[s->bytes[i]] = s->model[i];
    u32 count = cinq_violated(s, input, size, rows);
    for (u32 i = 0; i < count && added < most && f->count < MOST_GROWN; i++, added++)
        f->chosen[f->count++] = s->slice[rows[i]];
    free(input);
    free(rows);
    s->lane_work += 64 * s->slice_count;
    return added != 0;
}

static void minimise(struct solver *s, struct finder *f)
{
    struct constraint rest[MOST_GROWN];
    for (u32 i = f->count; i-- > 0;) {
        memcpy(rest, f->chosen, i * sizeof *rest);
        memcpy(rest + i, f->chosen + i + 1, (f->count - i - 1) * sizeof *rest);
        if (decided(s, f, rest, f->count - 1) == UNSAT) memcpy(f->chosen, rest, --f->count * sizeof *rest);
    }
}

static void grow(struct solver *s, struct finder *f)
{
    int verdict;
    for (u32 more = 1; (verdict = decided(s, f, f->chosen, f->count)) == SAT; more *= 2)
        if (!add_violated(s, f, more)) return;
    if (verdict != UNSAT) return;
    minimise(s, f);
    learn(s, f->chosen, f->count);
}

void cinq_find_core(struct solver *s)
{
    struct finder f = {.slice = s->slice, .slice_count = s->slice_count, .limit = s->lane_work + WORK};
    if (s->slice_count <= SMALL) learn(s, s->slice, s->slice_count);
    if (s->slice_count <= SMALL || s->goal_count > MOST || !s->byte_count) return;
    f.witness = zeros(s->byte_count, 1);
    memcpy(f.witness, s->model, s->byte_count);
    for (u32 i = 0; i < s->goal_count; i++) f.chosen[f.count++] = s->goal[i];
    grow(s, &f);
    memcpy(s->model, f.witness, s->byte_count);
    free(f.witness);
    s->query++;
}
