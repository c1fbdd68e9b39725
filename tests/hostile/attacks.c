/* Attacks of a replayed program on its surroundings: attacks FOLDER NAME
 *
 * Each tries to get at something outside the enclosure, mostly by system calls without the C library.  It prints
 * "open: ..." for every boundary that it found open, and "held" at the end.  FOLDER is a folder of the host's with a file
 * `victim`; nothing else is ever harmed, also where the boundaries are open.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *folder;
static char room[1 << 16];

static void opened(const char *what) { printf("open: %s\n", what); }
/* The call should have failed. */
static void fails(long result, const char *what)
{
    if (result >= 0) printf("open: %s (%ld)\n", what, result);
}

static const char *at(const char *name)
{
    static char path[4][500];
    static unsigned next;
    char *here = path[next++ % 4];
    snprintf(here, sizeof path[0], "%s/%s", folder, name);
    return here;
}

static long parent(void) { return syscall(SYS_getppid); }

/* ---- Files of the host ---- */
static void write_outside(void)
{
    char path[600];
    fails(open(at("mark"), O_CREAT | O_WRONLY, 0644), "a file is made");
    snprintf(path, sizeof path, "../../../../../../../..%s", at("relative"));
    fails(open(path, O_CREAT | O_WRONLY, 0644), "a file is made by a relative path");
    fails(open(at("victim"), O_WRONLY), "a file is opened for writing");
    fails(syscall(SYS_truncate, at("victim"), 0L), "a file is truncated");
    int file = open(at("victim"), O_RDONLY | O_TRUNC);
    fails(file, "a file is truncated by opening it");
}

static void remove_outside(void)
{
    fails(unlink(at("victim")), "a file is removed");
    fails(rename(at("victim"), at("moved")), "a file is moved");
    fails(rename(at("victim"), "here"), "a file is taken");
    fails(rmdir(at("inner")), "a folder is removed");
}

static void make_outside(void)
{
    fails(mkdir(at("made"), 0755), "a folder is made");
    fails(symlink("/etc/passwd", at("link")), "a link is made");
    fails(link(at("victim"), at("hard")), "a second name is made");
    fails(link(at("victim"), "hard"), "a second name is taken");
    fails(syscall(SYS_mknodat, AT_FDCWD, at("pipe"), S_IFIFO | 0600, 0), "a pipe is made");
    fails(syscall(SYS_mknodat, AT_FDCWD, "device", S_IFCHR | 0600, 0x103), "a device is made");
}

static void read_outside(void)
{
    fails(open(at("secret"), O_RDONLY), "a secret is read");
    fails(open("/etc/passwd", O_RDONLY), "the users are read");
    fails(open("/root", O_RDONLY | O_DIRECTORY), "the administrator's folder is listed");
    fails(open("/proc/1/environ", O_RDONLY), "another process's environment is read");
    fails(open("/dev/.replay/../../../etc/passwd", O_RDONLY), "the users are read from the replay's folder");
}

static void change_owners(void)
{
    struct timespec then[2] = {{1, 0}, {1, 0}};
    fails(syscall(SYS_chmod, at("victim"), 06777), "a mode is changed");
    fails(syscall(SYS_fchmodat, AT_FDCWD, at("victim"), 06777), "a mode is changed at a folder");
    fails(syscall(452, AT_FDCWD, at("victim"), 06777, 0), "a mode is changed by the new call");
    fails(syscall(SYS_chown, at("victim"), -1, -1), "an owner is changed");
    fails(syscall(SYS_lchown, at("victim"), -1, -1), "an owner of a link is changed");
    fails(syscall(SYS_fchownat, AT_FDCWD, at("victim"), -1, -1, 0), "an owner is changed at a folder");
    fails(syscall(SYS_utimensat, AT_FDCWD, at("victim"), then, 0), "a time is changed");
    fails(syscall(132, at("victim"), 0L), "a time is changed by the old call");
    fails(syscall(235, at("victim"), 0L), "a time is changed by another old call");
    fails(syscall(188, at("victim"), "user.x", "y", 1L, 0L), "an attribute is set");
    fails(syscall(197, at("victim"), "user.x"), "an attribute is removed");
}

