/* Thread cancellation, for linking only: with one thread no call is ever interrupted by it. */
#include "pthread_impl.h"
#include "syscall.h"

hidden const char __cp_begin[1] = {0}, __cp_end[1] = {0}, __cp_cancel[1] = {0};

hidden long __syscall_cp_asm(volatile void *cancel, syscall_arg_t n, syscall_arg_t a, syscall_arg_t b,
                             syscall_arg_t c, syscall_arg_t d, syscall_arg_t e, syscall_arg_t f)
{
    return __syscall(n, a, b, c, d, e, f);
}
