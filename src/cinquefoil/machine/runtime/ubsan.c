/* Undefined behaviour that clang's checks found (-fsanitize=undefined and its parts).
 *
 * The program calls cinq_must_hold with the condition that must hold, the check's
 * number and its data as clang laid them out: a location, types, flags.  The
 * condition is an implicit branch like that of a division; when it fails the run
 * ends with an error that tells the operands.
 */
#include "runtime.h"

struct type { u16 kind, info; char name[]; }; /* kind 0: an integer, info = log2(bits) << 1 | is signed; 1: a float of info bits */
struct data { const char *file; u32 line, column; const struct type *type, *other; };
struct mismatch { const char *file; u32 line, column; const struct type *type; u8 log_alignment, action; };
struct conversion { const char *file; u32 line, column; const struct type *from, *to; u8 kind; };
struct message { char text[256]; u64 length; };

static void say(struct message *m, const char *text) {
    while (*text && m->length < sizeof m->text - 1) m->text[m->length++] = *text++;
    m->text[m->length] = 0;
}

static void say_number(struct message *m, u128 value, u32 base) {
    char digits[48];
    u32 at = sizeof digits - 1;
    digits[at] = 0;
    do digits[--at] = "0123456789abcdef"[value % base];
    while (value /= base);
    say(m, digits + at);
}

/* ---- Types and values ------------------------------------------------------------------ */
static int is_integer(const struct type *t) { return t->kind == 0; }
static int is_signed(const struct type *t) { return is_integer(t) && (t->info & 1); }
static u32 bits_of(const struct type *t) { return is_integer(t) ? 1u << (t->info >> 1) : t->info; }

static u128 bits_at(const struct type *t, u64 handle) { /* what does not fit the word lies where it points to */
    u128 value = 0;
    if (bits_of(t) <= 64) return handle;
    if (memory_valid(handle, 16)) raw_copy(&value, (const void *)handle, 16);
    return value;
}

static u128 extended(const struct type *t, u64 handle) {
    u32 bits = bits_of(t);
    u128 value = bits_at(t, handle);
    if (bits < 128) value &= ((u128)1 << bits) - 1;
    if (is_signed(t) && bits < 128 && value >> (bits - 1)) value |= ~(u128)0 << bits;
    return value;
}

static int is_negative(const struct type *t, u64 handle) { return is_signed(t) && extended(t, handle) >> 127; }

static void say_integer(struct message *m, const struct type *t, u64 handle) {
    u128 value = extended(t, handle);
    if (is_negative(t, handle)) say(m, "-"), value = -value;
    say_number(m, value, 10);
}

static void say_float(struct message *m, const struct type *t, u64 handle) {
    u32 bits = bits_of(t);
    union { u32 i; float f; } single = {.i = (u32)handle};
    union { u64 i; double d; } whole = {.i = handle};
    union { u128 i; long double l; } wide = {.i = bits > 64 ? bits_at(t, handle) : 0};
    long double x = bits == 32 ? (long double)single.f : bits == 64 ? (long double)whole.d : wide.l;
    if (x != x) return say(m, "nan");
    if (x < 0) say(m, "-"), x = -x;
    if (x > 1e18L) { /* m.mmm e n */
        u32 power = 0;
        if (x > 1.0e4900L) return say(m, "inf");
        for (; x >= 10; x /= 10) power++;
        say_number(m, (u64)x, 10);
        say(m, ".");
        say_number(m, (u64)((x - (long double)(u64)x) * 1000), 10);
        say(m, "e+");
        return say_number(m, power, 10);
    }
    say_number(m, (u64)x, 10);
    say(m, ".");
    say_number(m, (u64)((x - (long double)(u64)x) * 1000), 10);
}

static void say_value(struct message *m, const struct type *t, u64 handle) {
    if (is_integer(t)) say_integer(m, t, handle);
    else if (t->kind == 1) say_float(m, t, handle);
    else say(m, "a value");
}

static void say_pointer(struct message *m, u64 address) {
    say(m, "0x");
    say_number(m, address, 16);
}

static void say_type(struct message *m, const struct type *t) {
    char name[96];
    read_text((u64)t->name, name, sizeof name);
    say(m, name);
}

static void say_texts(struct message *m, const char *before, const struct type *t, u64 value, const char *after) {
    say(m, before);
    say_value(m, t, value);
    say(m, after);
}

