/* What takes rights from the process: limits, a filter of system calls, Landlock's rules, capabilities. */
#define _GNU_SOURCE
#include "starter.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct instruction { uint16_t code; uint8_t then, otherwise; uint32_t value; }; /* linux/filter.h */
struct filter { unsigned short length; struct instruction *code; };

#define SELF 0x5e1f0000u /* in a filter: the number of this process (replay/filter.py) */

/* A lower limit that holds already cannot be raised, and need not be. */
int limit_resource(int which)
{
    rlim_t most = next_number();
    struct rlimit both;
    if (getrlimit(which, &both)) return -1;
    if (most > both.rlim_max) most = both.rlim_max;
    both.rlim_cur = both.rlim_max = most;
    return setrlimit(which, &both);
}

int lay_filter(char *code, uint32_t size)
{
    struct filter filter = {(unsigned short)(size / sizeof *filter.code), (struct instruction *)code};
    for (unsigned i = 0; i < filter.length; i++)
        if (filter.code[i].value == SELF) filter.code[i].value = (uint32_t)getpid();
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &filter, 0, 0) ? -1 : 0;
}

/* Also of user 0, who otherwise has them again in the next program: where the bits for that cannot be set, no new
 * privileges do the same. */
int drop_capabilities(void)
{
    struct { uint32_t version; int process; } head = {0x20080522, 0};
    struct { uint32_t effective, permitted, inheritable; } none[2];
    memset(none, 0, sizeof none);
    int refused = prctl(PR_SET_SECUREBITS, 0x2f, 0, 0, 0); /* no root, no fix-up, locked */
    if (refused && geteuid() == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return (int)syscall(SYS_capset, &head, none);
}

/* ---- Landlock: linux/landlock.h ---- */
#define CREATE 444
#define ADD 445
#define RESTRICT 446
#define LEAST 3 /* the first version that knows of truncating */
#define OF_FILES 0xc007ull
#define OF_DEVICES 0x8840ull /* making them, and their own controls */

struct ruleset { uint64_t files, network, scope; };
struct __attribute__((packed)) rule { uint64_t rights; int32_t folder; };
static int rules;
static uint64_t handled;

int begin_rules(void)
{
    long version = syscall(CREATE, 0, 0, 1);
    if (version < 0) return -1;
    if (version < LEAST) return errno = EOPNOTSUPP, -1;
    struct ruleset wanted = {version < 5 ? 0x7fff : 0xffff, 3, 3};
    handled = wanted.files;
    size_t size = version < 4 ? 8 : version < 6 ? 16 : 24;
    rules = (int)syscall(CREATE, &wanted, size, 0);
    return rules < 0 ? -1 : 0;
}

/* What may be done there: "r" reading and executing, "w" all but executing and making devices. */
int allow_path(const char *path)
{
    const char *kind = next_word(0);
    struct stat found;
    struct rule rule = {*kind == 'r' ? 0xd : 0xfffe & ~OF_DEVICES, open(path, O_PATH | O_CLOEXEC)};
    if (rule.folder < 0) return errno == ENOENT ? 0 : -1; /* what is not there need not be allowed */
    if (fstat(rule.folder, &found)) return -1;
    rule.rights &= handled;
    if (!S_ISDIR(found.st_mode)) rule.rights &= OF_FILES;
    return syscall(ADD, rules, 1, &rule, 0) || close(rule.folder) ? -1 : 0;
}

int enforce_rules(void)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(RESTRICT, rules, 0)) return -1;
    return close(rules);
}
