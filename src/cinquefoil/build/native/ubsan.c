/* UndefinedBehaviorSanitizer's handlers in a plain native executable: they say what failed, and go on where clang's would.
 *
 * The program's bitcode, which is what gets explored, has checks of its own instead (build/ubsan.py).
 */
#include <stdio.h>
#include <stdlib.h>

struct location { const char *file; unsigned line, column; };

static void tell(const struct location *at, const char *what)
{
    if (at && at->file) fprintf(stderr, "%s:%u:%u: runtime error: %s\n", at->file, at->line, at->column, what);
    else fprintf(stderr, "runtime error: %s\n", what);
}

#define WEAK __attribute__((weak))
#define HANDLER(NAME, SUFFIX, WHAT)                                                                 \
    WEAK void __ubsan_handle_##NAME##SUFFIX(struct location *at) { tell(at, WHAT); }                   \
    WEAK void __ubsan_handle_##NAME##SUFFIX##_abort(struct location *at) { tell(at, WHAT), abort(); }  \
    WEAK void __ubsan_handle_##NAME##_minimal(void) { tell(0, WHAT); }                              \
    WEAK void __ubsan_handle_##NAME##_minimal_abort(void) { tell(0, WHAT), abort(); }
HANDLER(add_overflow, , "integer overflow by an addition")
HANDLER(sub_overflow, , "integer overflow by a subtraction")
HANDLER(mul_overflow, , "integer overflow by a multiplication")
HANDLER(negate_overflow, , "integer overflow by a negation")
HANDLER(divrem_overflow, , "division by zero, or overflow by a division")
HANDLER(shift_out_of_bounds, , "invalid shift")
HANDLER(out_of_bounds, , "index out of bounds")
HANDLER(type_mismatch, _v1, "null, misaligned or too small an object")
HANDLER(alignment_assumption, , "false assumption of alignment")
HANDLER(pointer_overflow, , "pointer arithmetic overflows")
HANDLER(vla_bound_not_positive, , "the bound of a variable length array is not positive")
HANDLER(float_cast_overflow, , "the value is outside of the range of the type")
HANDLER(load_invalid_value, , "invalid value for the type")
HANDLER(implicit_conversion, , "implicit conversion changes the value")
HANDLER(invalid_builtin, , "__builtin_clz or __builtin_ctz of 0")
HANDLER(function_type_mismatch, , "a function is called through a pointer of another type")
HANDLER(nonnull_arg, , "a null pointer is passed where none may be")
HANDLER(nullability_arg, , "a null pointer is passed where none may be")
HANDLER(nonnull_return, _v1, "a null pointer is returned where none may be")
HANDLER(nullability_return, _v1, "a null pointer is returned where none may be")

/* These two never return. */
WEAK void __ubsan_handle_builtin_unreachable(struct location *at) { tell(at, "__builtin_unreachable is reached"), abort(); }
WEAK void __ubsan_handle_missing_return(struct location *at) { tell(at, "no value is returned"), abort(); }
WEAK void __ubsan_handle_builtin_unreachable_minimal_abort(void) { tell(0, "__builtin_unreachable is reached"), abort(); }
WEAK void __ubsan_handle_missing_return_minimal_abort(void) { tell(0, "no value is returned"), abort(); }
