/* Restoring the program (restore.c), and continuing where its input begins (snapshot.c). */
#ifndef CINQ_SNAPSHOT_H
#define CINQ_SNAPSHOT_H

#include "files.h"

/* ---- restore.c ---- */
void originals_keep(void);
void program_restore(void); /* as it was before the first run */
void data_restore(void);
void state_restore(void);
struct span data_span(void);
struct span state_span(void);
struct span dirty_tags(void); /* of the data */

/* ---- snapshot.c ---- */
int snapshot_fits(void);       /* may the run that is asked for begin there? */
void snapshot_skip(void);      /* a run from the start begins, and may take one */
void snapshot_restore(void);   /* instead of program_restore */
void snapshot_results(void);   /* what such a run has left by then, and its budget */
void snapshot_continue(void);  /* its body: input bytes, then the program */
void snapshot_forget(void);    /* expressions are void */
int snapshot_is_there(void);

#endif
