/* What is used of Python: a few functions of its stable ABI, as of 3.11, which every later CPython keeps.  Written down
 * here, so that no headers of Python need be installed; tests/native/test_stable_abi.py compares this with Python.h
 * where that is. */
#ifndef CINQ_PYTHON_H
#define CINQ_PYTHON_H
#include <stddef.h>

typedef ptrdiff_t Py_ssize_t; /* as in Python.h, where it is ssize_t */
typedef struct _object PyObject;

struct python_method {
    const char *name;
    PyObject *(*call)(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
    int flags;
    const char *text;
};

struct python_module {
    struct {
        Py_ssize_t references;
        void *type;
    } head;
    PyObject *(*start)(void);
    Py_ssize_t index;
    PyObject *copy;
    const char *name, *text;
    Py_ssize_t size;
    struct python_method *methods;
    void *slots, *traverse, *clear, *free;
};

struct python_buffer {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
};

#define FASTCALL 0x80 /* METH_FASTCALL */
#define SIMPLE 0 /* PyBUF_SIMPLE */
#define ABI_VERSION 3 /* PYTHON_ABI_VERSION */

#ifndef Py_PYTHON_H
typedef struct python_buffer Py_buffer;
typedef struct python_module PyModuleDef;
typedef struct python_method PyMethodDef;
typedef struct _typeobject PyTypeObject;
typedef struct _ts PyThreadState;
typedef PyObject *(*PyCFunction)(PyObject *, PyObject *);
#endif

extern PyTypeObject PyLong_Type;
extern PyObject *PyExc_TypeError, *PyExc_OverflowError;

void Py_IncRef(PyObject *);
void Py_DecRef(PyObject *);
PyObject *Py_BuildValue(const char *, ...);
PyObject *PyObject_Type(PyObject *);
PyObject *PyErr_Occurred(void);
PyObject *PyErr_Format(PyObject *, const char *, ...);
PyObject *PyModule_Create2(PyModuleDef *, int);
PyObject *PyCMethod_New(PyMethodDef *, PyObject *self, PyObject *module, PyTypeObject *);
PyCFunction PyCFunction_GetFunction(PyObject *);
unsigned long long PyLong_AsUnsignedLongLongMask(PyObject *);
PyObject *PyLong_FromLongLong(long long);
PyObject *PyLong_FromUnsignedLongLong(unsigned long long);
double PyFloat_AsDouble(PyObject *);
PyObject *PyFloat_FromDouble(double);
PyObject *PyBytes_FromStringAndSize(const char *, Py_ssize_t);
PyObject *PyTuple_New(Py_ssize_t);
Py_ssize_t PyTuple_Size(PyObject *);
PyObject *PyTuple_GetItem(PyObject *, Py_ssize_t);
int PyTuple_SetItem(PyObject *, Py_ssize_t, PyObject *);
int PyObject_GetBuffer(PyObject *, Py_buffer *, int flags);
void PyBuffer_Release(Py_buffer *);
PyThreadState *PyEval_SaveThread(void);
void PyEval_RestoreThread(PyThreadState *);

#endif
