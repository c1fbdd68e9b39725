/* Everything a program can do to whoever runs it; the first input byte chooses.  Case 0 is a good citizen. */
#define _GNU_SOURCE
#include <klee/klee.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static char big[100 << 20];
static int state = 1;
static jmp_buf env;
static const char constant[] = "constant";

static int plain(int n) { return plain(n + 1) + 1; }
static int framed(int n) { char b[300]; b[n & 255] = n; return framed(n + 1) + b[3]; }
static int enters(void) { return setjmp(env); }
static void *thread(void *p) { return p; }
static int other(void *p) { thrd_exit(p != 0); }
static void handler(int n) { state = n; }
static void at_end(void) { exit(state + 5); }
static void again(void) { atexit(again); }
static int deep(int n) { return n ? deep(n - 1) + 1 : 0; }
static int citizen(unsigned char c) { int s = state; for (int i = 0; i < 100; i++) s = s * 31 + big[i] + (c > i); printf("citizen %d\n", s); return s & 15; }

int main(int argc, char **argv)
{
    unsigned char c[2]; klee_make_symbolic(c, 2, "choice");
    volatile long zero = 0; char *wild = 0; char buffer[64]; int pipes[2]; char *heap = malloc(32); pthread_t t; sigset_t set;
    state = 7; big[5] = 3; big[sizeof big - 1] = 9;
    switch (c[0]) {
    case 0: state = 1; return citizen(c[1]);
    case 1: *(int *)zero = 1; break;
    case 2: for (;;) zero++; break;
    case 3: return plain(0);
    case 4: return framed(0);
    case 5: for (;;) puts("flood flood flood flood flood flood flood flood"); break;
    case 6: for (;;) if (!malloc(1 << 20)) return 6; break;
    case 7: for (;;) if (!(heap = malloc(1 << 20))) return 7; else memset(heap, 1, 1 << 20); break;
    case 8: wild = (char *)0x50000000; wild[zero] = 1; break;
    case 9: wild = (char *)0x70000000; wild[zero] = 1; break;
    case 10: wild = (char *)0x300000000000; wild[zero] = 1; break;
    case 11: wild = (char *)0x300010000000; wild[zero] = 1; break;
    case 12: wild = (char *)0x200000000000; memset(wild + zero, 1, 4096); break;
    case 13: wild = (char *)0x280000000000; memcpy(wild + zero, buffer, 64); break;
    case 14: wild = (char *)0x300000000000; read(0, wild, 100); break;
    case 15: *(char *)&main = 1; break;
    case 16: *(char *)constant = 'x'; break;
    case 17: memcpy((char *)constant, buffer, 3); break;
    case 18: ((void (*)(void))0x50000000)(); break;
    case 19: ((void (*)(void))buffer)(); break;
    case 20: ((void (*)(void))((char *)main + 1))(); break;
    case 21: if (setjmp(env) == 0) { memset(env, 0x41, sizeof env); longjmp(env, 1); } break;
    case 22: enters(); longjmp(env, 1); break;
    case 23: { jmp_buf never; memset(never, 0, sizeof never); longjmp(never, 1); }
    case 24: signal(SIGSEGV, handler); *(int *)zero = 1; break;
    case 25: signal(SIGALRM, handler); alarm(1); raise(SIGALRM); return state & 3;
    case 26: return fork() == 0 ? 1 : 2;
    case 27: execl("/bin/sh", "sh", "-c", "true", (char *)0); return 27;
    case 28: kill(getpid(), SIGKILL); return 28;
    case 29: kill(getppid(), SIGKILL); kill(-1, SIGKILL); return 29;
    case 30: return socket(AF_INET, SOCK_STREAM, 0) < 0 ? 30 : 1;
    case 31: return open("/etc/passwd", O_RDONLY) < 0 ? 31 : 1;
    case 32: return open("/tmp/cinq-hostile", O_RDWR | O_CREAT, 0600) < 0 ? 32 : 1;
    case 33: return pthread_create(&t, 0, thread, 0) ? 33 : pthread_join(t, 0);
    case 34: atexit(at_end); return 3;
    case 35: atexit(again); return 3;
    case 36: abort();
    case 37: return deep(100000) & 63;
    case 38: mmap((void *)0x50000000, 1 << 20, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); return 38;
    case 39: munmap((void *)0x300000000000, 1 << 30); mprotect((void *)0x400000, 1 << 20, 7); return 39;
    case 40: return pipe(pipes) < 0 ? 40 : 1;
    case 41: system("true"); return 41;
    case 42: return syscall(9999, 1, 2, 3) < 0 ? 42 : 1;
    case 43: syscall(SYS_exit_group, 43); return 1;
    case 44: close(0); close(1); close(2); puts("closed"); return 44;
    case 45: sleep(1000); usleep(100); return 45;
    case 46: sigfillset(&set); sigprocmask(SIG_BLOCK, &set, 0); for (;;) zero++;
    case 47: { char *p = alloca(60 << 20); p[0] = 1; return 47; }
    case 48: { long n = 1L << 40; char vla[n + zero]; vla[0] = 1; return 48; }
    case 49: free(buffer); break;
    case 50: free(heap + 8); break;
    case 51: __builtin_trap();
    case 52: asm volatile("syscall" : : "a"(60), "D"(1)); break;
    case 53: asm volatile("int3"); break;
    case 54: for (long i = 0;; i++) heap[i] = 1; break;
    case 55: for (long i = 0;; i--) buffer[i] = 1; break;
    case 56: memset(big - 64, 1, sizeof big + 128); break;
    case 57: memset(big, c[1], sizeof big); return big[77] & 7;
    case 58: wild = (char *)0xffffffffffffff00; return *(wild + zero);
    case 59: wild = (char *)0x8000000000000000; *(wild + zero) = 1; break;
    case 60: wild = heap + (1L << 32); *wild = 1; break;
    case 61: wild = (char *)state; strcpy(wild, "x"); break;
    case 62: write(1, (char *)0x300000000000, 4096); break;
    case 63: write(1, heap, 1L << 40); break;
    case 64: fprintf((FILE *)heap, "x"); break;
    case 65: printf("%s", (char *)0x300000100000); break;
    case 66: printf("%n", (int *)0x50000000); break;
    case 67: klee_make_symbolic((void *)0x300000000000, 1000, "wild"); break;
    case 68: klee_make_symbolic(big, 90 << 20, "too much"); break;
    case 69: for (int i = 0;; i++) { char b; klee_make_symbolic(&b, 1, "many"); state += b; }
    case 70: for (unsigned i = 0;; i++) if (c[1] + i == 3000000000u) state++;
    case 71: for (unsigned x = c[1];; x = x * 31 + (x >> 3) + c[1]) if (x == 77) state++;
    case 72: { struct { char b[1 << 16]; } s; memset(&s, 1, sizeof s); return s.b[c[1]]; }
    case 73: execve("/bin/true", argv, 0); vfork(); return 73;
    case 74: { void **frame = (void **)__builtin_frame_address(0); return frame ? *(int *)frame : 74; }
    case 75: raise(SIGABRT); return 75;
    case 76: { int *p = (int *)&env; setjmp(env); p[14] ^= 16; longjmp(env, 2); }
    case 77: ((void (*)(int))longjmp)(3); break;
    case 78: qsort(heap, 8, 4, (int (*)(const void *, const void *))heap); break;
    case 80: { unsigned x = c[1]; for (long i = 0; i < 4000000; i++) x = x * 31 + c[1] + (x >> 3); return 100 / (x | 1); }
    case 79: return ((int (*)(int, int, int, int, int, int, int, int, int))deep)(3, 1, 2, 3, 4, 5, 6, 7, 8);
    case 81: return thrd_create(&t, other, 0) == thrd_nomem ? 81 : 0;
    }
    return 99;
}
