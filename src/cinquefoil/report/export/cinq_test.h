/* What every exported test needs: it gives the program its input, runs it in a fresh folder and tells how it ended.
 *
 * The program's own main is compiled under another name (-Dmain=cinq_program_main) and linked with a test.  Without
 * arguments the test behaves as the program does: same output, same exit status, same signal.  With --check it
 * is silent about the rest and exits with 0 if the program ended as expected, else with 1.
 *
 * The test of an error fails while the error is there and passes when it is gone.  Errors of memory are noticed by a build
 * with -fsanitize=address,bounds; in one without, a run that ends quietly proves nothing, and the status is 77.
 */
#ifndef CINQ_TEST_H
#define CINQ_TEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct cinq_object {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};
struct cinq_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

/* Defined by the test. */
extern const struct cinq_object cinq_objects[];
extern const struct cinq_file cinq_files[];
extern const unsigned char cinq_stdin[];
extern const size_t cinq_stdin_size;
extern char *cinq_arguments[];
extern char *cinq_variables[];
extern char *cinq_taken[]; /* objects that became arguments, files or standard input */
extern const int cinq_expected; /* exit status, or one of these */
#define CINQ_ERROR -1 /* an error, that a build without sanitizers may not notice */
#define CINQ_PLAIN_ERROR -2 /* an error that ends the process in every build: an abort, a failed assertion */
#define CINQ_ANY -3 /* the engine stopped the run: nothing is known of its end */

int cinq_program_main(int argc, char **argv, char **environment);

/* ---- named input ------------------------------------------------------------------------------------- */
#define CINQ_NAMES 4096
static char *cinq_made[CINQ_NAMES];
static size_t cinq_made_count;

static int cinq_is_made(const char *name)
{
    for (size_t i = 0; i < cinq_made_count; i++)
        if (!strcmp(cinq_made[i], name)) return 1;
    return 0;
}

/* name, name_1, name_2, ...: as the engine tells objects of the same name apart. */
static const char *cinq_unique(const char *name)
{
    char text[64 + 16];
    snprintf(text, 64, "%s", name);
    for (unsigned n = 1; cinq_is_made(text); n++) {
        char suffix[16];
        int length = snprintf(suffix, sizeof suffix, "_%u", n);
        snprintf(text, (size_t)(64 - length), "%s", name);
        strcat(text, suffix);
    }
    if (cinq_made_count == CINQ_NAMES) {
        fprintf(stderr, "the program makes too many objects\n");
        _exit(125);
    }
    return cinq_made[cinq_made_count++] = strdup(text);
}

static void cinq_fill(void *to, size_t size, const char *name)
{
    const char *unique = cinq_unique(name && *name ? name : "unnamed");
    memset(to, 0, size);
    for (const struct cinq_object *o = cinq_objects; o->name; o++)
        if (!strcmp(o->name, unique)) {
            memcpy(to, o->bytes, o->size < size ? o->size : size);
            return;
        }
}

#define CINQ_EXCLUDED 116 /* exit status of a run that an assumption excludes */
static void cinq_assume(int holds)
{
    if (!holds) _exit(CINQ_EXCLUDED);
}

/* ---- random numbers, where they are input ------------------------------------------------------------- */
#ifdef CINQ_RANDOM
static uint64_t cinq_random(const char *name, int bits)
{
    uint64_t v;
    cinq_fill(&v, sizeof v, name);
    return v & (((uint64_t)1 << bits) - 1);
}
int rand(void) { return (int)cinq_random("rand", 31); }
int rand_r(unsigned *seed) { (void)seed; return (int)cinq_random("rand_r", 31); }
long random(void) { return (long)cinq_random("random", 31); }
long lrand48(void) { return (long)cinq_random("lrand48", 31); }
long mrand48(void) { return (int32_t)cinq_random("mrand48", 32); }
double drand48(void) { return (double)cinq_random("drand48", 48) * 0x1p-48; }
#endif

