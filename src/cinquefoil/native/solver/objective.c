/* Loading and evaluating objectives: see objective.h. */
#include "eval.h"
#include "solver/objective.h"

/* ---- variables ---------------------------------------------------------------- */
static int word_bytes(const struct solver *s, u32 node, u32 *out)
{ /* number of bytes, 0 if it is no word */
    u32 stack[16], depth = 0, count = 0;
    stack[depth++] = node;
    while (depth) {
        const struct cinq_node *n = &s->nodes[stack[--depth]];
        if (n->op == OP_CONCAT) {
            if (depth + 2 > 16) return 0;
            stack[depth++] = n->a;
            stack[depth++] = n->b;
        } else if (n->op != OP_INPUT || count == 8) return 0;
        else out[count++] = (u32)n->imm;
    }
    return (int)count;
}

static void reach_byte(struct objective *o, u32 index)
{
    u64 old = o->byte_room;
    if (index < old) return;
    o->byte_owner = grown(o->byte_owner, &o->byte_room, (u64)index + 1, sizeof(u32));
    o->byte_stamp = resized(o->byte_stamp, o->byte_room, sizeof(u32));
    memset(o->byte_stamp + old, 0, (o->byte_room - old) * sizeof(u32));
}

static int owner(struct objective *o, u32 index)
{ /* -1: none yet */
    reach_byte(o, index);
    return o->byte_stamp[index] == o->stamp ? (int)o->byte_owner[index] : -1;
}

static int new_variable(struct objective *o, const u32 *bytes, u32 count)
{
    if (o->variable_count == OB_VARIABLES) return -1;
    struct variable *v = &o->variables[o->variable_count];
    *v = (struct variable){.count = count};
    memcpy(v->bytes, bytes, count * sizeof(u32));
    for (u32 i = 0; i < count; i++) {
        reach_byte(o, bytes[i]);
        o->byte_stamp[bytes[i]] = o->stamp;
        o->byte_owner[bytes[i]] = o->variable_count;
    }
    return (int)o->variable_count++;
}

/* The variable that is exactly these bytes; made if none of them has an owner. */
static int variable_of(struct objective *o, const u32 *bytes, u32 count)
{
    int first = owner(o, bytes[0]);
    for (u32 i = 1; i < count; i++)
        if (owner(o, bytes[i]) != first) return -1;
    if (first < 0) return new_variable(o, bytes, count);
    const struct variable *v = &o->variables[first];
    return v->count == count && !memcmp(v->bytes, bytes, count * sizeof(u32)) ? first : -1;
}

/* ---- collecting the cone ------------------------------------------------------- */
static int push(struct objective *o, u32 *depth, u32 node)
{
    o->pending = grown(o->pending, &o->pending_room, *depth + 1, sizeof(u32));
    o->pending[(*depth)++] = node;
    return 1;
}

static int known(const struct objective *o, u32 node) { return o->slot[node] >> 32 == o->stamp; }
static u32 slot(const struct objective *o, u32 node) { return node ? (u32)o->slot[node] : 0; }

static const u32 *entries_of(const struct solver *s, const struct cinq_node *n, u32 *count)
{
    const struct cinq_table *t = n->op == OP_TREAD ? &s->tables[n->imm] : 0;
    *count = t && t->ids ? t->count : 0;
    return *count ? (const u32 *)(s->pool + t->ids) : 0;
}

static void push_operands(struct solver *s, struct objective *o, u32 node, u32 *depth)
{
    const struct cinq_node *n = &s->nodes[node];
    u32 count;
    const u32 *entries = entries_of(s, n, &count);
    if (n->a && !known(o, n->a)) push(o, depth, n->a);
    if (n->b && !known(o, n->b)) push(o, depth, n->b);
    if (n->c && !known(o, n->c)) push(o, depth, n->c);
    for (u32 i = 0; i < count; i++)
        if (entries[i] && !known(o, entries[i])) push(o, depth, entries[i]);
}

static void keep_constant(struct objective *o, u64 value)
{
    for (u32 i = 0; i < o->pool_count; i++)
        if (o->pool[i] == value) return;
    if (o->pool_count < OB_POOL) o->pool[o->pool_count++] = value;
}

