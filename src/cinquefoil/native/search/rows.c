/* Rows of pending states, one at a time. */
#include "search/search.h"

cinq_numbers cinq_row(i64 *out, const struct columns *c, u64 row)
{
    out[0] = 0; /* the number of an entry in an index */
    out[1] = row;
    out[2] = c->index[row];
    out[3] = c->kind[row];
    out[4] = c->site[row];
    out[5] = c->alternative[row];
    out[6] = c->target[row];
    out[7] = c->depth[row];
    out[8] = c->steps[row];
    out[9] = c->trace[row];
    out[10] = c->fresh[row];
    out[11] = c->value[row];
    return 12;
}
