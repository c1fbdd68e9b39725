/* Known models, nearly: inputs that differ from the witness in little.
 *
 * First the witness itself; then one byte of the goal changed (all values of one byte are tried in one sweep);
 * then the goal's target value pushed down through invertible operations to the bytes below it ("constants
 * written into the input").  Only SAT answers come from here.
 */
#include "solver/lanes.h"

#define MAX_EDITED 64       /* bytes of the goal that are tried one by one */
#define EDIT_BUDGET 2000000 /* lane operations for that */
#define MOST_PUSHES 4096    /* steps looked at while pushing values down: there may be two ways at each of them */

static u64 value_of(const struct program *p, u32 step) { return p->steps[step].lanes[0]; }

/* Evaluates the slice under the model; 0 if it is too large. */
static int evaluated(struct solver *s)
{
    s->program->level_count = 0;
    return program_arrange(s);
}

static int edit_byte(struct solver *s, u32 position)
{
    struct program *p = s->program;
    struct level *v = &p->levels[0];
    const struct domain *d = &s->domains[position];
    p->level_count = 1;
    v->byte = position;
    v->count = 0;
    for (u32 value = 0; value < 256; value++)
        if (d->bits[value >> 6] >> (value & 63) & 1) v->values[v->count++] = (u8)value;
    if (!program_arrange(s) || !program_fixed_hold(s)) return 0;
    struct domain lanes = program_filter(s, 0), good = {{0}};
    for (u32 lane = 0; lane < v->count; lane++)
        if (lanes.bits[lane >> 6] >> (lane & 63) & 1) good.bits[v->values[lane] >> 6] |= 1ull << (v->values[lane] & 63);
    if (!(good.bits[0] | good.bits[1] | good.bits[2] | good.bits[3])) return 0;
    s->model[position] = (u8)liked_value(&good, s->bytes[position]);
    return 1;
}

static int edit_goal_bytes(struct solver *s)
{
    u32 tried = 0;
    u64 limit = s->lane_work + EDIT_BUDGET;
    const struct set *set = &s->sets[s->support[s->goal[0].node]];
    for (u32 i = 0; i < set->count; i++) {
        struct range r = s->ranges[set->first + i];
        for (u32 byte = r.lo; byte <= r.hi && tried < MAX_EDITED && s->lane_work < limit; byte++, tried++)
            if (edit_byte(s, position_of(s, byte))) return 1;
    }
    return 0;
}

/* ---- pushing a value down -------------------------------------------------- */
static int push_down(struct solver *s, u32 step, u64 target, int depth);

static u64 inverse(u64 odd)
{ /* modulo 2^64, by Newton's iteration */
    u64 x = odd;
    for (int i = 0; i < 6; i++) x *= 2 - odd * x;
    return x;
}

static int push_product(struct solver *s, u32 step, u64 factor, u64 target, u64 mask, int depth)
{
    if (!factor) return 0;
    u32 zeros = (u32)__builtin_ctzll(factor);
    if (target & ((1ull << zeros) - 1)) return 0;
    if (target % factor == 0) return push_down(s, step, target / factor, depth);
    return push_down(s, step, (target >> zeros) * inverse(factor >> zeros) & mask, depth);
}

static int push_arithmetic(struct solver *s, const struct step *t, u64 target, int depth)
{
    struct program *p = s->program;
    u64 a = value_of(p, t->a), b = value_of(p, t->b), mask = mask_of(t->width);
    u64 for_a = t->op == OP_SUB ? target + b : t->op == OP_XOR ? target ^ b : target - b;
    u64 for_b = t->op == OP_SUB ? a - target : t->op == OP_XOR ? target ^ a : target - a;
    if (t->op == OP_MUL)
        return push_product(s, t->a, b, target, mask, depth) || push_product(s, t->b, a, target, mask, depth);
    return push_down(s, t->a, for_a & mask, depth) || push_down(s, t->b, for_b & mask, depth);
}

static int push_comparison(struct solver *s, const struct step *t, u64 target, int depth)
{
    struct program *p = s->program;
    u64 a = value_of(p, t->a), b = value_of(p, t->b), mask = mask_of(t->from);
    int strict = t->op == OP_ULT || t->op == OP_SLT;
    u64 gap = strict ? (target ? 1 : 0) : (target ? 0 : 1);
    if (t->op == OP_EQ) gap = target ? 0 : 1;
    u64 for_a = target ? b - gap : b + gap, for_b = target ? a + gap : a - gap;
    return push_down(s, t->a, for_a & mask, depth) || push_down(s, t->b, for_b & mask, depth);
}