/* ---- KLEE's functions -------------------------------------------------------------------------------- */
void klee_make_symbolic(void *address, size_t size, const char *name) { cinq_fill(address, size, name); }
int klee_int(const char *name) { int v; cinq_fill(&v, sizeof v, name); return v; }
int klee_range(int begin, int end, const char *name)
{
    if (begin + 1 == end) return begin;
    int v = klee_int(name);
    cinq_assume(begin == 0 ? (unsigned)v < (unsigned)end : begin <= v && v < end);
    return v;
}
uintptr_t klee_choose(uintptr_t n) { uintptr_t v; cinq_fill(&v, sizeof v, "klee_choose"); cinq_assume(v < n); return v; }
void klee_assume(uintptr_t condition) { cinq_assume(condition != 0); }
void klee_silent_exit(int status) { _exit(status); }
void klee_abort(void) { abort(); }
void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    fprintf(stderr, "%s:%d: %s (%s)\n", file, line, message, suffix);
    abort();
}
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
unsigned klee_is_symbolic(uintptr_t n) { (void)n; return 0; }
unsigned klee_is_replay(void) { return 1; }
size_t klee_get_obj_size(void *address) { (void)address; return 0; }
float klee_get_valuef(float v) { return v; }
double klee_get_valued(double v) { return v; }
long klee_get_valuel(long v) { return v; }
long long klee_get_valuell(long long v) { return v; }
int32_t klee_get_value_i32(int32_t v) { return v; }
int64_t klee_get_value_i64(int64_t v) { return v; }
int klee_get_errno(void) { return errno; }
void klee_check_memory_access(const void *address, size_t size) { (void)address, (void)size; }
void klee_print_expr(const char *message, ...) { (void)message; }
void klee_print_range(const char *name, int v) { (void)name, (void)v; }
void klee_warning(const char *message) { (void)message; }
void klee_warning_once(const char *message) { (void)message; }
void klee_stack_trace(void) {}
void klee_mark_global(void *object) { (void)object; }
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_alias_function(const char *name, const char *other) { (void)name, (void)other; }
void klee_define_fixed_object(void *address, size_t size) { (void)address, (void)size; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}

/* ---- Test-Comp's functions --------------------------------------------------------------------------- */
#define CINQ_NONDET(SUFFIX, TYPE)                 \
    TYPE __VERIFIER_nondet_##SUFFIX(void);        \
    TYPE __VERIFIER_nondet_##SUFFIX(void)         \
    {                                             \
        TYPE v;                                   \
        cinq_fill(&v, sizeof v, "nondet_" #SUFFIX); \
        return v;                                 \
    }
CINQ_NONDET(char, char)
CINQ_NONDET(uchar, unsigned char)
CINQ_NONDET(u8, unsigned char)
CINQ_NONDET(short, short)
CINQ_NONDET(ushort, unsigned short)
CINQ_NONDET(u16, unsigned short)
CINQ_NONDET(int, int)
CINQ_NONDET(uint, unsigned)
CINQ_NONDET(unsigned, unsigned)
CINQ_NONDET(u32, unsigned)
CINQ_NONDET(long, long)
CINQ_NONDET(ulong, unsigned long)
CINQ_NONDET(longlong, long long)
CINQ_NONDET(ulonglong, unsigned long long)
CINQ_NONDET(size_t, size_t)
CINQ_NONDET(loff_t, long)
CINQ_NONDET(sector_t, unsigned long)
CINQ_NONDET(pthread_t, unsigned long)
CINQ_NONDET(pointer, void *)
CINQ_NONDET(pchar, char *)
CINQ_NONDET(float, float)
CINQ_NONDET(double, double)
_Bool __VERIFIER_nondet_bool(void);
_Bool __VERIFIER_nondet_bool(void) { unsigned char v; cinq_fill(&v, 1, "nondet_bool"); return v & 1; }
void __VERIFIER_nondet_memory(void *address, size_t size);
void __VERIFIER_nondet_memory(void *address, size_t size) { cinq_fill(address, size, "nondet_memory"); }
void __VERIFIER_assume(int condition);
void __VERIFIER_assume(int condition) { cinq_assume(condition != 0); }
void __VERIFIER_error(void);
void __VERIFIER_error(void) { abort(); }
__attribute__((weak)) void reach_error(void);
__attribute__((weak)) void reach_error(void) { abort(); }

/* ---- sanitizers -------------------------------------------------------------------------------------- */
#define CINQ_CANNOT_TELL 77 /* exit status, as automake has it */
static volatile int *cinq_noticed; /* shared with the program's process: has a sanitizer reported something? */

/* They are there if anything is built with -fsanitize=address, and with bounds, which finds what is far outside. */
void __asan_init(void) __attribute__((weak));
void __ubsan_handle_out_of_bounds(void *, void *) __attribute__((weak));
static int cinq_is_watched(void) { return __asan_init && __ubsan_handle_out_of_bounds; }

void __asan_on_error(void);
void __asan_on_error(void) { if (cinq_noticed) *cinq_noticed = 1; }
void __ubsan_on_report(void);
void __ubsan_on_report(void) { if (cinq_noticed) *cinq_noticed = 1; }

/* A signal stays the program's own, and what it leaves allocated is no error. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:abort_on_error=1"
           ":handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
}

/* ---- running ----------------------------------------------------------------------------------------- */
static void cinq_stop(const char *what)
{
    fprintf(stderr, "cannot prepare the test: %s: %s\n", what, strerror(errno));
    exit(125);
}

static void cinq_write(int fd, const unsigned char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(fd, bytes, size);
        if (n <= 0) return; /* nobody reads on */
        bytes += n;
        size -= (size_t)n;
    }
}