/* ---- The executable and what belongs to the replay ---- */

static void alter_executable(void)
{
    const char *names[] = {"/dev/.replay/program", "/proc/self/exe", getenv("PROGRAM")};
    for (int i = 0; i < 3; i++) {
        fails(syscall(SYS_chmod, names[i], 06755), "the executable is made set-uid");
        fails(open(names[i], O_WRONLY | O_APPEND), "the executable is opened for writing");
        fails(syscall(SYS_truncate, names[i], 0L), "the executable is truncated");
    }
    fails(unlink(names[2]), "the host's executable is removed");
    fails(unlink("/dev/.replay/program"), "the executable is removed");
    fails(rename("/dev/.replay/program", "/dev/.replay/other"), "the executable is moved");
}

static void alter_libraries(void)
{
    fails(open("/usr/lib/cinq-attack", O_CREAT | O_WRONLY, 0644), "a library is made");
    fails(mkdir("/lib/cinq-attack", 0755), "a folder of libraries is made");
    fails(syscall(SYS_chmod, "/lib/x86_64-linux-gnu/libc.so.6", 0755), "a library's mode is changed");
    fails(open("/lib/x86_64-linux-gnu/libc.so.6", O_WRONLY), "a library is opened for writing");
}

static void replace_report(void)
{
    rename("/dev/.replay/report", "/dev/.replay/old");
    syscall(SYS_mknodat, AT_FDCWD, "/dev/.replay/report", S_IFIFO | 0600, 0);
    rename("/dev/.replay/test.ktest", "/dev/.replay/old.ktest");
    syscall(SYS_mknodat, AT_FDCWD, "/dev/.replay/test.ktest", S_IFIFO | 0600, 0);
    rename("/dev/.replay/world", "/dev/.replay/old.world");
}

extern unsigned long *replay_report __attribute__((weak)); /* of the replay library */
static void spoil_report(void)
{
    if (&replay_report && replay_report) memset(replay_report, 0xff, 56);
}

/* ---- Other programs ---- */
static void execute_others(void)
{
    char *words[] = {"sh", "-c", room, 0}, *none[] = {0};
    snprintf(room, sizeof room, "echo x > %s", at("executed"));
    const char *shells[] = {"/bin/sh", "/usr/bin/sh", "/bin/bash", "/bin/busybox"};
    for (int i = 0; i < 4; i++) execve(shells[i], words, none); /* on success, the file tells */
}

static void execute_own(void)
{
    char *words[] = {"own", 0}, *none[] = {0};
    static const char script[] = "#!/bin/sh\n";
    int file = open("own", O_CREAT | O_WRONLY, 0755);
    if (file >= 0 && write(file, script, sizeof script - 1) > 0) close(file);
    fails(execve("own", words, none), "a file that was written is executed");
    int memory = (int)syscall(319, "own", 0);
    fails(memory, "a memory file is made");
    if (memory >= 0) fails(syscall(322, memory, "", words, none, AT_EMPTY_PATH), "a memory file is executed");
}

static void start_processes(void)
{
    long child = syscall(SYS_fork);
    if (child == 0) {
        syscall(SYS_setsid);
        for (int i = 0; i < 200; i++) usleep(50000);
        _exit(0);
    }
    fails(child, "a process is forked");
    child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    fails(child, "a process is cloned");
    struct { unsigned long flags, words[10]; } wanted = {0, {0}};
    wanted.words[3] = SIGCHLD;
    child = syscall(435, &wanted, sizeof wanted);
    if (child == 0) _exit(0);
    fails(child, "a process is cloned by the new call");
    fails(syscall(SYS_clone, 0x10f00, 0, 0, 0, 0), "a thread is made");
}

