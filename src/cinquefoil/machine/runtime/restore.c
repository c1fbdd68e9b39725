/* Restoring the program between runs: its data, heap and stacks, and the run-time's own state of a run.
 *
 * The originals are kept when the process starts.  Whatever a run may change is either in memory of the program's, which
 * is written anew or cleared, or marked RUN_STATE, which is written anew as a whole.  What is remembered for good
 * (expressions, tables, named inputs) is neither.
 */
#include "snapshot.h"

extern char __cinq_data_start[], __cinq_data_end[];
extern char __cinq_run_start[], __cinq_run_end[];

enum { HOST_MMAP = 9, HOST_WRITE = 1, HOST_CLOSE = 3, HOST_MADVISE = 28, HOST_FTRUNCATE = 77, HOST_MEMFD = 319 };

static int data_is_mapped; /* large data: restored by dropping private pages of a file */

/* ---- What there was at the start --------------------------------------------------------- */
static u64 data_size(void) { return (u64)(__cinq_data_end - __cinq_data_start); }
static u64 state_size(void) { return (u64)(__cinq_run_end - __cinq_run_start); }
static u8 *original_tags(void) { return (u8 *)ORIGINAL_BASE + ((data_size() + 4095) & ~4095ull); }
static u8 *original_state(void) { return (u8 *)(((u64)original_tags() + data_size() / 8 + 63) & ~63ull); }
static u8 *data_tags(void) { return TAG + (u64)__cinq_data_start / 8; }

static void map_data_from_file(void) {
    long fd = host_call(HOST_MEMFD, (long)"data", 1, 0, 0, 0, 0);
    u64 n = data_size();
    if (fd < 0 || host_call(HOST_FTRUNCATE, fd, (long)n, 0, 0, 0, 0) < 0) return;
    for (u64 done = 0; done < n;) {
        long wrote = host_call(HOST_WRITE, fd, (long)(__cinq_data_start + done), (long)(n - done), 0, 0, 0);
        if (wrote <= 0) return;
        done += (u64)wrote;
    }
    if (host_call(HOST_MMAP, ORIGINAL_BASE, (long)n, 1, 0x11, fd, 0) < 0) return; /* to be read and compared with */
    host_call(HOST_MMAP, (long)__cinq_data_start, (long)n, 3, 0x12, fd, 0);
    host_call(HOST_CLOSE, fd, 0, 0, 0, 0, 0);
    data_is_mapped = 1;
}

void originals_keep(void) {
    raw_copy(original_tags(), data_tags(), data_size() / 8);
    if (data_size() > 0x400000) map_data_from_file();
    if (!data_is_mapped) raw_copy((void *)ORIGINAL_BASE, __cinq_data_start, data_size());
    image_dirty_low = ~0ull;
    image_dirty_high = 0;
    raw_copy(original_state(), __cinq_run_start, state_size());
}

struct span data_span(void) { return (struct span){(u64)__cinq_data_start, data_size()}; }
struct span state_span(void) { return (struct span){(u64)__cinq_run_start, state_size()}; }

/* ---- Restoring ------------------------------------------------------------------------------- */
struct span dirty_tags(void) { /* of the data: those that may not be as they were */
    u64 low = image_dirty_low, high = image_dirty_high, start = (u64)__cinq_data_start, end = (u64)__cinq_data_end;
    if (low < start) low = start;
    if (high >= end) high = end - 1;
    if (low > high || start == end) return (struct span){(u64)data_tags(), 0};
    return (struct span){(u64)TAG + low / 8, high / 8 - low / 8 + 1};
}

void data_restore(void) {
    struct span tags = dirty_tags();
    if (data_is_mapped) host_call(HOST_MADVISE, (long)__cinq_data_start, (long)data_size(), 4, 0, 0, 0);
    else raw_copy(__cinq_data_start, (const void *)ORIGINAL_BASE, data_size());
    raw_copy((void *)tags.base, original_tags() + (tags.base - (u64)data_tags()), tags.size);
}

void state_restore(void) { raw_copy(__cinq_run_start, original_state(), state_size()); }

/* Everything as it was before the first run. */
void program_restore(void) {
    data_restore();
    heap_clear(CINQ_HEAP_BASE);
    stack_clear(CINQ_STACK_END - STACK_WARM, CINQ_TAG_BASE + CINQ_STACK_END / 8);
    clear_memory(CINQ_STACK_END - STACK_WARM, CINQ_STACK_END);
    state_restore();
}
