/* Short names of integer types, and what marks functions for Python (extension.py reads the headers). */
#ifndef CINQ_TYPES_H
#define CINQ_TYPES_H
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;
typedef unsigned __int128 u128;
typedef __int128 i128;

/* A function with this result puts numbers where its first parameter, `i64 *out`, points to, and returns how many.
 * Python does not give that argument and gets a tuple, or None if the result is negative. */
typedef int cinq_numbers;
#define CINQ_MOST_NUMBERS 18

/* Marks a function that may take long: Python's other threads go on meanwhile. */
#define CINQ_LONG

#define CINQ_NOBODY (~(u64)0) /* instead of a state's id */

#endif