static int is_real_op(u32 op) { return op >= OP_FADD && op <= OP_FUNO && op != OP_SI2F && op != OP_UI2F; }

/* First pass: words become variables before single bytes do, and floating-point operations tell their operands. */
static int find_words(struct solver *s, struct objective *o, const struct constraint *cs, u32 count, int *reals)
{
    u32 depth = 0, bytes[8];
    for (u32 i = 0; i < count; i++) push(o, &depth, cs[i].node);
    while (depth) {
        u32 node = o->pending[--depth];
        if (known(o, node)) continue;
        const struct cinq_node *n = &s->nodes[node];
        o->slot[node] = (u64)o->stamp << 32;
        if (n->op == OP_CONST) keep_constant(o, n->imm);
        if (is_real_op(n->op)) *reals |= (s->nodes[n->a].width == 32) | (s->nodes[n->a].width == 64) << 1;
        u32 size = n->op == OP_CONCAT ? (u32)word_bytes(s, node, bytes) : 0;
        if (size) {
            variable_of(o, bytes, size);
            continue;
        }
        push_operands(s, o, node, &depth);
    }
    return 1;
}

static int emit(struct solver *s, struct objective *o, u32 node, int variable)
{
    const struct cinq_node *n = &s->nodes[node];
    if (o->code_count == OB_CODE || n->op == OP_FMA) return 0;
    u32 at = o->code_count++, count;
    struct instruction *i = &o->code[at];
    u64 *set = o->set[at];
    *i = (struct instruction){
        n->op, 0, n->width, n->a ? s->nodes[n->a].width : 0, slot(o, n->a), slot(o, n->b), slot(o, n->c), node, n->imm};
    i->wide = n->width > 64 || i->from > 64 || (n->b && s->nodes[n->b].width > 64);
    memset(set, 0, sizeof o->set[at]);
    if (variable >= 0) {
        i->op = n->op == OP_INPUT ? IN_BYTE : IN_WORD;
        i->a = (u32)variable;
        for (u32 k = 0; n->op == OP_INPUT && k < 8; k++)
            if (o->variables[variable].bytes[k] == n->imm) {
                i->b = 8 * k;
                break;
            }
        set[variable / 64] |= 1ull << (variable % 64);
    } else {
        const u32 *entries = entries_of(s, n, &count);
        for (u32 w = 0; w < OB_WORDS; w++) {
            if (n->a) set[w] |= o->set[i->a][w];
            if (n->b) set[w] |= o->set[i->b][w];
            if (n->c) set[w] |= o->set[i->c][w];
            for (u32 k = 0; k < count; k++)
                if (entries[k]) set[w] |= o->set[slot(o, entries[k])][w];
        }
    }
    o->slot[node] = (u64)o->stamp << 32 | at;
    return 1;
}

static int add_cone(struct solver *s, struct objective *o, u32 root)
{
    u32 depth = 0, bytes[8];
    push(o, &depth, root);
    while (depth) {
        u32 node = o->pending[depth - 1], before = depth;
        if (known(o, node)) {
            depth--;
            continue;
        }
        const struct cinq_node *n = &s->nodes[node];
        u32 size = n->op == OP_INPUT ? 1 : n->op == OP_CONCAT ? (u32)word_bytes(s, node, bytes) : 0;
        int variable = -1;
        if (n->op == OP_INPUT) {
            bytes[0] = (u32)n->imm;
            variable = owner(o, bytes[0]);
            if (variable < 0 && (variable = new_variable(o, bytes, 1)) < 0) return 0;
        } else if (size) variable = variable_of(o, bytes, size);
        if (variable < 0) push_operands(s, o, node, &depth);
        if (depth != before) continue;
        if (!emit(s, o, node, variable)) return 0;
        depth--;
    }
    return 1;
}

/* ---- distances ----------------------------------------------------------------- */
static int add_term(struct objective *o, struct term t)
{
    if (o->term_count == OB_TERMS) return 0;
    o->terms[o->term_count++] = t;
    return 1;
}

