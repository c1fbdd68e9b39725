/* Rows of pending states, one at a time. */
#include "rows.h"

/* In the order in which search.state.State takes them. */
int cinq_row(int64_t *out, const struct columns *c, uint64_t row)
{
    out[0] = c->index[row];
    out[1] = c->kind[row];
    out[2] = c->site[row];
    out[3] = c->alternative[row];
    out[4] = c->target[row];
    out[5] = c->depth[row];
    out[6] = c->steps[row];
    out[7] = c->trace[row];
    out[8] = c->fresh[row];
    return 9;
}
