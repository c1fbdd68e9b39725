/* Pair tables: for a constraint over exactly two input bytes, the 65,536 bits that tell which pairs satisfy it.
 *
 * Complete for slices over two bytes, and quick when a constraint is met again beside others.  A table costs 256
 * sweeps once; so small domains are left to the search, which looks only at pairs that can still occur.  At most
 * PAIR_TABLES are kept (8 KiB each), in a direct-mapped memo.
 */
#include "solver/lanes.h"

#define PAIR_TABLES 4096
#define WORTH_IT 4096 /* pairs in the domains' product */

struct pair_table {
    struct constraint key;
    struct domain rows[256]; /* by the value of the lower byte: values of the higher one */
};

static void all_values(struct level *v, u32 position)
{
    v->byte = position;
    v->count = LANES;
    for (u32 i = 0; i < LANES; i++) v->values[i] = (u8)i;
}

static int fill_table(struct solver *s, const struct constraint *c, struct pair_table *t)
{
    if (!program_load(s, c, 1)) return 0;
    struct program *p = s->program;
    p->level_count = 2;
    all_values(&p->levels[0], 0);
    all_values(&p->levels[1], 1);
    if (!program_arrange(s)) return 0;
    for (u32 value = 0; value < 256; value++) {
        p->levels[0].choice = value;
        program_enter(s, 1);
        t->rows[value] = program_filter(s, 1);
    }
    t->key = *c;
    return 1;
}

static const struct pair_table *table_of(struct solver *s, const struct constraint *c)
{
    if (!s->pair_tables) s->pair_tables = zeros(PAIR_TABLES, sizeof *s->pair_tables);
    struct pair_table **slot = &s->pair_tables[mix(c->node ^ (u64)c->equal << 32 ^ mix(c->value)) & (PAIR_TABLES - 1)];
    if (*slot && !memcmp(&(*slot)->key, c, sizeof *c)) return *slot;
    if (!*slot) *slot = resized(0, 1, sizeof **slot);
    if (fill_table(s, c, *slot)) return *slot;
    (*slot)->key = (struct constraint){0};
    return 0;
}

static u32 size_of(const struct domain *d)
{
    u32 n = 0;
    for (int w = 0; w < 4; w++) n += (u32)__builtin_popcountll(d->bits[w]);
    return n;
}

static int has(const struct domain *d, u32 value) { return d->bits[value >> 6] >> (value & 63) & 1; }

static u32 bytes_of(const struct solver *s, u32 node)
{
    const struct set *set = &s->sets[s->support[node]];
    u32 n = 0;
    for (u32 i = 0; i < set->count; i++) n += s->ranges[set->first + i].hi - s->ranges[set->first + i].lo + 1;
    return n;
}

static int join(struct solver *s, struct domain rows[256])
{
    for (u32 value = 0; value < 256; value++) rows[value] = s->domains[1];
    for (u32 i = 0; i < s->slice_count; i++) {
        u32 bytes = bytes_of(s, s->slice[i].node);
        if (bytes == 1) continue; /* already in the domains */
        const struct pair_table *t = bytes == 2 ? table_of(s, &s->slice[i]) : 0;
        if (!t) return 0;
        for (u32 value = 0; value < 256; value++)
            for (int w = 0; w < 4; w++) rows[value].bits[w] &= t->rows[value].bits[w];
    }
    return 1;
}

static int pick(struct solver *s, u32 value, const struct domain *row)
{
    if (!has(&s->domains[0], value) || !size_of(row)) return 0;
    s->model[0] = (u8)value;
    if (has(row, s->model[1])) return 1;
    u32 word = 0;
    while (!row->bits[word]) word++;
    s->model[1] = (u8)(64 * word + (u32)__builtin_ctzll(row->bits[word]));
    return 1;
}

int cinq_pairs(struct solver *s)
{
    struct domain rows[256];
    if (s->byte_count != 2 || !s->domains_complete) return UNKNOWN;
    if (size_of(&s->domains[0]) * size_of(&s->domains[1]) < WORTH_IT || !join(s, rows)) return UNKNOWN;
    if (pick(s, s->model[0], &rows[s->model[0]])) return SAT;
    for (u32 value = 0; value < 256; value++)
        if (pick(s, value, &rows[value])) return SAT;
    return UNSAT;
}

void pair_tables_free(struct solver *s)
{
    for (u32 i = 0; s->pair_tables && i < PAIR_TABLES; i++) free(s->pair_tables[i]);
    free(s->pair_tables);
}
