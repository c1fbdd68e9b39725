/* What every strategy that Empc asks for states is told when one has its answer (empc/searcher.py), in one call. */
#include <stdint.h>

typedef int32_t i32;
typedef uint64_t u64;

#define NOBODY (~(u64)0)

struct crowd;
struct paths;
struct cinq_event;
void cinq_paths_settle(struct paths *p, u64 id);
void cinq_subpaths_pass(struct crowd **crowds, const u64 *lengths, u64 count, const struct cinq_event *events, u64 n,
                        u64 first, i32 own);

/* Who is told; Empc makes it: the family of sgs.py, and randompath.py's tree. */
struct told { struct crowd **crowds; const u64 *lengths; u64 count; struct paths *paths; };

/* State number `id` (NOBODY: none) led to a run of n events (0: to none), new from `first` on; `own`: sgs.py. */
void cinq_turned(const struct told *t, u64 id, const struct cinq_event *events, u64 n, u64 first, i32 own)
{
    cinq_subpaths_pass(t->crowds, t->lengths, t->count, events, n, first, own);
    if (id != NOBODY) cinq_paths_settle(t->paths, id);
}
