/* Results and arguments of system calls in program memory: checked, then touched.
 *
 * A buffer where there is no memory at all, or none that may be written, makes the call answer EFAULT, as the
 * kernel does.  A buffer that ends too early, or was freed, the kernel would use without a word: that is an error.
 */
#include "files.h"

#define NEAR 4096 /* bytes from an object: further away, the kernel is not known to find memory */

static int is_mapped(u64 address) {
    struct object o;
    if (address >= CINQ_STACK_BASE && address < CINQ_STACK_END) return 1;
    if (address < 0x1000 || !object_near(address, &o)) return 0;
    return address < o.base ? o.base - address <= NEAR : address - o.base <= o.size + NEAR;
}

static int is_constant(u64 address) {
    struct object o;
    return object_find(address, &o) && o.constant;
}

void buffer_check(u64 address, u64 size, u32 access) {
    if (!size || (memory_valid(address, size) && !(access == ACCESS_WRITE && is_constant(address)))) return;
    if (!is_mapped(address) || (access == ACCESS_WRITE && is_constant(address))) syscall_fault();
    memory_check(address, size, access, call_site());
}

void give(u64 to, const void *from, u64 n) {
    buffer_check(to, n, ACCESS_WRITE);
    memory_concrete(to, n);
    raw_copy((void *)to, from, n);
}

void give_zeros(u64 to, u64 n) {
    buffer_check(to, n, ACCESS_WRITE);
    memory_concrete(to, n);
    raw_fill((void *)to, 0, n);
}

u64 take_word(u64 from) {
    buffer_check(from, 8, ACCESS_READ);
    concretize(call_site(), memory_gather(from, 8), *(const u64 *)from, REASON_SYSCALL);
    return *(const u64 *)from;
}
