/* Atomic operations on objects of any size, which compilers leave to a library.  There is one thread.
 * To clang their names are builtins of its own, so the functions get them as labels. */
#include <stddef.h>
#include <string.h>

typedef unsigned __int128 u128;

void atomic_load(size_t size, const volatile void *from, void *to, int order) __asm__("__atomic_load");
void atomic_store(size_t size, volatile void *to, const void *from, int order) __asm__("__atomic_store");
void atomic_exchange(size_t size, volatile void *object, const void *value, void *old, int order) __asm__("__atomic_exchange");
int atomic_compare_exchange(size_t size, volatile void *object, void *expected, const void *value, int yes, int no) __asm__("__atomic_compare_exchange");
int atomic_is_lock_free(size_t size, const volatile void *object) __asm__("__atomic_is_lock_free");
u128 atomic_load_16(const volatile void *object, int order) __asm__("__atomic_load_16");
void atomic_store_16(volatile void *object, u128 value, int order) __asm__("__atomic_store_16");
int atomic_compare_exchange_16(volatile void *object, void *expected, u128 value, int yes, int no) __asm__("__atomic_compare_exchange_16");

void atomic_load(size_t size, const volatile void *from, void *to, int order)
{
    (void)order;
    memcpy(to, (const void *)from, size);
}

void atomic_store(size_t size, volatile void *to, const void *from, int order)
{
    (void)order;
    memcpy((void *)to, from, size);
}

void atomic_exchange(size_t size, volatile void *object, const void *value, void *old, int order)
{
    (void)order;
    for (size_t i = 0; i < size; i++) { /* `old` and `value` may be one */
        unsigned char taken = ((volatile unsigned char *)object)[i];
        ((volatile unsigned char *)object)[i] = ((const unsigned char *)value)[i];
        ((unsigned char *)old)[i] = taken;
    }
}

int atomic_compare_exchange(size_t size, volatile void *object, void *expected, const void *value, int yes, int no)
{
    (void)yes, (void)no;
    if (memcmp((const void *)object, expected, size)) {
        memcpy(expected, (const void *)object, size);
        return 0;
    }
    memcpy((void *)object, value, size);
    return 1;
}

int atomic_is_lock_free(size_t size, const volatile void *object)
{
    (void)object;
    return size <= 8 && (size & (size - 1)) == 0;
}

u128 atomic_load_16(const volatile void *object, int order)
{
    (void)order;
    return *(const u128 *)object;
}

void atomic_store_16(volatile void *object, u128 value, int order)
{
    (void)order;
    *(u128 *)object = value;
}

int atomic_compare_exchange_16(volatile void *object, void *expected, u128 value, int yes, int no)
{
    return atomic_compare_exchange(16, object, expected, &value, yes, no);
}

#define CHANGE(name, label, changed)                        \
    u128 name(volatile void *, u128, int) __asm__(label);   \
    u128 name(volatile void *object, u128 value, int order) \
    {                                                       \
        u128 old = *(u128 *)object;                         \
        (void)order;                                        \
        *(u128 *)object = (changed);                        \
        return old;                                         \
    }
CHANGE(exchange, "__atomic_exchange_16", value)
CHANGE(fetch_add, "__atomic_fetch_add_16", old + value)
CHANGE(fetch_sub, "__atomic_fetch_sub_16", old - value)
CHANGE(fetch_and, "__atomic_fetch_and_16", old & value)
CHANGE(fetch_or, "__atomic_fetch_or_16", old | value)
CHANGE(fetch_xor, "__atomic_fetch_xor_16", old ^ value)
CHANGE(fetch_nand, "__atomic_fetch_nand_16", ~(old & value))
