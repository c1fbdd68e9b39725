/* Cores, for those who ask whether a goal completes one. */
#ifndef CINQ_SOLVER_CORES_H
#define CINQ_SOLVER_CORES_H

#include "solver/core.h"
#include "solver/solver.h"

typedef int holding(struct solver *, const void *path, const struct constraint *); /* is it known to hold there? */

/* Is there a core of the goal and of what holds on the path? */
int core_refutes(struct solver *, const struct constraint *goal, holding *, const void *path);

#endif
