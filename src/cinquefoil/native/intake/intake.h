/* Intake: what a worker wrote, copied and checked.  All that Python calls. */
#ifndef CINQ_INTAKE_H
#define CINQ_INTAKE_H
#include "common/types.h"
#include "layout.h"

struct intake {
    const u8 *shared;
    struct cinq_node *nodes;
    struct cinq_table *tables;
    u8 *pool;
    u32 *alts;
    u32 *tops;   /* per table: the largest id among its elements */
    u8 *covered; /* per site: 1 if its byte is set */
    u64 node_count, table_count, pool_size, alt_count; /* taken in so far */
    u64 sites;
    u64 last_reason, last_error; /* of enum cinq_reason and enum cinq_error_kind */
};

/* Is there such an operation? */
u32 cinq_intake_knows(u32 op);
void cinq_intake_forget(struct intake *in);
/* Every byte of the coverage as 0 or 1, which numpy relies on. */
void cinq_intake_cover(struct intake *in);
/* Is one of the wanted sites (0 or 1 each) covered? */
u32 cinq_intake_reaches(const struct intake *in, const u8 *wanted, u64 count);
/* Takes in the coverage and expressions of a run; the run's counts as one look at the shared memory showed them.  None:
 * the worker cannot be trusted. */
cinq_numbers cinq_intake_take(i64 *out, struct intake *in);
/* Are a run's events and block trace, copied from the shared memory, what the run-time writes? */
u32 cinq_intake_check(const struct intake *in, const struct cinq_event *events, u64 count, const u32 *trace,
                      u64 length);
/* The same of its remarks. */
u32 cinq_intake_check_remarks(const struct intake *in, const struct cinq_remark *remarks, u64 count);

#endif
