"""What docs/libc.md says of the C library that programs are explored with."""

from __future__ import annotations

from kernel import worker_of

SAID = """\
usable 10 0
realloc 1
limit 1 1
aligned 1 1
pointer 0, text (nu, hex 0x1p+0
unknown -1 -1
buffer 1024
scanned 0 0 2 x
no digits 1
time 0
stable 0
rand 0
compared -2 -2
getopt -1 a
digit 1, back 0, brace 1
gnu 1 1 1 1
fnmatch 1
codeset ASCII, byte 1, letter 1 1
translit 0, ebcdic 0, lacking 1 *
locale xx_anything
No error information; No error information; Illegal byte sequence
Result not representable; Not a tty; Arithmetic exception
"""


def test_the_library_does_as_its_page_says() -> None:
    """The last words of the program are never flushed."""
    with worker_of("library") as worker:
        run = worker.run(b"")
    assert run.error is not None and run.error.kind == "abort"
    assert run.output.decode() == SAID