/* ---- The processes outside ---- */
static void send_signals(void)
{
    long above = parent();
    fails(syscall(SYS_kill, above, SIGUSR2), "the parent is sent a signal");
    fails(syscall(SYS_kill, above, 0), "the parent is asked for");
    fails(syscall(SYS_kill, 0, SIGUSR2), "the group is sent a signal");
    fails(syscall(SYS_kill, -1, 0), "all are asked for");
    fails(syscall(SYS_kill, 1, SIGKILL), "init is killed");
    fails(syscall(SYS_tkill, above, SIGUSR2), "the parent's thread is sent a signal");
    fails(syscall(SYS_tgkill, above, above, SIGUSR2), "the parent is sent a signal by its thread");
    siginfo_t info = {.si_signo = SIGUSR2, .si_code = -1};
    fails(syscall(SYS_rt_sigqueueinfo, above, SIGUSR2, &info), "the parent is sent a message");
    fails(syscall(SYS_rt_tgsigqueueinfo, above, above, SIGUSR2, &info), "the parent's thread is sent a message");
    fails(syscall(424, 0, SIGUSR2, 0, 0), "a signal is sent by a descriptor");
}

static void signal_by_descriptor(void)
{
    struct { int type, process; } owner = {1, (int)parent()};
    int ends[2];
    if (pipe(ends)) return;
    syscall(SYS_fcntl, ends[0], F_SETOWN, parent());
    fails(syscall(SYS_fcntl, ends[0], F_SETOWN_EX, &owner), "a descriptor belongs to the parent");
    fails(syscall(SYS_fcntl, ends[0], F_SETSIG, SIGKILL), "a descriptor sends a signal of choice");
    if (syscall(SYS_fcntl, ends[0], F_GETOWN) == parent()) opened("the parent hears of a descriptor");
    syscall(SYS_fcntl, ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
    if (write(ends[1], "x", 1) != 1) return;
    fails(syscall(SYS_fcntl, ends[1], F_SETPIPE_SZ, 1 << 20), "a pipe is enlarged");
    fails(syscall(SYS_ioctl, ends[0], 0x8901, &owner.process), "a descriptor belongs to the parent by control");
}

static void change_parent(void)
{
    struct rlimit zero = {0, 0};
    unsigned long one = 1;
    int rank = 0;
    long above = parent();
    fails(syscall(SYS_prlimit64, above, RLIMIT_CORE, &zero, 0), "the parent's limits are changed");
    fails(syscall(SYS_prlimit64, above, RLIMIT_CORE, 0, &zero), "the parent's limits are read");
    syscall(SYS_setpriority, 0, above, 15); /* the host's state tells */
    syscall(SYS_setpriority, 2, 0, 15);
    fails(syscall(SYS_sched_setaffinity, above, sizeof one, &one), "the parent's processors are chosen");
    fails(syscall(SYS_sched_setscheduler, above, 0, &rank), "the parent's schedule is chosen");
    fails(syscall(SYS_sched_setparam, above, &rank), "the parent's rank is chosen");
    fails(syscall(SYS_setpgid, above, 0), "the parent's group is changed");
    fails(syscall(SYS_ioprio_set, 1, above, 0), "the parent's disk priority is changed");
    fails(syscall(SYS_migrate_pages, above, 0, 0, 0), "the parent's pages are moved");
}

static void trace_others(void)
{
    long above = parent();
    struct { void *base; size_t size; } here = {room, 8}, there = {(void *)0x400000, 8};
    char path[60];
    fails(syscall(SYS_ptrace, 16, above, 0, 0), "the parent is traced");
    fails(syscall(SYS_ptrace, 0, 0, 0, 0), "the parent may trace");
    fails(syscall(SYS_process_vm_readv, above, &here, 1, &there, 1, 0), "the parent's memory is read");
    fails(syscall(SYS_process_vm_writev, above, &here, 1, &there, 1, 0), "the parent's memory is written");
    fails(syscall(SYS_kcmp, above, above, 0, 0, 0), "processes are compared");
    fails(syscall(434, above, 0), "a descriptor of the parent is had");
    fails(syscall(438, 0, 0, 0), "a descriptor is taken from another");
    fails(syscall(440, 0, &here, 1, 4, 0), "another's memory is advised about");
    void *list;
    size_t size;
    fails(syscall(SYS_get_robust_list, above, &list, &size), "the parent's locks are read");
    snprintf(path, sizeof path, "/proc/%ld/mem", above);
    fails(open(path, O_RDWR), "the parent's memory is opened");
    fails(open("/proc/1/mem", O_RDWR), "init's memory is opened");
}

/* ---- Network, shared memory ---- */
static void talk(void)
{
    static const int families[] = {1, 2, 10, 16, 17, 38, 40}; /* unix, inet, inet6, netlink, packet, alg, vsock */
    int ends[2];
    for (unsigned i = 0; i < sizeof families / sizeof *families; i++)
        fails(syscall(SYS_socket, families[i], 1 + (families[i] > 10) * 2, 0), "a socket is made");
    fails(syscall(SYS_socketpair, 1, 1, 0, ends), "a pair of sockets is made");
}

static void share(void)
{
    fails(syscall(SYS_shmget, 0x51ab, 4096, 01600), "shared memory is left");
    fails(syscall(SYS_semget, 0x51ab, 1, 01600), "semaphores are left");
    fails(syscall(SYS_msgget, 0x51ab, 01600), "a queue of messages is left");
    fails(syscall(SYS_mq_open, "cinq", O_CREAT | O_RDWR, 0600, 0), "a POSIX queue is left");
    fails(open("/dev/shm/cinq-attack", O_CREAT | O_RDWR, 0600), "a shared file is left");
    fails(syscall(SYS_keyctl, 0, -3, 1), "a keyring is had");
    fails(syscall(SYS_add_key, "user", "x", "y", 1L, -5L), "a key is left");
    fails(syscall(SYS_request_key, "user", "x", 0, -5L), "a key is asked for");
}

/* ---- The kernel ---- */
static void reach_kernel(void)
{
    static char zeros[256];
    fails(syscall(321, 0, zeros, sizeof zeros), "bpf");
    fails(syscall(298, zeros, 0, -1, -1, 0), "perf_event_open");
    fails(syscall(323, 0), "userfaultfd");
    fails(syscall(425, 4, zeros), "io_uring");
    fails(syscall(206, 1, zeros), "io_setup");
    fails(syscall(300, 0, 0), "fanotify");
    fails(syscall(253), "inotify");
    fails(syscall(213, 1), "epoll");
    fails(syscall(284, 0), "eventfd");
    fails(syscall(283, 0, 0), "timerfd");
    fails(syscall(303, AT_FDCWD, ".", zeros, zeros, 0), "name_to_handle_at");
    fails(syscall(304, AT_FDCWD, zeros, 0), "open_by_handle_at");
    fails(syscall(447, 0), "memfd_secret");
    fails(syscall(154, 0, zeros, 8), "modify_ldt");
    fails(syscall(444, 0, 0, 1), "landlock");
    fails(syscall(317, 2, 0, zeros), "seccomp");
    fails(syscall(437, AT_FDCWD, ".", zeros, 24), "openat2");
    fails(syscall(103, 3, zeros, 10), "syslog");
    fails(syscall(126, zeros, zeros), "capset");
}

static void enter_namespaces(void)
{
    static const long kinds[] = {0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000, 0x80};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) fails(syscall(SYS_unshare, kinds[i]), "unshare");
    fails(syscall(SYS_setns, 0, 0), "setns");
    fails(syscall(SYS_mount, "tmpfs", "/tmp", "tmpfs", 0, 0), "mount");
    fails(syscall(SYS_mount, "none", "/dev/.replay/program", 0, 0x1020, 0), "the executable is mounted for writing");
    fails(syscall(SYS_umount2, "/dev/.replay/program", 2), "umount");
    fails(syscall(SYS_pivot_root, ".", "."), "pivot_root");
    fails(syscall(SYS_chroot, "."), "chroot");
    fails(syscall(428, AT_FDCWD, "/", 1), "open_tree");
    fails(syscall(429, AT_FDCWD, ".", AT_FDCWD, "/", 0), "move_mount");
    fails(syscall(430, "tmpfs", 0), "fsopen");
    fails(syscall(442, AT_FDCWD, "/", 0, 0, 0), "mount_setattr");
}

