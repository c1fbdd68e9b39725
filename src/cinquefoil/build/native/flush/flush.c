/* Preloaded into programs built with gcc --coverage: counters are written however the program ends.
 *
 * gcov writes them in the program's last destructors, which _exit and signals skip.  So these are caught, and the
 * destructors of the program and of its own libraries are run, before the process ends as it would have.  Where to write
 * is asked of the environment at that time; a program that has emptied it (env -i) is answered as at its start.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct destructors { void (**first)(void); size_t count; };
static volatile sig_atomic_t ending;

static int is_system(const char *name) { return !strncmp(name, "/lib", 4) || !strncmp(name, "/usr/lib", 8) || strstr(name, "linux-vdso"); }

static struct destructors find_destructors(const struct dl_phdr_info *object)
{
    struct destructors found = {0, 0};
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *d = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; d->d_tag != DT_NULL; d++) {
            if (d->d_tag == DT_FINI_ARRAY) found.first = (void (**)(void))(object->dlpi_addr + d->d_un.d_ptr);
            if (d->d_tag == DT_FINI_ARRAYSZ) found.count = d->d_un.d_val / sizeof(void *);
        }
    }
    return found;
}

static int run_destructors(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (is_system(object->dlpi_name)) return 0;
    struct destructors d = find_destructors(object);
    while (d.first && d.count) d.first[--d.count]();
    return 0;
}

static void flush(void)
{
    if (ending) return;
    ending = 1;
    dl_iterate_phdr(run_destructors, 0);
}

__attribute__((visibility("default"))) void _exit(int status)
{
    flush();
    for (;;) syscall(SYS_exit_group, status);
}
__attribute__((visibility("default"))) void _Exit(int status) { _exit(status); }

static void on_signal(int number)
{
    signal(number, SIG_DFL);
    flush();
    raise(number);
}

static char folder[4096]; /* GCOV_PREFIX at the start */

__attribute__((visibility("default"))) char *getenv(const char *name)
{
    size_t n = strlen(name);
    for (char **each = environ; each && *each; each++)
        if (n && !strncmp(*each, name, n) && (*each)[n] == '=') return *each + n + 1;
    return *folder && !strcmp(name, "GCOV_PREFIX") ? folder : 0;
}

__attribute__((constructor)) static void keep_location(void)
{
    const char *now = getenv("GCOV_PREFIX");
    if (now && strlen(now) < sizeof folder) strcpy(folder, now);
}

void world_open(const char *path); /* replay/status.c */

__attribute__((constructor)) static void take_world(void)
{
    const char *world = getenv("CINQ_WORLD");
    if (world) world_open(world);
    unsetenv("CINQ_WORLD");
}

__attribute__((constructor)) static void catch_signals(void)
{
    static char stack[1 << 17]; /* the program's own may be used up */
    static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGTERM, SIGALRM, SIGXCPU, SIGINT};
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaltstack(&other, 0);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) sigaction(caught[i], &action, 0);
}
