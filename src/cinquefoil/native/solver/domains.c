/* Byte domains: for a constraint over one input byte, the set of values that satisfy it; intersected per byte.
 *
 * Complete for slices whose constraints are all over single bytes, unless the work for it is more than is allowed.
 * Sets are memoised by constraint, values of shared expressions by node (columns.c).
 */
#include "solver/lanes.h"

#define WORK_OF_A_QUERY 1500000 /* lane operations: about a millisecond */

int single_byte(struct solver *s, u32 node, u32 *byte)
{
    struct set set = set_of(s, node);
    const struct range *r = s->ranges + set.first;
    if (set.count != 1 || r->lo != r->hi) return 0;
    *byte = r->lo;
    return 1;
}

static struct domain equals(const u64 *values, u64 value, int wide)
{
    struct domain out;
    for (int w = 0; w < 4; w++) {
        const u64 *lanes = values + 64 * w;
        u64 same = 0;
        for (u32 i = 0; i < 64; i++) same |= (u64)(lanes[i] == value) << i;
        for (u32 i = 0; wide && i < 64; i++)
            if (lanes[LANES + i]) same &= ~(1ull << i); /* values are of 64 bits */
        out.bits[w] = same;
    }
    return out;
}

/* The values for which a constraint over one byte holds, from the memo if they are there. */
static enum found recall(struct solver *s, const struct constraint *c, struct domain *out)
{
    if (!s->domain_memos) s->domain_memos = zeros(MEMO, sizeof *s->domain_memos);
    struct domain_memo *m = &s->domain_memos[mix(c->node ^ mix(c->value)) & (MEMO - 1)];
    if (m->node != c->node || m->value != c->value) {
        const u64 *values;
        enum found found = column_of(s, c->node, &values);
        if (found != HERE) return found;
        *m = (struct domain_memo){c->node, c->value, equals(values, c->value, s->nodes[c->node].width > 64)};
    }
    for (int w = 0; w < 4; w++) out->bits[w] = c->equal ? m->domain.bits[w] : ~m->domain.bits[w];
    return HERE;
}

/* The values that satisfy a constraint over one byte; 0 if that is not to be had.  A condition and its opposite share
 * a memo. */
int single_byte_domain(struct solver *s, struct constraint c, struct domain *out)
{
    if (s->nodes[c.node].width == 1 && c.value == 0) c = (struct constraint){c.node, !c.equal, 1};
    return recall(s, &c, out) == HERE;
}

static int empty(const struct domain *d) { return !(d->bits[0] | d->bits[1] | d->bits[2] | d->bits[3]); }
static int has(const struct domain *d, u32 value) { return d->bits[value >> 6] >> (value & 63) & 1; }

int cinq_domains(struct solver *s)
{
    int complete = 1;
    columns_allow(s, WORK_OF_A_QUERY);
    s->domains_complete = 1;
    memset(s->domains, 0xff, s->byte_count * sizeof *s->domains);
    for (u32 i = 0; i < s->slice_count; i++) {
        u32 byte;
        if (!single_byte(s, s->slice[i].node, &byte)) {
            complete = 0;
            continue;
        }
        struct domain allowed, *d = &s->domains[position_of(s, byte)];
        if (!single_byte_domain(s, s->slice[i], &allowed)) {
            complete = s->domains_complete = 0;
            continue;
        }
        for (int w = 0; w < 4; w++) d->bits[w] &= allowed.bits[w];
        if (empty(d)) return UNSAT;
    }
    if (!complete) return UNKNOWN;
    for (u32 i = 0; i < s->byte_count; i++)
        if (!has(&s->domains[i], s->model[i])) s->model[i] = (u8)liked_value(&s->domains[i], s->bytes[i]);
    return SAT;
}