static void administer(void)
{
    static char zeros[256];
    fails(syscall(SYS_reboot, 0xfee1dead, 672274793, 0, 0), "reboot");
    fails(syscall(SYS_sethostname, "x", 1), "sethostname");
    fails(syscall(SYS_setdomainname, "x", 1), "setdomainname");
    fails(syscall(SYS_swapon, "x", 0), "swapon");
    fails(syscall(SYS_init_module, zeros, 0, ""), "init_module");
    fails(syscall(313, 0, "", 0), "finit_module");
    fails(syscall(SYS_delete_module, "x", 0), "delete_module");
    fails(syscall(246, 0, 0, 0, 0), "kexec_load");
    fails(syscall(SYS_acct, 0), "acct");
    fails(syscall(SYS_iopl, 3), "iopl");
    fails(syscall(SYS_ioperm, 0x80, 1, 1), "ioperm");
    fails(syscall(SYS_quotactl, 0, 0, 0, 0), "quotactl");
    fails(syscall(SYS_vhangup), "vhangup");
    fails(syscall(SYS_setgroups, 0, 0), "setgroups");
    fails(syscall(SYS_clock_settime, 0, zeros), "clock_settime");
    fails(syscall(SYS_settimeofday, 0, zeros), "settimeofday");
    fails(open("/proc/sysrq-trigger", O_WRONLY), "the kernel's keys are pressed");
    fails(open("/proc/sys/kernel/core_pattern", O_WRONLY), "the handler of crashes is chosen");
    fails(open("/sys/kernel", O_RDONLY), "the kernel's settings are listed");
    fails(open("/dev/mem", O_RDONLY), "memory is opened");
    fails(open("/dev/kmsg", O_RDWR), "the kernel's messages are opened");
    fails(open("/dev/vda", O_RDONLY), "a disk is opened");
    fails(open("/dev/fuse", O_RDWR), "fuse is opened");
}

