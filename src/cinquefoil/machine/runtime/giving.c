/* Results and arguments of system calls in program memory: checked, then touched. */
#include "files.h"

void give(u64 to, const void *from, u64 n) {
    memory_check(to, n, ACCESS_WRITE, call_site());
    memory_concrete(to, n);
    raw_copy((void *)to, from, n);
}

void give_zeros(u64 to, u64 n) {
    memory_check(to, n, ACCESS_WRITE, call_site());
    memory_concrete(to, n);
    raw_fill((void *)to, 0, n);
}

u64 take_word(u64 from) {
    memory_check(from, 8, ACCESS_READ, call_site());
    concretize(call_site(), memory_gather(from, 8), *(const u64 *)from, REASON_SYSCALL);
    return *(const u64 *)from;
}
