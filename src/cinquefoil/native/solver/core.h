/* The native half of the solver chain: what the layers' C files share.
 *
 * One `struct solver` serves one epoch of the expression table.  `cinq_slice` loads a query; the other entry
 * points work on the loaded slice and answer with enum verdict.  Nothing here allocates per query: per-node
 * arrays are zero pages until touched, scratch space is kept and grows.
 */
#ifndef CINQ_SOLVER_CORE_H
#define CINQ_SOLVER_CORE_H

#include <assert.h>

#include "common/hash.h"
#include "common/memory.h"
#include "solver/solver.h"

struct range {
    u32 lo, hi;
};                      /* input indices lo .. hi */
struct set {
    u32 first, count;
};                  /* ranges[first .. first+count) */
struct domain {
    u64 bits[4];
};                    /* of one input byte: bit v set = value v allowed */

#define MEMO 65536         /* entries of direct-mapped memo tables */

struct union_memo {
    u32 a, b, result;
};
/* Of a byte: where the node has the value. */
struct domain_memo {
    u32 node;
    u64 value;
    struct domain domain;
};

struct solver {
    const struct cinq_node *nodes;
    const struct cinq_table *tables;
    const u8 *pool;
    u32 count;

    /* support.c: sets of input indices, interned */
    u32 *support; /* per node: set, 0 = not computed */
    struct set *sets;
    struct range *ranges;
    u32 set_count, range_count;
    u64 set_room, range_room;
    u32 *set_index; /* open hash of sets */
    u32 set_index_size;
    struct union_memo *unions;
    u32 *stack;
    u64 stack_room;

    /* slice.c: the loaded query */
    u32 *parent;
    u64 *parent_stamp, *set_stamp,
        stamp; /* union-find over input bytes; both stamped by query, of which there may be many */
    u64 parent_room, set_stamp_room;
    u64 query; /* number of the loaded one, from 1 */
    struct constraint *slice;
    u32 slice_count;
    u64 slice_room;
    u32 *bytes; /* input indices of the slice, ascending */
    u32 byte_count;
    u64 byte_room;
    u8 *model; /* values for bytes[]: the witness's, then the answer's */
    struct domain *domains; /* per byte of the slice */
    struct constraint *goal;
    u32 goal_count;
    u64 goal_room;

    /* domains.c */
    struct domain_memo *domain_memos;
    struct byte_columns *columns;
    int domains_complete; /* every constraint over one byte is in the domains */
    struct pair_table **pair_tables; /* pairs.c */

    struct checker *checker; /* check.c */
    struct refuter *refuter; /* refute.c */
    struct cores *cores; /* cores.c */
    struct descent *descent; /* descent.c */

    /* lanes.c */
    struct program *program;
    u64 lane_work; /* lane operations done: what budgets are counted in */
};

/* support.c */
u32 support_of(struct solver *, u32 node);
static inline u32 known_support(struct solver *s, u32 node)
{
    return s->support[node] ? s->support[node] : support_of(s, node);
}
/* The bytes a node depends on, by value: finding them may move the array of sets. */
static inline struct set set_of(struct solver *s, u32 node)
{
    u32 set = known_support(s, node);
    assert(set && set < s->set_count);
    return s->sets[set];
}
void support_init(struct solver *);
void support_free(struct solver *);
/* program.c */
void program_free(struct program *);
/* pairs.c */
void pair_tables_free(struct solver *);
/* check.c */
void checker_free(struct checker *);
/* domains.c */
int single_byte(struct solver *, u32 node, u32 *byte); /* is it over one byte, and which? */
int single_byte_domain(struct solver *, struct constraint, struct domain *);
/* cores.c */
void cores_free(struct cores *);
/* columns.c */
void columns_free(struct byte_columns *);
/* refute.c */
void refuter_free(struct refuter *);
/* descent.c */
void descent_free(struct descent *);

static inline u64 mask_of(u32 width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }

/* Which of the values allowed to take for an input byte.  A letter or digit if there is one: programs do more with text
 * than with control characters, and tests can be read.  Not always the first: eight zeros are one number, eight different
 * digits are another.  Depends on nothing but the byte's index and the set, so that runs can be repeated. */
static inline u32 liked_value(const struct domain *d, u32 byte)
{
    static const u64 text[2] = {0x03ff000000000000ull, 0x07fffffe07fffffeull};
    struct domain liked = {{d->bits[0] & text[0], d->bits[1] & text[1], 0, 0}};
    const struct domain *from = liked.bits[0] | liked.bits[1] ? &liked : d;
    u32 count = 0, word = 0;
    for (int w = 0; w < 4; w++) count += (u32)__builtin_popcountll(from->bits[w]);
    u32 rank = (u32)(mix(0x9e3779b97f4a7c15ull * (byte + 1)) % count);
    while (rank >= (u32)__builtin_popcountll(from->bits[word])) rank -= (u32)__builtin_popcountll(from->bits[word++]);
    u64 bits = from->bits[word];
    while (rank--) bits &= bits - 1;
    return 64 * word + (u32)__builtin_ctzll(bits);
}
static inline u32 position_of(const struct solver *s, u32 byte)
{ /* in bytes[]; byte_count if absent */
    u32 lo = 0, hi = s->byte_count;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (s->bytes[mid] < byte) lo = mid + 1;
        else hi = mid;
    }
    return lo < s->byte_count && s->bytes[lo] == byte ? lo : s->byte_count;
}
static inline int holds(const struct constraint *c, u64 value) { return (value == c->value) == (c->equal != 0); }

#endif
