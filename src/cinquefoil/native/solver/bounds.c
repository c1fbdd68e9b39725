/* Interval reasoning: the range of every step, given the ranges of the bytes not chosen yet.
 *
 * Ranges are unsigned and of at most 64 bits; whatever could wrap or is not modelled has the full range of its
 * width.  What the constraints say about a step directly (it equals a value, it is below a constant) narrows its
 * range.  An empty range, or a constraint whose range excludes what it asks for, proves that there is no
 * solution below the current choices.  Proofs only: a constraint that may hold is left to others.
 */
#include "solver/lanes.h"

static struct bound full_range(u32 width) { return (struct bound){0, mask_of(width)}; }
static struct bound point(u64 v) { return (struct bound){v, v}; }
static int is_point(struct bound r) { return r.lo == r.hi; }
static struct bound truth(int surely, int never) { return (struct bound){surely ? 1 : 0, never ? 0 : 1}; }

/* A range of signed order, as offsets from the most negative value; full if it straddles the sign. */
static int to_signed(struct bound *r, u32 width)
{
    u64 flip = 1ull << (width - 1);
    if ((r->lo ^ r->hi) & flip) return 0;
    r->lo ^= flip;
    r->hi ^= flip;
    return 1;
}

static struct bound compare(u32 op, u32 width, struct bound a, struct bound b)
{
    if (op == OP_EQ) return truth(is_point(a) && is_point(b) && a.lo == b.lo, a.hi < b.lo || b.hi < a.lo);
    if (op == OP_SLT || op == OP_SLE) {
        if (!to_signed(&a, width)) a = full_range(width);
        if (!to_signed(&b, width)) b = full_range(width);
    }
    if (op == OP_ULT || op == OP_SLT) return truth(a.hi < b.lo, a.lo >= b.hi);
    return truth(a.hi <= b.lo, a.lo > b.hi);
}

static struct bound sum(struct bound a, struct bound b, u64 mask)
{
    u128 lo = (u128)a.lo + b.lo, hi = (u128)a.hi + b.hi;
    if (lo >> 64 != hi >> 64 || (lo & ~(u128)mask) != (hi & ~(u128)mask)) return (struct bound){0, mask};
    return (struct bound){(u64)lo & mask, (u64)hi & mask};
}

static struct bound difference(struct bound a, struct bound b, u64 mask)
{
    int below = a.lo < b.hi, above = a.hi < b.lo; /* does the smallest, the largest difference borrow */
    if (below != above) return (struct bound){0, mask};
    return (struct bound){(a.lo - b.hi) & mask, (a.hi - b.lo) & mask};
}

static struct bound product(struct bound a, struct bound b, u64 mask)
{
    u128 hi = (u128)a.hi * b.hi;
    return hi > mask ? (struct bound){0, mask} : (struct bound){a.lo * b.lo, (u64)hi};
}

static u64 fill(u64 v) { return v ? ~0ull >> __builtin_clzll(v) : 0; } /* all bits below the highest one */

static struct bound bitwise(u32 op, struct bound a, struct bound b)
{
    if (is_point(a) && is_point(b)) return point(op == OP_AND ? a.lo & b.lo : op == OP_OR ? a.lo | b.lo : a.lo ^ b.lo);
    if (op == OP_AND) return (struct bound){0, a.hi < b.hi ? a.hi : b.hi};
    u64 top = fill(a.hi | b.hi), low = a.lo > b.lo ? a.lo : b.lo;
    return (struct bound){op == OP_OR ? low : 0, top};
}

static struct bound shifted(u32 op, u32 width, struct bound a, struct bound by)
{
    u64 mask = mask_of(width);
    if (!is_point(by) || by.lo >= width) return full_range(width);
    if (op == OP_LSHR) return (struct bound){a.lo >> by.lo, a.hi >> by.lo};
    if (op == OP_ASHR && !(a.hi >> (width - 1))) return (struct bound){a.lo >> by.lo, a.hi >> by.lo};
    if (op == OP_SHL && a.hi <= mask >> by.lo) return (struct bound){a.lo << by.lo, a.hi << by.lo};
    return full_range(width);
}

static struct bound divided(const struct step *t, struct bound a, struct bound b)
{
    int positive = t->op == OP_UDIV || t->op == OP_UREM || !((a.hi | b.hi) >> (t->width - 1));
    if (!b.lo || !positive) return full_range(t->width);
    if (t->op == OP_UDIV || t->op == OP_SDIV) return (struct bound){a.lo / b.hi, a.hi / b.lo};
    if (a.hi < b.lo) return a;
    return (struct bound){0, a.hi < b.hi - 1 ? a.hi : b.hi - 1};
}

static struct bound extended(const struct step *t, struct bound a)
{
    u64 sign = 1ull << (t->from - 1), upper = mask_of(t->width) & ~mask_of(t->from);
    if (t->op == OP_ZEXT || !(a.hi & sign)) return a;
    if (a.lo & sign) return (struct bound){a.lo | upper, a.hi | upper};
    return full_range(t->width);
}

static struct bound extracted(const struct step *t, struct bound a)
{
    u64 lo = a.lo >> t->imm, hi = a.hi >> t->imm, mask = mask_of(t->width);
    return (lo & ~mask) == (hi & ~mask) ? (struct bound){lo & mask, hi & mask} : full_range(t->width);
}

#define MAX_SCAN 512 /* table elements looked at for the range of a read */