static void other_interfaces(void)
{
    fails(syscall(0x40000000 | SYS_getpid), "a call of x32");
    fails(syscall(0x40000000 | SYS_socket, 2, 1, 0), "a socket of x32");
    long result = 20; /* getpid of the 32-bit interface */
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    fails(result, "a call of the 32-bit interface");
    fails(syscall(SYS_getpid | 0x8000), "an unknown call");
}

static void type_into_terminal(void)
{
    char letter = 'x';
    for (int fd = 0; fd < 3; fd++) {
        fails(syscall(SYS_ioctl, fd, 0x5412, &letter), "TIOCSTI");
        fails(syscall(SYS_ioctl, fd, 0x541c, &letter), "TIOCLINUX");
        fails(syscall(SYS_ioctl, fd, 0x540e, 1), "TIOCSCTTY");
        fails(syscall(SYS_ioctl, fd, 0x40086602, &letter), "a file's flags");
    }
    fails(open("/dev/tty", O_RDWR), "the terminal is opened");
    fails(open("/dev/ptmx", O_RDWR), "a terminal is made");
    fails(open("/dev/console", O_RDWR), "the console is opened");
}

/* ---- What was given to the process ---- */
static void look_at_descriptors(void)
{
    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0) printf("open: descriptor %d\n", fd);
}

static void raise_limits(void)
{
    static const int which[] = {RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_CPU, RLIMIT_NOFILE, RLIMIT_CORE, RLIMIT_MEMLOCK};
    struct rlimit now, more = {RLIM_INFINITY, RLIM_INFINITY};
    for (unsigned i = 0; i < sizeof which / sizeof *which; i++)
        fails(syscall(SYS_prlimit64, 0, which[i], &more, 0), "a limit is raised");
    if (!syscall(SYS_prlimit64, 0, RLIMIT_CORE, 0, &now) && now.rlim_max > 1) opened("a core may be dumped");
    fails(syscall(SYS_prctl, 1, 0, 0, 0, 0), "the process may outlive its supervisor");
}