/* ---- Messages, one per check -------------------------------------------------------------- */
static void say_overflow(struct message *m, const struct data *d, const char *operation, u64 a, u64 b) {
    say(m, is_signed(d->type) ? "signed" : "unsigned");
    say_texts(m, " integer overflow: ", d->type, a, operation);
    say_texts(m, "", d->type, b, " cannot be represented in type ");
    say_type(m, d->type);
}

static void say_division(struct message *m, const struct data *d, u64 a, u64 b) {
    if (!is_integer(d->type) || !extended(d->type, b)) {
        say_texts(m, "", d->type, a, " divided by zero");
        return;
    }
    say_texts(m, "", d->type, a, " divided by -1 cannot be represented in type ");
    say_type(m, d->type);
}

/* A shift by a negative amount is one by too much: as an unsigned number it is. */
static int is_too_much(const struct data *d, u64 amount) {
    return is_negative(d->other, amount) || extended(d->other, amount) >= bits_of(d->type);
}

static void say_shift(struct message *m, const struct data *d, u64 a, u64 b) {
    if (is_negative(d->other, b)) say_texts(m, "shift by the negative amount ", d->other, b, "");
    else if (is_too_much(d, b)) {
        say_texts(m, "shift by ", d->other, b, ", too much for ");
        say_number(m, bits_of(d->type), 10);
        say(m, "-bit type ");
        say_type(m, d->type);
    } else if (is_negative(d->type, a)) say_texts(m, "left shift of the negative value ", d->type, a, "");
    else {
        say_texts(m, "left shift of ", d->type, a, " by ");
        say_texts(m, "", d->other, b, " cannot be represented in type ");
        say_type(m, d->type);
    }
}

#define NONNULL_BINDING 10
static const char *const actions[] = {
    "load of", "store to", "reference to", "member access within", "member call on", "call of", "downcast of",
    "downcast of", "upcast of", "cast to virtual base of", "nonnull binding of", "dynamic operation on"};

static void say_mismatch(struct message *m, const struct mismatch *d, u64 address) {
    u64 alignment = (u64)1 << (d->log_alignment & 63);
    say(m, d->action < sizeof actions / sizeof *actions ? actions[d->action] : "use of");
    if (!address) say(m, " a null pointer of type ");
    else if (address & (alignment - 1)) {
        say(m, " the misaligned address ");
        say_pointer(m, address);
        say(m, " (it must be a multiple of ");
        say_number(m, alignment, 10);
        say(m, ") for type ");
    } else say(m, " an address with too little space for an object of type ");
    say_type(m, d->type);
}

static void say_pointer_overflow(struct message *m, u64 base, u64 result) {
    if (!base) say(m, result ? "an offset is added to a null pointer, giving " : "an offset of 0 is added to a null pointer");
    else if (!result) say(m, "an offset makes a null pointer of ");
    else say(m, "an offset makes ");
    if (base) say_pointer(m, base);
    if (base && result) say(m, " wrap around to ");
    if (result) say_pointer(m, result);
}

static void say_conversion(struct message *m, const struct conversion *d, u64 a, u64 b) {
    say_texts(m, "implicit conversion of ", d->from, a, " from type ");
    say_type(m, d->from);
    say(m, " to type ");
    say_type(m, d->to);
    say_texts(m, " gives ", d->to, b, "");
}

static void say_more(struct message *m, u32 check, const struct data *d, u64 a, u64 b) {
    switch (check) {
    case UNDEFINED_OUT_OF_BOUNDS:
        say_texts(m, "index ", d->other, a, " is out of bounds of type ");
        return say_type(m, d->type);
    case UNDEFINED_LOAD_INVALID_VALUE:
        say_texts(m, "", d->type, a, " is not a valid value of type ");
        return say_type(m, d->type);
    case UNDEFINED_FLOAT_CAST_OVERFLOW:
        say_texts(m, "", d->type, a, " is outside of the range of type ");
        return say_type(m, d->other);
    case UNDEFINED_VLA_BOUND_NOT_POSITIVE:
        return say_texts(m, "the bound of a variable length array is ", d->type, a, ", not positive");
    case UNDEFINED_IMPLICIT_CONVERSION: return say_conversion(m, (const struct conversion *)d, a, b);
    case UNDEFINED_FUNCTION_TYPE_MISMATCH:
        say(m, "a function is called through a pointer of type ");
        return say_type(m, d->type);
    }
}