static struct bound read_range(const struct solver *s, const struct step *t, struct bound index)
{
    const struct cinq_table *table = &s->tables[t->imm];
    if (table->ids || table->width > 64 || index.hi - index.lo >= MAX_SCAN) return full_range(t->width);
    struct bound r = {~0ull, 0};
    for (u64 i = index.lo;; i++) {
        u64 value = 0;
        if (i < table->count) memcpy(&value, s->pool + table->bytes + i * (table->width / 8), table->width / 8);
        if (value < r.lo) r.lo = value;
        if (value > r.hi) r.hi = value;
        if (i == index.hi) return r;
    }
}

static struct bound choose(struct bound c, struct bound a, struct bound b)
{
    if (is_point(c)) return c.lo ? a : b;
    return (struct bound){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static struct bound forward(const struct solver *s, const struct step *t)
{
    const struct step *steps = s->program->steps;
    struct bound a = steps[t->a].range, b = steps[t->b].range;
    u64 mask = mask_of(t->width);
    if (t->slow) return full_range(t->width);
    switch (t->op) {
    case OP_ADD:
    case OP_PTRADD: return sum(a, b, mask);
    case OP_SUB: return difference(a, b, mask);
    case OP_MUL: return product(a, b, mask);
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM: return divided(t, a, b);
    case OP_AND:
    case OP_OR:
    case OP_XOR: return bitwise(t->op, a, b);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return shifted(t->op, t->width, a, b);
    case OP_EQ:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE: return compare(t->op, t->from, a, b);
    case OP_ITE: return choose(a, b, steps[t->c].range);
    case OP_EXTRACT: return extracted(t, a);
    case OP_CONCAT: return (struct bound){a.lo << (t->width - t->from) | b.lo, a.hi << (t->width - t->from) | b.hi};
    case OP_ZEXT:
    case OP_SEXT: return extended(t, a);
    case OP_CTPOP:
    case OP_CTLZ:
    case OP_CTTZ: return (struct bound){0, t->from};
    case OP_TREAD: return read_range(s, t, a);
    default: return full_range(t->width);
    }
}

static int narrow(struct bound *r, struct bound by)
{
    if (by.lo > r->lo) r->lo = by.lo;
    if (by.hi < r->hi) r->hi = by.hi;
    return r->lo <= r->hi;
}

/* step >= least (or step > least), as signed numbers or not.  A signed fact is a range of unsigned numbers only if
 * it keeps to one side of the sign. */
static void at_least(struct step *t, u64 least, int strict, int is_signed)
{
    u64 top = is_signed ? mask_of(t->width) >> 1 : mask_of(t->width);
    if (least > top || (strict && least == top)) return;
    narrow(&t->known, (struct bound){least + (u64)strict, top});
}

static void at_most(struct step *t, u64 most, int strict, int is_signed)
{
    u64 sign = 1ull << (t->width - 1);
    if (!most || (is_signed && most == sign)) strict = 0;
    if (!is_signed || (most < sign && t->known.hi < sign)) narrow(&t->known, (struct bound){0, most - (u64)strict});
    else if (most >= sign) narrow(&t->known, (struct bound){sign, most - (u64)strict});
}

/* What a comparison that is known to hold, or not to, says about the side that is not constant. */
static void narrow_operands(struct program *p, const struct step *t, u64 value)
{
    struct step *a = &p->steps[t->a], *b = &p->steps[t->b];
    int strict = t->op == OP_ULT || t->op == OP_SLT, is_signed = t->op == OP_SLT || t->op == OP_SLE;
    if (t->op == OP_EQ && value) {
        if (a->op == OP_CONST) narrow(&b->known, point(a->imm));
        if (b->op == OP_CONST) narrow(&a->known, point(b->imm));
    }
    if (t->op < OP_ULT || t->op > OP_SLE) return;
    if (!value) {
        struct step *x = a;
        a = b;
        b = x;
        strict = !strict;
    } /* not a < b: b <= a */
    if (b->op == OP_CONST) at_most(a, b->imm, strict, is_signed);
    if (a->op == OP_CONST) at_least(b, a->imm, strict, is_signed);
}

static int narrow_by_checks(struct program *p)
{
    for (u32 i = 0; i < p->step_count; i++) p->steps[i].known = full_range(p->steps[i].width);
    for (u32 k = 0; k < 2 * p->check_count; k++) { /* twice: signed facts help each other */
        const struct check *check = &p->checks[k % p->check_count];
        struct step *t = &p->steps[check->step];
        if (!check->constraint.equal || t->width > 64) continue;
        narrow(&t->known, point(check->constraint.value));
        if (t->width == 1 && !t->slow) narrow_operands(p, t, check->constraint.value);
    }
    for (u32 i = 0; i < p->step_count; i++)
        if (p->steps[i].known.lo > p->steps[i].known.hi) return 0;
    return 1;
}

/* Every step's range when the levels up to `level` have made their choices; 0 if some range is empty. */
int bounds_below(struct solver *s, int level)
{
    struct program *p = s->program;
    for (u32 i = 0; i < p->step_count; i++) {
        struct step *t = &p->steps[i];
        if (t->level <= level) {
            if (t->width > 64) t->range = full_range(64);
            else t->range = point(t->lanes[t->level == FIXED ? 0 : p->levels[t->level].choice]);
            continue;
        }
        const struct level *v = &p->levels[t->level];
        t->range = t->op == OP_INPUT ? (struct bound){v->values[0], v->values[v->count - 1]} : forward(s, t);
        if (!narrow(&t->range, t->known)) return 0;
    }
    s->lane_work += 8 * p->step_count;
    return 1;
}

int bounds_start(struct solver *s) { return narrow_by_checks(s->program); }
