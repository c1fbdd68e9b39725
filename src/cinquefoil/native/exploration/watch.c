/* Which phase of an exploration runs, and how long each has run: asked for a dozen times a path. */
#include <time.h>

#include "exploration/exploration.h"

enum clock { WALL, PROCESSOR, COUNTING }; /* explore.loop.statistics.CLOCKS */

static double shown(int which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double cinq_watch_now(struct watch *w)
{
    if (w->clock == COUNTING) return (double)w->looks++;
    if (w->clock == WALL) return shown(CLOCK_MONOTONIC);
    w->spent += w->extra;
    return shown(CLOCK_THREAD_CPUTIME_ID) - w->spent;
}

void cinq_watch_begin(struct watch *w, u32 phase)
{
    if (w->phase == phase) return;
    double now = cinq_watch_now(w);
    w->seconds[w->phase] += now - w->since;
    w->phase = phase;
    w->since = now;
}

/* Seconds of processor time that a look takes, the least of a few tries: nothing is left out that may not be. */
static double cost(int which)
{
    double least = 1;
    for (int try = 0; try < 5; try++) {
        double start = shown(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < 2000; i++) shown(which);
        double took = (shown(CLOCK_THREAD_CPUTIME_ID) - start) / 2000;
        if (took < least) least = took;
    }
    return least;
}

void cinq_watch_start(struct watch *w, u32 clock)
{
    w->clock = clock;
    w->spent = w->looks = 0;
    w->extra = clock == PROCESSOR ? cost(CLOCK_THREAD_CPUTIME_ID) - cost(CLOCK_MONOTONIC) : 0;
    if (w->extra < 0) w->extra = 0;
    w->since = cinq_watch_now(w);
}
