/* The replay library: a test's bytes for a native build of the program, and a report of what it did.
 *
 * It goes into the program's process, whatever compiler and C library built that, so it uses POSIX only, leaves
 * the heap alone and hides the environment variables it is steered by:
 *   KTEST_FILE     the test
 *   KTEST_TAKEN    names of objects that became arguments, standard input or files, separated by colons
 *   CINQ_REPORT    the report, a descriptor that whoever starts the program left open
 *   CINQ_WORLD     the inodes of the engine's world, as status.c says
 */
#ifndef CINQ_REPLAY_H
#define CINQ_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#define NAME_BYTES 64 /* names are cut as the engine cuts them (CINQ_NAME) */
#define REPORT_MAGIC 0x31594c5045524e43ull

/* Why the library ended the program; without a report the exit status must tell. */
enum end { END_NONE, END_ASSUME, END_SILENT, END_USER_ERROR, END_ABORT, END_REACH_ERROR, END_UNDEFINED };
#define STATUS_ASSUME 116
#define STATUS_BAD_TEST 117

/* Shared with the starter; a byte per block follows, then, 4-aligned, a 32-bit number per block entered. */
struct report {
    uint64_t magic, blocks, trace_room, trace_count;
    uint32_t end, missing, resized, unused;
};

extern struct report *replay_report; /* after replay_start, never null */
void replay_start(void);             /* harmless to repeat */

/* A test's object by name; 0 if there is none. */
const unsigned char *test_object(const char *name, size_t *size);
void test_open(const char *path);

/* The engine's time. */
#define CLOCK_START 1700000000
long replay_seconds(void);
void world_open(const char *path);
int world_known(void); /* was it told? */

/* The name under which the next object of this name is known: name, name_1, ... */
void unique_name(const char *name, char out[NAME_BYTES]);

#endif
