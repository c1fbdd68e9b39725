/* A second thread or a child on its own stack is a system call like any other: the run-time decides. */
#include <stdarg.h>
#include "pthread_impl.h"

int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    return __syscall(SYS_clone, flags, stack, function, argument);
}