static void cinq_make_files(void)
{
    for (const struct cinq_file *f = cinq_files; f->name; f++) {
        int fd = open(f->name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (fd < 0) cinq_stop(f->name);
        cinq_write(fd, f->bytes, f->size);
        close(fd);
    }
}

static void cinq_child(int in, int quiet)
{
    int argc = 0, nothing = quiet ? open("/dev/null", O_WRONLY) : -1;
    while (cinq_arguments[argc]) argc++;
    dup2(in, 0);
    if (in) close(in);
    if (quiet) dup2(nothing, 1), dup2(nothing, 2), close(nothing);
    environ = cinq_variables;
    exit(cinq_program_main(argc, cinq_arguments, environ));
}

static int cinq_run(int quiet)
{
    int ends[2], status = 0;
    if (pipe(ends)) cinq_stop("a pipe");
    pid_t child = fork();
    if (child < 0) cinq_stop("a process");
    if (!child) {
        close(ends[1]);
        cinq_child(ends[0], quiet);
    }
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    cinq_write(ends[1], cinq_stdin, cinq_stdin_size);
    close(ends[1]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

static int cinq_judge_error(int status)
{
    if (!WIFEXITED(status)) return printf("the error is there: signal %d\n", WTERMSIG(status)), 1;
    if (*cinq_noticed) return printf("the error is there: a sanitizer reports it\n"), 1;
    if (cinq_expected == CINQ_PLAIN_ERROR || cinq_is_watched()) return printf("the error is gone\n"), 0;
    printf("cannot tell: this build may not notice the error; use -fsanitize=address,undefined\n");
    return CINQ_CANNOT_TELL;
}

static int cinq_verdict(int status)
{
    if (cinq_expected == CINQ_ANY) return printf("ended; how is not known beforehand\n"), 0;
    if (cinq_expected < 0) return cinq_judge_error(status);
    if (WIFEXITED(status) && WEXITSTATUS(status) == cinq_expected) return printf("as expected\n"), 0;
    if (WIFEXITED(status)) printf("exit status %d, expected %d\n", WEXITSTATUS(status), cinq_expected);
    else printf("signal %d, expected exit status %d\n", WTERMSIG(status), cinq_expected);
    return 1;
}

static int cinq_test(int argc, char **argv)
{
    char folder[] = "/tmp/cinq-test-XXXXXX";
    int check = argc > 1 && !strcmp(argv[1], "--check");
    void *shared = mmap(0, sizeof *cinq_noticed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) cinq_stop("shared memory");
    cinq_noticed = shared;
    for (char **name = cinq_taken; *name; name++) cinq_unique(*name);
    if (!mkdtemp(folder) || chdir(folder)) cinq_stop(folder);
    cinq_make_files();
    int status = cinq_run(check);
    for (const struct cinq_file *f = cinq_files; f->name; f++) unlink(f->name);
    if (chdir("/") || rmdir(folder)) fprintf(stderr, "what the program left is in %s\n", folder);
    if (check) return cinq_verdict(status);
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

#endif
