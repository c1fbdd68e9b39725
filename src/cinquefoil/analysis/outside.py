"""What functions outside the program (libc's, KLEE's) do with input, by name."""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Results, and what is written through arguments, are input.
INPUT = _names(
    """
    read pread readv recv recvfrom getc getchar fgetc getc_unlocked getchar_unlocked fgetc_unlocked fgets gets fread
    fread_unlocked getline getdelim scanf fscanf getwc getwchar fgetwc fgetws ungetc feof ferror klee_int klee_range
    klee_choose stat fstat lstat
    """
)
# What the first argument points to becomes input.
MAKERS = _names("klee_make_symbolic __VERIFIER_nondet_memory")
# Nothing is written that the program reads again.
READERS = _names(
    """
    strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll strchr strrchr strstr strpbrk strspn strcspn memcmp
    bcmp memchr memrchr rawmemchr strchrnul atoi atol atoll atof printf fprintf puts fputs putchar putc fputc fwrite
    vprintf vfprintf perror error abort exit _exit free malloc calloc abs labs llabs toupper tolower isalpha isdigit
    isalnum isspace isupper islower isprint ispunct isxdigit iscntrl isgraph isblank __ctype_b_loc klee_assume
    klee_assert __assert_fail klee_prefer_cex klee_is_symbolic klee_open_merge klee_close_merge klee_warning
    """
)
# Results come from control flow alone: each path has a concrete one.  So do pointers that functions return.
COUNTING = _names("strlen strnlen strspn strcspn")
# From the other arguments to what the first points to.
COPIES = _names("memcpy memmove strcpy strncpy strcat strncat stpcpy mempcpy strdup strndup memset")