static void say_check(struct message *m, u32 check, const struct data *d, u64 a, u64 b) {
    switch (check) {
    case UNDEFINED_ADD_OVERFLOW: return say_overflow(m, d, " + ", a, b);
    case UNDEFINED_SUB_OVERFLOW: return say_overflow(m, d, " - ", a, b);
    case UNDEFINED_MUL_OVERFLOW: return say_overflow(m, d, " * ", a, b);
    case UNDEFINED_NEGATE_OVERFLOW:
        say_texts(m, "negation of ", d->type, a, " cannot be represented in type ");
        return say_type(m, d->type);
    case UNDEFINED_DIVREM_OVERFLOW: return say_division(m, d, a, b);
    case UNDEFINED_SHIFT_OUT_OF_BOUNDS: return say_shift(m, d, a, b);
    case UNDEFINED_TYPE_MISMATCH: return say_mismatch(m, (const struct mismatch *)d, a);
    case UNDEFINED_POINTER_OVERFLOW: return say_pointer_overflow(m, a, b);
    case UNDEFINED_NULLABILITY_ARG:
    case UNDEFINED_NONNULL_ARG: return say(m, "a null pointer is passed where none may be");
    case UNDEFINED_NULLABILITY_RETURN:
    case UNDEFINED_NONNULL_RETURN: return say(m, "a null pointer is returned where none may be");
    case UNDEFINED_INVALID_BUILTIN: return say(m, "__builtin_clz or __builtin_ctz of 0 (or a false assumption)");
    case UNDEFINED_MISSING_RETURN: return say(m, "the end of a function is reached without a value to return");
    case UNDEFINED_BUILTIN_UNREACHABLE: return say(m, "__builtin_unreachable is reached");
    case UNDEFINED_ALIGNMENT_ASSUMPTION: return say(m, "an assumption of alignment is false");
    default: say_more(m, check, d, a, b);
    }
}

/* ---- Kinds ------------------------------------------------------------------------------------ */
static const u8 kinds[UNDEFINED_OTHER] = {
    [UNDEFINED_ADD_OVERFLOW] = ERROR_OVERFLOW,
    [UNDEFINED_SUB_OVERFLOW] = ERROR_OVERFLOW,
    [UNDEFINED_MUL_OVERFLOW] = ERROR_OVERFLOW,
    [UNDEFINED_NEGATE_OVERFLOW] = ERROR_OVERFLOW,
    [UNDEFINED_DIVREM_OVERFLOW] = ERROR_DIVISION_BY_ZERO,
    [UNDEFINED_BUILTIN_UNREACHABLE] = ERROR_UNREACHABLE,
    [UNDEFINED_FLOAT_CAST_OVERFLOW] = ERROR_FLOAT_CAST,
    [UNDEFINED_FUNCTION_TYPE_MISMATCH] = ERROR_FUNCTION_TYPE,
    [UNDEFINED_IMPLICIT_CONVERSION] = ERROR_IMPLICIT_CONVERSION,
    [UNDEFINED_INVALID_BUILTIN] = ERROR_INVALID_BUILTIN,
    [UNDEFINED_LOAD_INVALID_VALUE] = ERROR_INVALID_VALUE,
    [UNDEFINED_MISSING_RETURN] = ERROR_MISSING_RETURN,
    [UNDEFINED_NULLABILITY_ARG] = ERROR_NONNULL,
    [UNDEFINED_NULLABILITY_RETURN] = ERROR_NONNULL,
    [UNDEFINED_NONNULL_ARG] = ERROR_NONNULL,
    [UNDEFINED_NONNULL_RETURN] = ERROR_NONNULL,
    [UNDEFINED_OUT_OF_BOUNDS] = ERROR_ARRAY_INDEX,
    [UNDEFINED_POINTER_OVERFLOW] = ERROR_POINTER_OVERFLOW,
    [UNDEFINED_SHIFT_OUT_OF_BOUNDS] = ERROR_SHIFT,
    [UNDEFINED_TYPE_MISMATCH] = ERROR_MISALIGNED,
    [UNDEFINED_ALIGNMENT_ASSUMPTION] = ERROR_MISALIGNED,
    [UNDEFINED_VLA_BOUND_NOT_POSITIVE] = ERROR_VLA_BOUND,
};

