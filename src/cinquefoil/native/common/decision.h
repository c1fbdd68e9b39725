/* What a run decided at its events, as numbers (states/state.py does the same for a single one). */
#ifndef CINQ_DECISION_H
#define CINQ_DECISION_H
#include "common/hash.h"
#include "layout.h"

#define HISTORY 64 /* decisions kept from before a run's new part */
#define OTHER (-1) /* instead of a direction: any value not seen yet */

static inline int by_value(u32 kind) { return kind == EVENT_PIN || kind == EVENT_CONCRETIZE; }
static inline int forks(u32 kind) { return kind == EVENT_BRANCH || kind == EVENT_SWITCH; }
static inline int decides(u32 kind) { return forks(kind) || by_value(kind); }

/* What event i turned out; `failed` is the index of an assumption that ended the run, or beyond. */
static inline u64 outcome_of(const struct cinq_event *e, u64 i, u64 failed)
{
    if (by_value(e->kind)) return e->value;
    if (e->kind == EVENT_ASSUME) return i != failed;
    return e->taken;
}

/* What happened at one event, as one number. */
static inline u64 decision_key(u32 site, u32 kind, u64 outcome)
{
    return scattered(((u64)site << 8 | kind) * GOLDEN + outcome);
}

#endif
