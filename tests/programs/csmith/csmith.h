/* What programs by csmith include: arithmetic that is always defined, and a checksum of their variables.
 *
 * Written for these tests: the checksum takes part in QUIET runs only up to the point of printing (input.h).
 */
#ifndef CSMITH_H
#define CSMITH_H
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* NAME is as csmith spells it, W the number of bits; signed results that do not fit give the first operand. */
#define CSMITH_SIGNED(W) \
    static int##W##_t safe_unary_minus_func_int##W##_t_s(int##W##_t a) { return a == INT##W##_MIN ? a : -a; } \
    static int##W##_t safe_add_func_int##W##_t_s_s(int##W##_t a, int##W##_t b) { int##W##_t r; return __builtin_add_overflow(a, b, &r) ? a : r; } \
    static int##W##_t safe_sub_func_int##W##_t_s_s(int##W##_t a, int##W##_t b) { int##W##_t r; return __builtin_sub_overflow(a, b, &r) ? a : r; } \
    static int##W##_t safe_mul_func_int##W##_t_s_s(int##W##_t a, int##W##_t b) { int##W##_t r; return __builtin_mul_overflow(a, b, &r) ? a : r; } \
    static int##W##_t safe_div_func_int##W##_t_s_s(int##W##_t a, int##W##_t b) { return b == 0 || (a == INT##W##_MIN && b == -1) ? a : a / b; } \
    static int##W##_t safe_mod_func_int##W##_t_s_s(int##W##_t a, int##W##_t b) { return b == 0 || (a == INT##W##_MIN && b == -1) ? a : a % b; } \
    static int##W##_t safe_lshift_func_int##W##_t_s_s(int##W##_t a, int b) { return a < 0 || b < 0 || b >= 32 || a > INT##W##_MAX >> b ? a : a << b; } \
    static int##W##_t safe_lshift_func_int##W##_t_s_u(int##W##_t a, unsigned b) { return a < 0 || b >= 32 || a > INT##W##_MAX >> b ? a : a << b; } \
    static int##W##_t safe_rshift_func_int##W##_t_s_s(int##W##_t a, int b) { return a < 0 || b < 0 || b >= 32 ? a : a >> b; } \
    static int##W##_t safe_rshift_func_int##W##_t_s_u(int##W##_t a, unsigned b) { return a < 0 || b >= 32 ? a : a >> b; }

#define CSMITH_UNSIGNED(W) \
    static uint##W##_t safe_unary_minus_func_uint##W##_t_u(uint##W##_t a) { return -a; } \
    static uint##W##_t safe_add_func_uint##W##_t_u_u(uint##W##_t a, uint##W##_t b) { return a + b; } \
    static uint##W##_t safe_sub_func_uint##W##_t_u_u(uint##W##_t a, uint##W##_t b) { return a - b; } \
    static uint##W##_t safe_mul_func_uint##W##_t_u_u(uint##W##_t a, uint##W##_t b) { return (uint##W##_t)(1ull * a * b); } \
    static uint##W##_t safe_div_func_uint##W##_t_u_u(uint##W##_t a, uint##W##_t b) { return b == 0 ? a : a / b; } \
    static uint##W##_t safe_mod_func_uint##W##_t_u_u(uint##W##_t a, uint##W##_t b) { return b == 0 ? a : a % b; } \
    static uint##W##_t safe_lshift_func_uint##W##_t_u_s(uint##W##_t a, int b) { return b < 0 || b >= 32 || a > UINT##W##_MAX >> b ? a : a << b; } \
    static uint##W##_t safe_lshift_func_uint##W##_t_u_u(uint##W##_t a, unsigned b) { return b >= 32 || a > UINT##W##_MAX >> b ? a : a << b; } \
    static uint##W##_t safe_rshift_func_uint##W##_t_u_s(uint##W##_t a, int b) { return b < 0 || b >= 32 ? a : a >> b; } \
    static uint##W##_t safe_rshift_func_uint##W##_t_u_u(uint##W##_t a, unsigned b) { return b >= 32 ? a : a >> b; }

CSMITH_SIGNED(8) CSMITH_SIGNED(16) CSMITH_SIGNED(32) CSMITH_SIGNED(64)
CSMITH_UNSIGNED(8) CSMITH_UNSIGNED(16) CSMITH_UNSIGNED(32) CSMITH_UNSIGNED(64)

static uint64_t crc32_context = 0xffffffff;
static void crc32_gentab(void) {}
static void transparent_crc(uint64_t value, const char *name, int flag) { crc32_context = (crc32_context ^ value) * 0x9e3779b97f4a7c15ull; }
static void transparent_crc_bytes(const void *p, int n, const char *name, int flag) { for (int i = 0; i < n; i++) transparent_crc(((const unsigned char *)p)[i], name, flag); }
static void platform_main_begin(void) {}
static void platform_main_end(uint64_t sum, int flag) { if (!getenv("QUIET")) printf("checksum = %llx\n", (unsigned long long)sum); }
#endif
