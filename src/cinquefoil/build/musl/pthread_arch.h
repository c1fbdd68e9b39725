/* Replaces musl's: the one thread's control block is an ordinary object of the program (thread.c). */
extern char __cinq_thread[];

static inline uintptr_t __get_tp(void) { return (uintptr_t)__cinq_thread; }

#define MC_PC gregs[REG_RIP]