static void gain_rights(void)
{
    for (int capability = 0; capability < 3; capability++)
        if (syscall(SYS_prctl, 47, 1, capability, 0, 0) == 1) opened("an ambient capability");
    fails(syscall(SYS_setuid, 12345), "another user");
    fails(syscall(SYS_setgid, 12345), "another group");
    fails(syscall(SYS_setresuid, 12345, 12345, 12345), "another user in all ways");
    if (syscall(SYS_prctl, 39, 0, 0, 0, 0) != 1) opened("new privileges by executing");
}

/* ---- Too much ---- */
static void fill_disk(void)
{
    long total = 0;
    char name[40];
    memset(room, 'z', sizeof room);
    for (int k = 0; k < 40; k++) {
        snprintf(name, sizeof name, "/tmp/fill%d", k);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        for (int i = 0; file >= 0 && i < 200; i++) {
            long n = write(file, room, sizeof room);
            if (n <= 0) break;
            total += n;
        }
        close(file);
    }
    if (total > 300L << 20) opened("the disk is filled");
}

static void fill_names(void)
{
    char name[40];
    int i = 0;
    for (; i < 70000; i++) {
        snprintf(name, sizeof name, "/tmp/n%d", i);
        if (mkdir(name, 0700)) break;
    }
    if (i == 70000) opened("there are names without end");
}

/* Folders in folders, more than a path can name, that nobody may enter. */
static void nest(void)
{
    symlink(folder, "link");
    close(open("odd \377\n name", O_CREAT | O_WRONLY, 0));
    for (int i = 0; i < 1100; i++)
        if (mkdir("nested", 0700) || chdir("nested")) break;
    for (int i = 0; i < 1100 && !chdir(".."); i++) syscall(SYS_chmod, "nested", 0);
}

static void fill_memory(void)
{
    long total = 0;
    for (; total < 1L << 30; total += 1 << 24) {
        char *more = mmap(0, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED) break;
        memset(more, 1, 1 << 24);
    }
    if (total >= 1L << 30) opened("memory is filled");
}

static void flood(void)
{
    memset(room, 'A', sizeof room);
    for (int i = 0; i < 1000; i++)
        if (write(1, room, sizeof room) < 0) break;
}

static void never_end(void)
{
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    syscall(SYS_setsid);
    for (;;) pause();
}

static void close_all(void)
{
    for (int fd = 0; fd < 1024; fd++) close(fd);
    _exit(3);
}

static void crash(void)
{
    syscall(SYS_kill, syscall(SYS_getpid), SIGABRT);
    opened("a signal to oneself is lost");
}

static const struct { const char *name; void (*run)(void); } attacks[] = {
#define ATTACK(NAME) {#NAME, NAME}
    ATTACK(write_outside), ATTACK(remove_outside), ATTACK(make_outside), ATTACK(read_outside), ATTACK(change_owners),
    ATTACK(alter_executable), ATTACK(alter_libraries), ATTACK(replace_report), ATTACK(spoil_report),
    ATTACK(execute_others), ATTACK(execute_own), ATTACK(start_processes), ATTACK(send_signals),
    ATTACK(signal_by_descriptor), ATTACK(change_parent), ATTACK(trace_others), ATTACK(talk), ATTACK(share),
    ATTACK(reach_kernel), ATTACK(enter_namespaces), ATTACK(administer), ATTACK(other_interfaces),
    ATTACK(type_into_terminal), ATTACK(look_at_descriptors), ATTACK(raise_limits), ATTACK(gain_rights),
    ATTACK(fill_disk), ATTACK(fill_names), ATTACK(nest), ATTACK(fill_memory), ATTACK(flood), ATTACK(never_end), ATTACK(close_all),
    ATTACK(crash),
};

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    folder = argv[1];
    setvbuf(stdout, 0, _IONBF, 0);
    for (unsigned i = 0; i < sizeof attacks / sizeof *attacks; i++)
        if (!strcmp(attacks[i].name, argv[2])) {
            attacks[i].run();
            puts("held");
            return 0;
        }
    return 2;
}
