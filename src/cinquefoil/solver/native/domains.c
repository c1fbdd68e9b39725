/* Byte domains: for a constraint over one input byte, the set of values that satisfy it; intersected per byte.
 *
 * Complete for slices whose constraints are all over single bytes.  Sets are memoised by constraint.
 */
#include "lanes.h"

int single_byte(struct solver *s, u32 node, u32 *byte) {
    struct set set = set_of(s, node);
    const struct range *r = s->ranges + set.first;
    if (set.count != 1 || r->lo != r->hi) return 0;
    *byte = r->lo;
    return 1;
}

static int truth_table(struct solver *s, const struct constraint *c, u32 byte, struct domain *out) {
    if (!program_load(s, c, 1)) return 0;
    struct program *p = s->program;
    struct level *v = &p->levels[0];
    p->level_count = 1;
    v->byte = position_of(s, byte);
    v->count = LANES;
    for (u32 i = 0; i < LANES; i++) v->values[i] = (u8)i;
    if (!program_arrange(s)) return 0;
    *out = program_filter(s, 0);
    return 1;
}

static const struct domain_memo *recall(struct solver *s, const struct constraint *c, u32 byte) {
    if (!s->domain_memos) s->domain_memos = calloc(MEMO, sizeof *s->domain_memos);
    struct domain_memo *m = &s->domain_memos[mix(c->node ^ (u64)c->equal << 32 ^ mix(c->value)) & (MEMO - 1)];
    if (m->state && m->key.node == c->node && m->key.equal == c->equal && m->key.value == c->value) return m;
    m->key = *c;
    m->state = truth_table(s, c, byte, &m->domain) ? 1 : 2;
    return m;
}

/* The values that satisfy a constraint over one byte; 0 if that is not to be had.  A constraint and its opposite share
 * a table.  Whatever slice was loaded is gone afterwards. */
int single_byte_domain(struct solver *s, struct constraint c, u32 byte, struct domain *out) {
    u64 turned = c.equal ? 0 : ~0ull;
    c.equal = 1;
    if (s->nodes[c.node].width == 1 && c.value == 0) { c.value = 1; turned = ~turned; }
    s->bytes = grown(s->bytes, &s->byte_room, 1, sizeof *s->bytes);
    if (!s->model) s->model = calloc(s->byte_room + 1, 1);
    s->bytes[0] = byte;
    s->byte_count = 1;
    const struct domain_memo *m = recall(s, &c, byte);
    for (int w = 0; w < 4; w++) out->bits[w] = m->domain.bits[w] ^ turned;
    return m->state == 1;
}

static int empty(const struct domain *d) { return !(d->bits[0] | d->bits[1] | d->bits[2] | d->bits[3]); }
static int has(const struct domain *d, u32 value) { return d->bits[value >> 6] >> (value & 63) & 1; }

/* Fills the slice's domains.  SAT (with the model set) only if every constraint is over one byte. */
int cinq_domains(struct solver *s) {
    int complete = 1;
    s->domains_complete = 1;
    memset(s->domains, 0xff, s->byte_count * sizeof *s->domains);
    for (u32 i = 0; i < s->slice_count; i++) {
        u32 byte;
        if (!single_byte(s, s->slice[i].node, &byte)) {
            complete = 0;
            continue;
        }
        const struct domain_memo *m = recall(s, &s->slice[i], byte);
        if (m->state != 1) { complete = s->domains_complete = 0; continue; }
        struct domain *d = &s->domains[position_of(s, byte)];
        for (int w = 0; w < 4; w++) d->bits[w] &= m->domain.bits[w];
        if (empty(d)) return UNSAT;
    }
    if (!complete) return UNKNOWN;
    for (u32 i = 0; i < s->byte_count; i++)
        if (!has(&s->domains[i], s->model[i])) s->model[i] = (u8)liked_value(&s->domains[i], s->bytes[i]);
    return SAT;
}
