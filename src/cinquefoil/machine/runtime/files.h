/* Open files of the modelled environment. */
#ifndef CINQ_FILES_H
#define CINQ_FILES_H

#include "runtime.h"

#define NAME_LIMIT 240
struct file {
    char name[NAME_LIMIT];
    u64 base;       /* content: program memory (with shadows), or the argument block */
    u64 size, room; /* room 0: the content is not ours to change */
    u32 exists;
};
struct descriptor { u32 open, file, append; u64 offset; };

enum { FILE_STDIN = 0, FILE_OUTPUT = 1, FILE_FIRST = 2, FILE_LIMIT = 64, DESCRIPTOR_LIMIT = 64 };
extern struct file files[FILE_LIMIT];
extern u32 file_count;

void files_reset(void);
u32 file_add(const char *name, u64 base, u64 size); /* its index */
long file_open(const char *name, long flags);
long file_close(long fd);
long file_read(long fd, u64 to, u64 n, long at);    /* at < 0: the descriptor's offset */
long file_write(long fd, u64 from, u64 n, long at);
long file_seek(long fd, long offset, long whence);
long file_duplicate(long fd, long wanted);          /* wanted < 0: any */
long file_duplicate_from(long fd, long least);      /* the lowest that is free, from least on */
long file_truncate(long fd, u64 size);
long file_of(long fd);                              /* index, or -EBADF */
long file_named(const char *name);                  /* index, or -ENOENT */

#define E_PERM -1
#define E_NOENT -2
#define E_SRCH -3
#define E_BADF -9
#define E_ACCES -13
#define E_FAULT -14
#define E_INVAL -22
#define E_MFILE -24
#define E_NOTTY -25
#define E_SPIPE -29
#define E_NOSYS -38

#endif
