/* Looks over what a run left that mostly find nothing. */
#include "exploration/exploration.h"

u32 cinq_scan(const struct cinq_event *events, u64 count)
{
    u32 found = 0;
    for (u64 i = 0; i < count; i++) found |= (events[i].muted != 0) | (u32)(events[i].kind == EVENT_UNSUPPORTED) << 1;
    return found;
}

u32 cinq_any_new(const u8 *seen, u64 size, const void *sites, u64 width, u64 count)
{
    for (u64 i = 0; i < count; i++) {
        u64 site = width == 4 ? ((const u32 *)sites)[i] : ((const u64 *)sites)[i];
        if (site >= size || !seen[site]) return 1;
    }
    return 0;
}