static int add_condition(struct solver *s, struct objective *o, u32 node, u32 wanted, int depth)
{
    const struct cinq_node *n = &s->nodes[node];
    if (n->width == 1 && depth && (n->op == OP_AND || n->op == OP_OR)) {
        u8 kind = (n->op == OP_AND) == (wanted == 1) ? TERM_SUM : TERM_PRODUCT;
        return add_condition(s, o, n->a, wanted, depth - 1) && add_condition(s, o, n->b, wanted, depth - 1) &&
               add_term(o, (struct term){.kind = kind});
    }
    if (n->op == OP_XOR && n->width == 1 && s->nodes[n->b].op == OP_CONST && depth)
        return add_condition(s, o, n->a, wanted ^ (u32)s->nodes[n->b].imm, depth - 1);
    if ((n->op >= OP_EQ && n->op <= OP_SLE) || (n->op >= OP_FOEQ && n->op <= OP_FUNO))
        return add_term(
            o, (struct term){TERM_COMPARE, n->op, (u8)wanted, s->nodes[n->a].width, slot(o, n->a), slot(o, n->b), 0});
    return add_term(o, (struct term){TERM_VALUE, OP_EQ, 1, n->width, slot(o, node), 0, wanted});
}

static int add_constraint(struct solver *s, struct objective *o, const struct constraint *c)
{
    u16 width = s->nodes[c->node].width;
    if (width == 1) return add_condition(s, o, c->node, (c->value == 1) == (c->equal != 0), 12);
    return add_term(o, (struct term){TERM_VALUE, OP_EQ, c->equal != 0, width, slot(o, c->node), 0, c->value});
}

static int add_both(struct solver *s, struct objective *o, const struct constraint *c, u32 number)
{
    struct constraint other = {c->node, !c->equal, c->value};
    o->first_term[number] = o->term_count;
    if (!add_constraint(s, o, c)) return 0;
    o->negated[number] = o->term_count;
    return add_constraint(s, o, &other);
}

static double term_distance(const struct objective *o, const struct term *t)
{
    if (t->kind == TERM_VALUE)
        return cinq_distance(OP_EQ, t->wanted, t->width, o->low[t->a], o->high[t->a], t->value, 0);
    return cinq_distance(t->op, t->wanted, t->width, o->low[t->a], o->high[t->a], o->low[t->b], o->high[t->b]);
}

static double constraint_distance(const struct objective *o, u32 c)
{
    double stack[32];
    u32 depth = 0, from = c == o->flipped ? o->negated[c] : o->first_term[c];
    u32 to = c == o->flipped ? o->first_term[c + 1] : o->negated[c];
    for (u32 i = from; i < to; i++) {
        const struct term *t = &o->terms[i];
        if (t->kind == TERM_SUM) depth--, stack[depth - 1] += stack[depth];
        else if (t->kind == TERM_PRODUCT) depth--, stack[depth - 1] *= stack[depth];
        else stack[depth++] = cinq_scaled(term_distance(o, t));
    }
    return stack[0];
}

/* ---- executing ----------------------------------------------------------------- */
static u128 wide_value(const struct objective *o, u32 at) { return (u128)o->high[at] << 64 | o->low[at]; }

static u128 element(const struct solver *s, const struct objective *o, const struct instruction *i)
{
    const struct cinq_table *t = &s->tables[i->imm];
    u128 index = wide_value(o, i->a), value = 0;
    if (index >= t->count) return 0;
    u32 entry = t->ids ? ((const u32 *)(s->pool + t->ids))[(u64)index] : 0;
    if (entry) return wide_value(o, slot(o, entry));
    memcpy(&value, s->pool + t->bytes + (u64)index * (t->width / 8), t->width / 8);
    return value;
}

static i64 sign64(u64 x, u32 width) { return (i64)(x << (64 - width)) >> (64 - width); }

static u64 execute_real(const struct instruction *i, u64 a, u64 b)
{ /* doubles only */
    double x = cinq_as_double(a), y = cinq_as_double(b);
    switch (i->op) {
    case OP_FADD: return cinq_of_double(x + y);
    case OP_FSUB: return cinq_of_double(x - y);
    case OP_FMUL: return cinq_of_double(x * y);
    case OP_FDIV: return cinq_of_double(x / y);
    case OP_FOEQ: return x == y;
    case OP_FOLT: return x < y;
    case OP_FOLE: return x <= y;
    default: return (u64)eval_op(i->op, i->width, i->from, i->imm, a, b, 0);
    }
}