static u32 kind_of_mismatch(const struct mismatch *d, u64 address) {
    if (!address) return d->action == NONNULL_BINDING ? ERROR_NONNULL : ERROR_NULL_POINTER;
    return address & (((u64)1 << (d->log_alignment & 63)) - 1) ? ERROR_MISALIGNED : ERROR_OBJECT_SIZE;
}

static u32 kind_of(u32 check, const struct data *d, u64 a, u64 b) {
    u32 kind = check < UNDEFINED_OTHER && kinds[check] ? kinds[check] : ERROR_UNDEFINED;
    if (!d) return kind;
    if (check == UNDEFINED_TYPE_MISMATCH) return kind_of_mismatch((const struct mismatch *)d, a);
    if (check == UNDEFINED_DIVREM_OVERFLOW && !is_integer(d->type)) return ERROR_FLOAT_DIVISION_BY_ZERO;
    if (check == UNDEFINED_DIVREM_OVERFLOW && extended(d->type, b)) return ERROR_OVERFLOW;
    if (check == UNDEFINED_SHIFT_OUT_OF_BOUNDS && is_too_much(d, b)) return ERROR_OVERSHIFT;
    if (kind == ERROR_OVERFLOW && !is_signed(d->type)) return ERROR_UNSIGNED_OVERFLOW;
    return kind;
}

/* ---- Trust ------------------------------------------------------------------------------------ */
static u32 types_in(u32 check) { /* types that a check's data hold */
    switch (check) {
    case UNDEFINED_SHIFT_OUT_OF_BOUNDS:
    case UNDEFINED_OUT_OF_BOUNDS:
    case UNDEFINED_FLOAT_CAST_OVERFLOW:
    case UNDEFINED_IMPLICIT_CONVERSION: return 2;
    case UNDEFINED_ADD_OVERFLOW:
    case UNDEFINED_SUB_OVERFLOW:
    case UNDEFINED_MUL_OVERFLOW:
    case UNDEFINED_NEGATE_OVERFLOW:
    case UNDEFINED_DIVREM_OVERFLOW:
    case UNDEFINED_LOAD_INVALID_VALUE:
    case UNDEFINED_VLA_BOUND_NOT_POSITIVE:
    case UNDEFINED_FUNCTION_TYPE_MISMATCH:
    case UNDEFINED_TYPE_MISMATCH: return 1;
    default: return 0;
    }
}

/* The data are the program's, which may have overwritten them: those that cannot be read are none. */
static const struct data *readable(u32 check, const struct data *d) {
    u32 types = types_in(check), size = check == UNDEFINED_TYPE_MISMATCH ? 26 : 16 + 8 * types;
    if (!d || !memory_valid((u64)d, size)) return 0;
    if (types > 0 && !memory_valid((u64)d->type, sizeof(struct type) + 1)) return 0;
    return types < 2 || memory_valid((u64)d->other, sizeof(struct type) + 1) ? d : 0;
}

/* The check itself.  s: the condition's expression; data: 0 where the program was built to trap. */
SLOW void cinq_must_hold_check(u32 site, u32 s, u32 holds, u32 check, const void *data, u64 a, u64 b) {
    struct message m;
    const struct data *d = readable(check, data);
    u32 kind = kind_of(check, d, a, b);
    if (s) decide(EVENT_CHECK, site, s, holds, kind);
    if (holds) return;
    m.length = 0;
    m.text[0] = 0;
    if (d) say_check(&m, check, d, a, b);
    error_end(kind, site, m.text);
}

void cinq_must_hold(u8 holds, u32 check, const void *data, u64 a, u64 b) { /* as instrumented code has it inline */
    u32 s = cinq_arg[0];
    cinq_ret[0] = 0;
    cinq_must_hold_check(call_site(), s, holds & 1, check, data, a, b);
}

/* ---- What only the machine knows ----------------------------------------------------------------- */
u64 cinq_object_size(u64 address) { /* bytes from here to the object's end; -1: not known */
    struct object o;
    u64 inside = object_find(address, &o) && o.live;
    cinq_ret[0] = 0;
    return inside ? o.base + o.size - address : ~(u64)0;
}

struct function_type { u64 function; u32 hash; };
extern const struct function_type cinq_function_types[] __attribute__((weak));

u8 cinq_function_is(u64 function, u32 hash) { /* functions of unknown type are of any */
    cinq_ret[0] = 0;
    for (const struct function_type *t = cinq_function_types; t && t->function; t++)
        if (t->function == function) return t->hash == hash;
    return 1;
}
