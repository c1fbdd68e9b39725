/* Programs declare what assert calls themselves, as glibc does. */
#include <assert.h>
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
static_assert(sizeof(long) == 8, "long");
int main(void) {
    int ran = 0;
    assert(++ran == 1);
#define NDEBUG
#include <assert.h>
    assert(ran == 2);
    if (ran == 3) __assert_fail("0", "asserts.c", 12, "main");
    return ran;
}