static u64 execute_narrow(const struct instruction *i, u64 a, u64 b, u64 c)
{
    const u32 w = i->width;
    switch (i->op) {
    case OP_CONST: return i->imm;
    case OP_ADD:
    case OP_PTRADD: return (a + b) & mask_of(w);
    case OP_SUB: return (a - b) & mask_of(w);
    case OP_MUL: return (a * b) & mask_of(w);
    case OP_AND: return a & b;
    case OP_OR: return a | b;
    case OP_XOR: return a ^ b;
    case OP_EQ: return a == b;
    case OP_ULT: return a < b;
    case OP_ULE: return a <= b;
    case OP_SLT: return sign64(a, i->from) < sign64(b, i->from);
    case OP_SLE: return sign64(a, i->from) <= sign64(b, i->from);
    case OP_ITE: return a ? b : c;
    case OP_EXTRACT: return (a >> i->imm) & mask_of(w);
    case OP_CONCAT: return a << (w - i->from) | b;
    case OP_ZEXT: return a;
    case OP_SEXT: return (u64)sign64(a, i->from) & mask_of(w);
    default:
        if (i->from == 64 && (w == 64 || i->op >= OP_FOEQ) && i->op >= OP_FADD) return execute_real(i, a, b);
        return (u64)eval_op(i->op, w, i->from, i->imm, a, b, c);
    }
}

static void execute(struct solver *s, struct objective *o, u32 at)
{
    const struct instruction *i = &o->code[at];
    if (i->op == IN_BYTE) {
        o->low[at] = o->value[i->a] >> i->b & 255;
        return;
    }
    if (i->op == IN_WORD) {
        o->low[at] = o->value[i->a];
        return;
    }
    if (!i->wide && i->op != OP_TREAD) {
        o->low[at] = execute_narrow(i, o->low[i->a], o->low[i->b], o->low[i->c]);
        return;
    }
    u128 value = i->op == OP_TREAD ? element(s, o, i)
                                   : eval_op(i->op, i->width, i->from, i->imm, wide_value(o, i->a), wide_value(o, i->b),
                                             wide_value(o, i->c));
    o->low[at] = (u64)value;
    o->high[at] = (u64)(value >> 64);
}

double objective_all(struct solver *s, struct objective *o)
{
    o->total = 0;
    for (u32 i = 0; i < o->code_count; i++) {
        o->high[i] = 0;
        execute(s, o, i);
    }
    for (u32 c = 0; c < o->limit; c++) o->total += o->distance[c] = constraint_distance(o, c);
    o->work += o->code_count + 4 * o->limit;
    return o->total;
}

double objective_change(struct solver *s, struct objective *o, u32 variable, u64 value)
{
    const struct variable *v = &o->variables[variable];
    const u32 *link = o->links + v->code, *touched = o->touched + v->constraints;
    u32 end = o->limit ? o->code_end[o->limit - 1] : 0, k, done;
    o->value[variable] = value;
    for (k = 0; k < v->code_count && link[k] < end; k++) {
        o->undo_low[k] = o->low[link[k]];
        o->undo_high[k] = o->high[link[k]];
        execute(s, o, link[k]);
    }
    double total = 0;
    for (done = 0; done < v->constraint_count && touched[done] < o->limit; done++) {
        o->undo_distance[done] = o->distance[touched[done]];
        o->distance[touched[done]] = constraint_distance(o, touched[done]);
    }
    for (u32 c = 0; c < o->limit; c++) total += o->distance[c];
    o->work += k + 4 * done + o->limit / 4 + 4;
    return o->total = total;
}

void objective_restore(struct objective *o, u32 variable, u64 old, double total)
{
    const struct variable *v = &o->variables[variable];
    const u32 *link = o->links + v->code, *touched = o->touched + v->constraints;
    u32 end = o->limit ? o->code_end[o->limit - 1] : 0;
    o->value[variable] = old;
    for (u32 k = 0; k < v->code_count && link[k] < end; k++) {
        o->low[link[k]] = o->undo_low[k];
        o->high[link[k]] = o->undo_high[k];
    }
    for (u32 k = 0; k < v->constraint_count && touched[k] < o->limit; k++)
        o->distance[touched[k]] = o->undo_distance[k];
    o->total = total;
}

