/* What the parts of the starter share: the words of a step, and how to fail. */
#ifndef STARTER_H
#define STARTER_H

#include <stdint.h>

/* The next word of the current step, which a zero follows. */
char *next_word(uint32_t *size);
unsigned long next_number(void);

/* Leaves the error's number and what failed to whoever started this process, and ends it. */
void fail(const char *what) __attribute__((noreturn));
/* Takes the steps that are left and becomes the program. */
int go_on(void *unused);

/* supervise.c */
int supervise(unsigned long memory);  /* a new process goes on; this one waits for it and ends with it */
int collect_from(const char *folder); /* what the supervisor sends to a file of the engine's when the program has ended */
void leave_status(int status, const char *why) __attribute__((noreturn));

/* confine.c */
int limit_resource(int which);
int lay_filter(char *code, uint32_t size);
int begin_rules(void);
int allow_path(const char *path);
int enforce_rules(void);
int drop_capabilities(void);

#endif
