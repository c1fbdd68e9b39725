/* A native function called from Python: its arguments, converted one by one (extension.py writes the calls).
 *
 * A handle is an address as an integer, or None.  An array is also whatever shows its memory by the buffer protocol: the
 * memory is held until the function has returned, and its items must be as large as the parameter's. */
#ifndef CINQ_CALL_H
#define CINQ_CALL_H
#include "common/python.h"
#include "common/types.h"

#define MOST_ARGUMENTS 18

struct call {
    const char *name;
    PyObject *const *arguments;
    int failed, held;
    Py_buffer views[MOST_ARGUMENTS];
    PyObject *room[MOST_ARGUMENTS];
};

extern PyObject *call_module, *call_none;

/* The arguments of a function that takes `wanted`: those it is bound to, which are a tuple instead of its module, and
 * those that are given.  0 if there are too few or too many. */
static inline int call_begin(struct call *c, const char *name, PyObject *self, PyObject *const *given, Py_ssize_t count,
                             Py_ssize_t wanted)
{
    Py_ssize_t bound = 0;
    c->name = name;
    c->failed = c->held = 0;
    c->arguments = given;
    if (self != call_module) {
        bound = PyTuple_Size(self);
        for (Py_ssize_t i = 0; i < bound; i++) c->room[i] = PyTuple_GetItem(self, i);
        for (Py_ssize_t i = 0; i < count && bound + i < wanted; i++) c->room[bound + i] = given[i];
        c->arguments = c->room;
    }
    if (bound + count == wanted) return 1;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, wanted - bound, count);
    return 0;
}

static inline void call_end(struct call *c)
{
    while (c->held) PyBuffer_Release(&c->views[--c->held]);
}

static inline u64 call_whole(struct call *c, PyObject *o)
{
    if (c->failed) return 0;
    u64 value = PyLong_AsUnsignedLongLongMask(o);
    if (value == ~(u64)0 && PyErr_Occurred()) c->failed = 1;
    return value;
}

/* For a parameter of 32 bits, signed or not. */
static inline u32 call_half(struct call *c, PyObject *o)
{
    u64 value = call_whole(c, o);
    if (value + 0x80000000u <= 0x17FFFFFFFu || c->failed) return (u32)value;
    PyErr_Format(PyExc_OverflowError, "%s: an argument does not fit into 32 bits", c->name);
    c->failed = 1;
    return 0;
}

static inline double call_real(struct call *c, PyObject *o)
{
    double value = c->failed ? 0 : PyFloat_AsDouble(o);
    if (value == -1 && PyErr_Occurred()) c->failed = 1;
    return value;
}

static inline void *call_handle(struct call *c, PyObject *o)
{
    return o == call_none ? 0 : (void *)(uintptr_t)call_whole(c, o);
}

void *call_view(struct call *c, PyObject *o, size_t item);

/* `item`: the size of what it points to, 1 for bytes or anything. */
static inline void *call_array(struct call *c, PyObject *o, size_t item)
{
    if (o == call_none || c->failed) return 0;
    PyObject *type = PyObject_Type(o);
    Py_DecRef(type);
    return type == (PyObject *)&PyLong_Type ? (void *)(uintptr_t)call_whole(c, o) : call_view(c, o, item);
}

static inline PyObject *call_nothing(void)
{
    Py_IncRef(call_none);
    return call_none;
}

static inline PyObject *call_address(const void *p)
{
    return p ? PyLong_FromUnsignedLongLong((uintptr_t)p) : call_nothing();
}

PyObject *call_numbers(const i64 *from, cinq_numbers count);

/* call.c, beside the functions of the areas */
PyObject *call_address_of(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
PyObject *call_text_at(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
PyObject *call_bound(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
PyObject *call_start(PyModuleDef *module);

#endif
