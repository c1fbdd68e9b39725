/* Calls from Python (call.h): what is not worth inlining, and the functions that all modules of this kind have. */
#include "common/call.h"

PyObject *call_module, *call_none;
static struct python_method *methods;

static void refuse(struct call *c, const Py_buffer *view, size_t item)
{
    PyErr_Format(PyExc_TypeError, "%s: items of %zd bytes in %zd, where they should have %zd", c->name, view->itemsize,
                 view->len, (Py_ssize_t)item);
    c->failed = 1;
}

void *call_view(struct call *c, PyObject *o, size_t item)
{
    Py_buffer *view = &c->views[c->held];
    if (PyObject_GetBuffer(o, view, SIMPLE)) {
        c->failed = 1;
        return 0;
    }
    c->held++;
    size_t own = (size_t)view->itemsize;
    if (item > 1 && own != item && (own != 1 || (size_t)view->len % item)) refuse(c, view, item);
    return view->buf;
}

PyObject *call_numbers(const i64 *from, cinq_numbers count)
{
    if (count < 0) return call_nothing();
    PyObject *all = PyTuple_New(count);
    for (int i = 0; all && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(from[i]);
        if (number && !PyTuple_SetItem(all, i, number)) continue;
        Py_DecRef(all);
        return 0;
    }
    return all;
}

/* Where a contiguous array's memory is; it must be kept and not be resized as long as that is used. */
PyObject *call_address_of(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    struct call c;
    if (!call_begin(&c, "address", self, arguments, count, 1)) return 0;
    void *at = call_view(&c, arguments[0], 1);
    call_end(&c);
    return c.failed ? 0 : PyLong_FromUnsignedLongLong((uintptr_t)at);
}

/* So many bytes from an address on. */
PyObject *call_text_at(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    struct call c;
    if (!call_begin(&c, "text_at", self, arguments, count, 2)) return 0;
    const char *from = call_handle(&c, arguments[0]);
    u64 size = call_whole(&c, arguments[1]);
    return c.failed ? 0 : PyBytes_FromStringAndSize(from, (Py_ssize_t)size);
}

/* A function of the module with its first arguments fixed. */
PyObject *call_bound(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    (void)self;
    PyCFunction wanted = count ? PyCFunction_GetFunction(arguments[0]) : 0;
    struct python_method *m = methods;
    while (m->name && (PyCFunction)(void (*)(void))m->call != wanted) m++;
    if (!wanted || !m->name || count > MOST_ARGUMENTS)
        return PyErr_Occurred() ? 0 : PyErr_Format(PyExc_TypeError, "not a native function with its arguments");
    PyObject *fixed = PyTuple_New(count - 1);
    for (Py_ssize_t i = 1; fixed && i < count; i++) {
        Py_IncRef(arguments[i]);
        PyTuple_SetItem(fixed, i - 1, arguments[i]);
    }
    PyObject *made = fixed ? PyCMethod_New((PyMethodDef *)m, fixed, 0, 0) : 0;
    if (fixed) Py_DecRef(fixed);
    return made;
}

PyObject *call_start(PyModuleDef *module)
{
    methods = ((struct python_module *)module)->methods;
    call_none = Py_BuildValue("");
    return call_module = call_none ? PyModule_Create2(module, ABI_VERSION) : 0;
}

#if __has_feature(undefined_behavior_sanitizer)
#include <stdio.h>
#include <stdlib.h>

struct location {
    const char *file;
    u32 line, column;
};

/* What clang calls for a function called by another type than its own; gcc's run-time library lacks it. */
void __ubsan_handle_function_type_mismatch_abort(const struct location *at);
void __ubsan_handle_function_type_mismatch_abort(const struct location *at)
{
    dprintf(2, "%s:%u:%u: runtime error: call of a function by another type than its own\n", at->file, at->line,
            at->column);
    abort();
}
#endif
