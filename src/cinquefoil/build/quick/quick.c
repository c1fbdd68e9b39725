/* Native functions as Python functions, called without ctypes, which takes longer for a call than most of them do.
 *
 * What is used of Python is declared here, so that no headers of it need be installed: functions and types of its
 * stable ABI (3.10 and later), found in the process that loads this.  Two facts are not part of that: where an object's
 * type and an array's memory are.  `calls.py` checks both, and does without this file where they do not hold. */
#include <stdint.h>

typedef struct object { intptr_t references; void *type; } object;
typedef intptr_t size;
typedef object *(*method)(object *self, object *const *arguments, size count);
struct definition { const char *name; method call; int flags; const char *text; };

#define FASTCALL 0x80 /* METH_FASTCALL */
#define MOST 18       /* arguments, and numbers of a result */

extern object _Py_NoneStruct, PyLong_Type, PyBytes_Type;
extern object *PyExc_TypeError;
void Py_IncRef(object *);
void Py_DecRef(object *);
object *PyErr_Occurred(void);
object *PyErr_Format(object *, const char *, ...);
object *PyCFunction_NewEx(struct definition *, object *self, object *module);
object *PyLong_FromVoidPtr(void *);
void *PyLong_AsVoidPtr(object *);
object *PyLong_FromLongLong(long long);
object *PyLong_FromUnsignedLongLong(unsigned long long);
unsigned long long PyLong_AsUnsignedLongLongMask(object *);
char *PyBytes_AsString(object *);
object *PyBytes_FromStringAndSize(const char *, size);
object *PyTuple_New(size);
int PyTuple_SetItem(object *, size, object *);

typedef uint64_t u64;
typedef u64 (*native)(u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64);

/* What becomes of a result; the numbers are those of calls.py.  NUMBERS: the function puts them where its first
 * argument, which Python does not give, points to, and returns how many; less than none means None. */
enum result { NOTHING, SIGNED_32, UNSIGNED_32, SIGNED_64, UNSIGNED_64, POINTER, NUMBERS };
struct function {
    struct definition definition;
    native code;
    size arguments, bound; /* those given, after those that are always the same */
    u64 words[2];
    enum result result;
};

static void *array_type;

static object *none(void)
{
    Py_IncRef(&_Py_NoneStruct);
    return &_Py_NoneStruct;
}

/* An array's memory is where the field after the object's head points to. */
static u64 word(object *o)
{
    if (o->type == &PyLong_Type) return PyLong_AsUnsignedLongLongMask(o);
    if (o->type == array_type) return *(u64 *)(o + 1);
    if (o->type == &PyBytes_Type) return (u64)PyBytes_AsString(o);
    if (o == &_Py_NoneStruct) return 0;
    return PyLong_AsUnsignedLongLongMask(o); /* a bool, an enum; or an error */
}

static object *numbers(const long long *from, int count)
{
    if (count < 0) return none();
    object *all = PyTuple_New(count);
    for (int i = 0; all && i < count; i++) PyTuple_SetItem(all, i, PyLong_FromLongLong(from[i]));
    return all;
}

static object *given(enum result kind, u64 r)
{
    switch (kind) {
    case SIGNED_32: return PyLong_FromLongLong((int32_t)r);
    case UNSIGNED_32: return PyLong_FromUnsignedLongLong((uint32_t)r);
    case SIGNED_64: return PyLong_FromLongLong((long long)r);
    case UNSIGNED_64: return PyLong_FromUnsignedLongLong(r);
    case POINTER: return r ? PyLong_FromUnsignedLongLong(r) : none();
    default: return none();
    }
}

/* Arguments beyond a function's own do it no harm: the caller tidies up after them. */
static object *call(object *self, object *const *arguments, size count)
{
    const struct function *f = PyLong_AsVoidPtr(self);
    u64 w[MOST + 1] = {0}, *at = w;
    long long out[MOST];
    if (count != f->arguments)
        return PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", f->definition.name, f->arguments, count);
    if (f->result == NUMBERS) *at++ = (u64)out;
    for (size i = 0; i < f->bound; i++) *at++ = f->words[i];
    for (size i = 0; i < count; i++) {
        at[i] = word(arguments[i]);
        if (at[i] == ~(u64)0 && PyErr_Occurred()) return 0;
    }
    u64 r = f->code(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15],
                    w[16], w[17], w[18]);
    return f->result == NUMBERS ? numbers(out, (int)r) : given(f->result, r);
}

/* ctypes.string_at */
static object *text_at(object *self, object *const *arguments, size count)
{
    (void)self;
    if (count != 2) return PyErr_Format(PyExc_TypeError, "text_at takes 2 arguments, not %zd", count);
    u64 from = word(arguments[0]), length = word(arguments[1]);
    return PyErr_Occurred() ? 0 : PyBytes_FromStringAndSize((const char *)from, (size)length);
}

/* ---- called by way of ctypes, once each ---- */

void cinq_quick_start(void *arrays) { array_type = arrays; }

/* The Python function for a native one; `f` must stay where it is. */
object *cinq_quick(struct function *f)
{
    f->definition.call = call;
    f->definition.flags = FASTCALL;
    object *self = PyLong_FromVoidPtr(f), *made = self ? PyCFunction_NewEx(&f->definition, self, 0) : 0;
    if (self) Py_DecRef(self);
    return made;
}

object *cinq_quick_text_at(void)
{
    static struct definition d = {"text_at", text_at, FASTCALL, 0};
    return PyCFunction_NewEx(&d, 0, 0);
}