static int push_bits(struct solver *s, const struct step *t, u64 target, int depth)
{
    struct program *p = s->program;
    u64 a = value_of(p, t->a), b = value_of(p, t->b), mask = mask_of(t->width);
    switch (t->op) {
    case OP_AND: return !(target & ~b) && push_down(s, t->a, (a & ~b) | target, depth);
    case OP_OR: return (target & b) == b && push_down(s, t->a, (a & b) | (target & ~b), depth);
    case OP_SHL: return b < t->width && push_down(s, t->a, (target >> b) | (a & ~(mask >> b)), depth);
    case OP_LSHR: return b < t->width && push_down(s, t->a, (target << b & mask) | (a & ((1ull << b) - 1)), depth);
    default: return b && push_down(s, t->a, target * b & mask, depth); /* UDIV */
    }
}

static int push_index(struct solver *s, const struct step *t, u64 target, int depth)
{
    const struct cinq_table *table = &s->tables[t->imm];
    u32 size = table->width / 8, tried = 0;
    for (u32 i = 0; i < table->count && tried < 4; i++) {
        u64 value = 0;
        memcpy(&value, s->pool + table->bytes + (u64)i * size, size);
        if (value == target && (tried++, push_down(s, t->a, i, depth))) return 1;
    }
    return 0;
}

static int push_down(struct solver *s, u32 step, u64 target, int depth)
{
    struct program *p = s->program;
    const struct step *t = &p->steps[step];
    u64 a = t->a || t->from ? value_of(p, t->a) : 0;
    if (t->slow || target > mask_of(t->width) || depth-- == 0 || p->pushes == 0) return 0;
    p->pushes--;
    switch (t->op) {
    case OP_CONST: return t->imm == target;
    case OP_INPUT: s->model[position_of(s, (u32)t->imm)] = (u8)target; return 1;
    case OP_ZEXT: return push_down(s, t->a, target, depth);
    case OP_SEXT: {
        u64 low = target & mask_of(t->from), sign = low >> (t->from - 1) & 1;
        return target == (sign ? low | (mask_of(t->width) & ~mask_of(t->from)) : low) && push_down(s, t->a, low, depth);
    }
    case OP_EXTRACT: return push_down(s, t->a, (a & ~(mask_of(t->width) << t->imm)) | target << t->imm, depth);
    case OP_CONCAT: {
        u32 low = t->width - t->from;
        return push_down(s, t->a, target >> low, depth) && push_down(s, t->b, target & mask_of(low), depth);
    }
    case OP_ITE: return push_down(s, a ? t->b : t->c, target, depth);
    case OP_ADD:
    case OP_PTRADD:
    case OP_SUB:
    case OP_XOR:
    case OP_MUL: return push_arithmetic(s, t, target, depth);
    case OP_EQ:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE: return push_comparison(s, t, target, depth);
    case OP_AND:
    case OP_OR:
    case OP_SHL:
    case OP_LSHR:
    case OP_UDIV: return push_bits(s, t, target, depth);
    case OP_TREAD: return push_index(s, t, target, depth);
    default: return 0;
    }
}

static int write_constants(struct solver *s)
{
    s->program->pushes = MOST_PUSHES;
    for (u32 i = 0; i < s->goal_count; i++) {
        const struct constraint *g = &s->goal[i];
        u64 target = g->equal ? g->value : (g->value ^ 1) & mask_of(s->nodes[g->node].width);
        if (!push_down(s, step_index_of(s->program, g->node), target, 64)) return 0;
    }
    return evaluated(s) && program_fixed_hold(s);
}

int cinq_edits(struct solver *s)
{
    if (!s->goal_count || !program_load_slice(s) || !evaluated(s)) return UNKNOWN;
    if (program_fixed_hold(s)) return SAT;
    u8 *saved = resized(0, s->byte_count, 1);
    memcpy(saved, s->model, s->byte_count);
    int found = write_constants(s);
    if (!found) {
        memcpy(s->model, saved, s->byte_count);
        found = edit_goal_bytes(s);
    }
    if (!found) memcpy(s->model, saved, s->byte_count);
    free(saved);
    return found ? SAT : UNKNOWN;
}

int cinq_try_model(struct solver *s)
{
    if (!program_load_slice(s) || !evaluated(s)) return UNKNOWN;
    return program_fixed_hold(s) ? SAT : UNSAT;
}
