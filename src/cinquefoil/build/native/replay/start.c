/* Sets up test and report, and counts blocks.
 *
 * The report is a shared mapping: whatever kills the program, all that it did is in the file.
 */
#include "replay.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct report nowhere;
struct report *replay_report = &nowhere;
static unsigned char *covered;
static uint32_t *trace;
static int started;

static void map_report(int fd)
{
    struct stat info;
    if (!fstat(fd, &info) && (size_t)info.st_size >= sizeof(struct report)) {
        struct report *r = mmap(0, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        uint64_t room = (uint64_t)info.st_size - sizeof *r;
        if (r != MAP_FAILED && r->magic == REPORT_MAGIC && r->blocks <= room &&
            ((r->blocks + 3) & ~3ull) + r->trace_room * 4 <= room) {
            replay_report = r;
            covered = (unsigned char *)(r + 1);
            trace = (uint32_t *)(covered + ((r->blocks + 3) & ~3ull));
        }
    }
    close(fd);
}

static void take_names(const char *list)
{
    char name[NAME_BYTES], unique[NAME_BYTES];
    while (*list) {
        size_t n = 0;
        for (; *list && *list != ':'; list++)
            if (n < NAME_BYTES - 1) name[n++] = *list;
        name[n] = 0;
        unique_name(name, unique);
        if (*list) list++;
    }
}

/* Early, so that the program's own constructors see the environment as it should be. */
__attribute__((constructor(101))) void replay_start(void)
{
    if (started) return;
    started = 1;
    const char *test = getenv("KTEST_FILE"), *names = getenv("KTEST_TAKEN"), *report = getenv("CINQ_REPORT");
    const char *world = getenv("CINQ_WORLD");
    if (report) map_report(atoi(report));
    if (test) test_open(test);
    if (names) take_names(names);
    if (world) world_open(world);
    unsetenv("KTEST_FILE");
    unsetenv("KTEST_TAKEN");
    unsetenv("CINQ_REPORT");
    unsetenv("CINQ_WORLD");
}

/* Called by every block of the instrumented program. */
void cinq_block(uint32_t number)
{
    if (!started) replay_start();
    struct report *r = replay_report;
    if (number >= r->blocks) return;
    covered[number] = 1;
    if (r->trace_count < r->trace_room) trace[r->trace_count] = number;
    r->trace_count++;
}
