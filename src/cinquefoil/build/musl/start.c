/* What runs before main: the part of __libc_start_main that a program can notice. */
#include <elf.h>
#include <stdlib.h>
#include <unistd.h>
#include "libc.h"
#include "pthread_impl.h"

void cinq_run_constructors(void);
int main(int, char **, char **);

static size_t auxiliary[] = {AT_PAGESZ, 4096, AT_NULL, 0};

static void name_program(char *name)
{
    __progname = __progname_full = name;
    for (char *p = name; *p; p++)
        if (*p == '/') __progname = p + 1;
}

int cinq_start(int argc, char **argv, char **envp)
{
    __environ = envp;
    libc.auxv = auxiliary;
    libc.page_size = 4096;
    libc.can_do_threads = 1; /* so that pthread_create gets as far as the system call, */
    libc.tls_align = 16;     /* with room for a thread's control block and the table of its (no) thread-locals */
    libc.tls_size = sizeof(struct pthread) + 4 * sizeof(void *) + libc.tls_align;
    if (argc > 0) name_program(argv[0]);
    cinq_run_constructors();
    exit(main(argc, argv, envp));
}
