/* The argument block: what the program is started with.
 *
 * A sequence of records at SHM_ARGS, each a struct cinq_env_record followed by
 * `size` bytes of data (concrete kinds only), padded to a multiple of 8.  The
 * first record of kind ENV_END ends it.  Order among arguments counts; names of
 * symbolic arguments (arg00, arg01, ...) are given by the run-time in order.
 */
#ifndef CINQ_ENV_H
#define CINQ_ENV_H

#include <stdint.h>

enum cinq_env_kind {
    ENV_END = 0,
    ENV_ARG,          /* data: the string, without the final 0 */
    ENV_ARG_SYMBOLIC, /* size: characters; the object has one more, overwritten with 0, as in KLEE */
    ENV_ARGS_RANGE,   /* min .. max symbolic arguments of `size` characters; their number is object n_args */
    ENV_VARIABLE,     /* data: NAME=value */
    ENV_STDIN,        /* data: content */
    ENV_STDIN_SYMBOLIC, /* size: bytes; object stdin */
    ENV_FILE,         /* name: path; data: content */
    ENV_FILE_SYMBOLIC, /* name: path ("A"); size: bytes; object A-data */
    ENV_DIRECTORY,     /* name: path */
    ENV_STDOUT_SYMBOLIC, /* the status of standard output is symbolic: object stdout-stat */
    ENV_PROPERTIES,     /* size: ENV_WITH_... of the symbolic files that follow */
    ENV_FAULTS,         /* size: how many system calls may fail without a cause; min: allocations */
    ENV_RANDOM          /* random numbers are input */
};

/* Symbolic properties of symbolic files: objects A-data-stat and A-data-short */
#define ENV_WITH_STATUS 1
#define ENV_WITH_SIZE 2

#define CINQ_ENV_NAME 240
struct cinq_env_record {
    uint32_t kind, size, min, max;
    char name[CINQ_ENV_NAME]; /* zero-terminated */
};

#endif
