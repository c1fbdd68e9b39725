"""Why two compilers differ about a line: told by its text."""

from __future__ import annotations

import pytest

from cinquefoil.experiment.subjects.reasons import LineReason, count, reason

SOURCE = """\
if (first
    && second)
  call (one,
        two);
int status = 1;
char *name = NULL;
return false;
break;
status = 0;
x = other (3);
if (failed)
  error (0, errno, "text");
result = condition
         ? one : two;
""".splitlines()


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, LineReason.PART),
        (2, LineReason.PART),
        (3, LineReason.PART),
        (4, LineReason.PART),
        (5, LineReason.CONSTANT),
        (6, LineReason.CONSTANT),
        (7, LineReason.CONSTANT),
        (8, LineReason.CONSTANT),
        (9, LineReason.CONSTANT),
        (10, LineReason.OTHER),
        (11, LineReason.OTHER),
        (12, LineReason.OTHER),
        (14, LineReason.PART),
        (99, LineReason.OTHER),
    ],
)
def test_a_line_is_a_part_a_constant_or_something_else(number: int, expected: LineReason) -> None:
    assert reason(SOURCE, number) is expected


def test_files_that_are_not_at_hand_are_left_out() -> None:
    counts = count(["a.c:5", "a.c:10", "b.c:1"], {"a.c": SOURCE}.get)
    assert counts == {LineReason.CONSTANT: 1, LineReason.OTHER: 1}