u32 objective_first_violated(const struct objective *o)
{
    u32 c = 0;
    while (c < o->limit && (o->distance[c] == 0) == (c != o->flipped)) c++;
    return c;
}

void objective_flip(struct objective *o, u32 constraint)
{
    o->limit = constraint + 1;
    o->flipped = constraint;
    o->total = o->distance[constraint] = constraint_distance(o, constraint);
}

void objective_undo_flip(struct objective *o, u32 constraint)
{
    o->flipped = NOBODY;
    o->distance[constraint] = constraint_distance(o, constraint);
}

/* ---- loading ------------------------------------------------------------------- */
static int link_variables(struct objective *o)
{
    o->link_count = o->touched_count = 0;
    o->touched = grown(o->touched, &o->touched_room, o->count * o->variable_count + 1, sizeof(u32));
    for (u32 v = 0; v < o->variable_count; v++) {
        struct variable *x = &o->variables[v];
        u64 bit = 1ull << (v % 64);
        x->code = o->link_count;
        x->constraints = o->touched_count;
        for (u32 i = 0; i < o->code_count; i++)
            if (o->set[i][v / 64] & bit) {
                if (o->link_count == OB_LINKS) return 0;
                o->links[o->link_count++] = i;
            }
        for (u32 c = 0; c < o->count; c++)
            if (o->needs[(size_t)c * OB_WORDS + v / 64] & bit) o->touched[o->touched_count++] = c;
        x->code_count = o->link_count - x->code;
        x->constraint_count = o->touched_count - x->constraints;
    }
    return 1;
}

void objective_room(struct solver *s, struct objective *o)
{
    if (o->slot) return;
    o->slot = zeros(s->count, sizeof *o->slot);
    o->links = resized(0, OB_LINKS, sizeof(u32));
}

static void make_room(struct solver *s, struct objective *o, u32 count)
{
    objective_room(s, o);
    if (count + 1 <= o->room) return;
    o->room = 2 * count + 64;
    o->first_term = resized(o->first_term, o->room, sizeof(u32));
    o->negated = resized(o->negated, o->room, sizeof(u32));
    o->code_end = resized(o->code_end, o->room, sizeof(u32));
    o->needs = resized(o->needs, o->room * OB_WORDS, sizeof(u64));
    o->distance = resized(o->distance, o->room, sizeof(double));
    o->undo_distance = resized(o->undo_distance, o->room, sizeof(double));
}

int objective_load(struct solver *s, struct objective *o, const struct constraint *cs, u32 count)
{
    int reals = 0;
    make_room(s, o, count);
    o->stamp++;
    o->code_count = o->term_count = o->variable_count = o->pool_count = 0;
    o->count = o->limit = count;
    o->flipped = NOBODY;
    find_words(s, o, cs, count, &reals);
    u32 words = o->stamp++;
    for (u32 i = 0; i < o->byte_room; i++)
        if (o->byte_stamp[i] == words) o->byte_stamp[i] = o->stamp;
    for (u32 c = 0; c < count; c++) {
        if (!add_cone(s, o, cs[c].node)) return 0;
        if (!add_both(s, o, &cs[c], c)) return 0;
        o->code_end[c] = o->code_count;
        memcpy(o->needs + (size_t)c * OB_WORDS, o->set[slot(o, cs[c].node)], sizeof o->set[0]);
    }
    o->first_term[count] = o->term_count;
    for (u32 v = 0; v < o->variable_count; v++)
        o->variables[v].real =
            (o->variables[v].count == 8 && (reals & 2)) || (o->variables[v].count == 4 && (reals & 1));
    return link_variables(o);
}

void objective_free(struct objective *o)
{
    free(o->first_term);
    free(o->negated);
    free(o->code_end);
    free(o->needs);
    free(o->distance);
    free(o->undo_distance);
    free(o->links);
    free(o->touched);
    free(o->slot);
    free(o->pending);
    free(o->byte_owner);
    free(o->byte_stamp);
}
