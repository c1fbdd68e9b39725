/* The last word on solutions: plain evaluation, one node at a time, by the worker's own definitions (eval.h).
 *
 * Shares nothing with the lanes, so that a fault there shows up here.  Values are memoised in a hash table that
 * lasts for one check.
 */
#include "eval.h"
#include "solver/core.h"

struct memo {
    u32 node;
    u64 stamp;
    u128 value;
};
struct checker {
    struct memo *memos;
    u32 size, used;
    u64 stamp;
    u32 *stack;
    u64 stack_room;
};

static struct memo *slot(struct checker *c, u32 node)
{
    u32 at = (u32)mix(node);
    while (c->memos[at &= c->size - 1].stamp == c->stamp && c->memos[at].node != node) at++;
    return &c->memos[at];
}

static void resize(struct checker *c)
{
    struct memo *old = c->memos;
    u32 count = c->size;
    c->size = count ? 2 * count : 1024;
    c->memos = zeros(c->size, sizeof *c->memos);
    for (u32 i = 0; i < count; i++)
        if (old[i].stamp == c->stamp) *slot(c, old[i].node) = old[i];
    free(old);
}

static int known(struct checker *c, u32 node) { return slot(c, node)->stamp == c->stamp; }
static u128 recall(struct checker *c, u32 node) { return node ? slot(c, node)->value : 0; }

static void remember(struct checker *c, u32 node, u128 value)
{
    if (2 * ++c->used > c->size) resize(c);
    *slot(c, node) = (struct memo){node, c->stamp, value};
}

static void want(struct checker *c, u32 *depth, u32 node)
{
    if (!node || known(c, node)) return;
    c->stack = grown(c->stack, &c->stack_room, *depth + 1, sizeof(u32));
    c->stack[(*depth)++] = node;
}

static u32 entry_at(const struct solver *s, const struct cinq_table *t, u128 index)
{
    return t->ids && index < t->count ? ((const u32 *)(s->pool + t->ids))[(u64)index] : 0;
}

/* The value of a node whose operands are known; for a table read, its element's expression is wanted first. */
static int compute(const struct solver *s, struct checker *c, u32 node, const u8 *input, u64 size, u32 *depth)
{
    const struct cinq_node *n = &s->nodes[node];
    u128 a = recall(c, n->a), value = 0;
    if (n->op == OP_INPUT) {
        value = n->imm < size ? input[n->imm] : 0;
    } else if (n->op == OP_TREAD) {
        const struct cinq_table *t = &s->tables[n->imm];
        u32 entry = entry_at(s, t, a);
        if (entry && !known(c, entry)) {
            want(c, depth, entry);
            return 0;
        }
        if (entry) value = recall(c, entry);
        else if (a < t->count) memcpy(&value, s->pool + t->bytes + (u64)a * (t->width / 8), t->width / 8);
    } else {
        value = eval_op(n->op, n->width, n->a ? s->nodes[n->a].width : 0, n->imm, a, recall(c, n->b), recall(c, n->c));
    }
    remember(c, node, value);
    return 1;
}

static u128 evaluate(const struct solver *s, struct checker *c, u32 root, const u8 *input, u64 size)
{
    u32 depth = 0;
    want(c, &depth, root);
    while (depth) {
        u32 node = c->stack[depth - 1], before = depth;
        if (known(c, node)) {
            depth--;
            continue;
        }
        want(c, &depth, s->nodes[node].a);
        want(c, &depth, s->nodes[node].b);
        want(c, &depth, s->nodes[node].c);
        if (depth == before && compute(s, c, node, input, size, &depth)) depth--;
    }
    return recall(c, root);
}

static struct checker *checker_of(struct solver *s)
{
    if (!s->checker) {
        s->checker = zeros(1, sizeof *s->checker);
        resize(s->checker);
    }
    s->checker->stamp++;
    s->checker->used = 0;
    return s->checker;
}

int cinq_check_solution(struct solver *s, const u8 *input, u64 size)
{
    struct checker *c = checker_of(s);
    for (u32 i = 0; i < s->slice_count; i++) {
        u128 value = evaluate(s, c, s->slice[i].node, input, size);
        if ((value == s->slice[i].value) != (s->slice[i].equal != 0)) return UNSAT;
    }
    return SAT;
}

/* Which of the slice's constraints an input violates: their indices, and how many there are. */
u32 cinq_violated(struct solver *s, const u8 *input, u64 size, u32 *out)
{
    struct checker *c = checker_of(s);
    u32 found = 0;
    for (u32 i = 0; i < s->slice_count; i++) {
        u128 value = evaluate(s, c, s->slice[i].node, input, size);
        if ((value == s->slice[i].value) != (s->slice[i].equal != 0)) out[found++] = i;
    }
    return found;
}

void checker_free(struct checker *c)
{
    free(c->memos);
    free(c->stack);
    free(c);
}
