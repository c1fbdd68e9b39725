/* The control block of the only thread, and what starting a second one does. */
#define __cinq_thread __cinq_thread_bytes /* declared as bytes where struct pthread is not known yet */
#include "pthread_impl.h"
#undef __cinq_thread

struct pthread __cinq_thread = {
    .self = &__cinq_thread,
    .prev = &__cinq_thread,
    .next = &__cinq_thread,
    .tid = 1,
    .detach_state = DT_JOINABLE,
    .robust_list.head = &__cinq_thread.robust_list.head,
    .locale = &libc.global_locale,
};
