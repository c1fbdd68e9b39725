"""Why two compilers differ about a line: told by its text."""

from __future__ import annotations

import pytest

from cinquefoil.experiment.subjects.reasons import Reason, count, reason

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
        (1, Reason.PART),
        (2, Reason.PART),
        (3, Reason.PART),
        (4, Reason.PART),
        (5, Reason.CONSTANT),
        (6, Reason.CONSTANT),
        (7, Reason.CONSTANT),
        (8, Reason.CONSTANT),
        (9, Reason.CONSTANT),
        (10, Reason.OTHER),
        (11, Reason.OTHER),
        (12, Reason.OTHER),
        (14, Reason.PART),
        (99, Reason.OTHER),
    ],
)
def test_a_line_is_a_part_a_constant_or_something_else(number: int, expected: Reason) -> None:
    assert reason(SOURCE, number) is expected


def test_files_that_are_not_at_hand_are_left_out() -> None:
    counts = count(["a.c:5", "a.c:10", "b.c:1"], {"a.c": SOURCE}.get)
    assert counts == {Reason.CONSTANT: 1, Reason.OTHER: 1}
