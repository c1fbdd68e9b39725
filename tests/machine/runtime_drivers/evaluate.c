/* eval.h as a shared library, for comparison with Python's own arithmetic. */
#include "eval.h"

void evaluate(uint32_t op, uint32_t width, uint32_t wa, uint64_t imm, const uint64_t *operands, uint64_t *result) {
    cinq_value v[3];
    for (int i = 0; i < 3; i++) v[i] = (cinq_value)operands[2 * i + 1] << 64 | operands[2 * i];
    cinq_value r = eval_op(op, width, wa, imm, v[0], v[1], v[2]);
    result[0] = (uint64_t)r;
    result[1] = (uint64_t)(r >> 64);
}
