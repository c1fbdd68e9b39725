"""Exploring melded programs: fewer paths, the same errors, no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cinquefoil
from cinquefoil.build.program import load_program
from cinquefoil.exploration.loop.exploration import Outcome
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.session.melded_session import MeldedSession
from cinquefoil.exploration.session.session import Task, session_for

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "meld"
PRELUDE = "#include <klee/klee.h>\n"


def benchmark(name: str, size: int, *flags: str, meld: str = "auto") -> Outcome:
    return cinquefoil.explore(
        BENCHMARKS / f"{name}.c", flags=(f"-DSIZE={size}", *flags), meld=meld, max_time=120, clock="cpu"
    )


def melded(source: str, folder: Path, mode: str = "all", **options: Any) -> tuple[Outcome, dict[str, Any]]:
    path = folder / "program.c"
    path.write_text(PRELUDE + source)
    session = session_for(Task(path), Options(meld=mode, **options), load_program(path))
    assert isinstance(session, MeldedSession)
    outcome = session.run()
    notes: Any = session.summary["meld"]
    return outcome, notes


def error_lines(outcome: Outcome) -> set[tuple[str, int]]:
    return {(error.kind, error.line) for error in outcome.errors}


def test_to_upper_takes_one_path_and_no_query() -> None:
    outcome = benchmark("toupper", 10)
    assert outcome.exhausted and outcome.statistics.paths == 1 and outcome.statistics.queries == 0


def test_to_upper_is_proved_with_one_query_per_character() -> None:
    outcome = benchmark("toupper", 10, "-DASSERT")
    assert outcome.exhausted and not outcome.errors
    counts = outcome.statistics  # most are refuted without a query, before they become states
    assert counts.paths == 1 and counts.queries + counts.refuted == 10


def test_without_melding_to_upper_explodes() -> None:
    outcome = benchmark("toupper", 10, meld="")
    assert outcome.exhausted and outcome.statistics.paths == 1024


@pytest.mark.parametrize(
    ("name", "size"), [("bitonic", 4), ("prim", 4), ("closure", 3), ("floyd", 3), ("dilation", 4), ("erosion", 4)]
)
def test_one_path(name: str, size: int) -> None:
    outcome = benchmark(name, size)
    assert outcome.exhausted and outcome.statistics.paths == 1


def test_merge_sort_is_left_as_it_is() -> None:
    outcome = benchmark("mergesort", 4)
    assert outcome.exhausted and outcome.statistics.paths == 24


def test_kruskal_is_left_for_its_sort_would_make_the_rest_symbolic() -> None:
    plain, auto = benchmark("kruskal", 3, meld=""), benchmark("kruskal", 3)
    assert plain.exhausted and auto.exhausted and auto.statistics.paths == plain.statistics.paths


def test_arms_of_the_same_shape_take_one_path(tmp_path: Path) -> None:
    source = """
    int main(void) { unsigned char in[8]; int out[4] = {0}; klee_make_symbolic(in, 8, "in");
      for (int r = 0; r < 4; r++)
        if (in[r] > 3) for (int i = 0; i < 4; i++) out[i] += in[4 + i] * 3;
        else for (int i = 0; i < 4; i++) out[i] += in[4 + i] * 5;
      return out[0] & 1; }
    """
    outcome, notes = melded(source, tmp_path)
    assert outcome.exhausted and outcome.statistics.paths == 1
    assert [region["kind"] for region in notes["regions"]] == ["isomorphic"]


GUARDED = """
int table[4] = {1, 2, 3, 4};
int main(void) {
  unsigned char a; int sum = 0;
  klee_make_symbolic(&a, 1, "a");
  for (int i = 0; i < 6; i++)
    if (i + (a & 0) < 4)      /* protects the access; to the analysis it depends on input */
      sum += table[i];
  if (a == 200) klee_assert(sum != 10);
  return 0;
}
"""


def test_a_false_error_is_excluded_and_never_reported(tmp_path: Path) -> None:
    outcome, notes = melded(GUARDED, tmp_path)
    assert notes["false_errors"] >= 1 and notes["rounds"] == 2 and len(notes["excluded"]) == 1
    assert outcome.exhausted and error_lines(outcome) == {("assertion", 10)}


BEHIND = """
int table[4];
int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, 1, "a");
  klee_make_symbolic(&b, 1, "b");
  for (int i = 0; i < 5; i++)
    if (a == i)
      table[i] = 1;           /* true for a == 4 */
  if (b == 77) klee_assert(0);
  return 0;
}
"""


def test_a_true_error_in_a_melded_branch_is_reported_and_hides_nothing(tmp_path: Path) -> None:
    outcome, notes = melded(BEHIND, tmp_path)
    assert outcome.exhausted and error_lines(outcome) == {("out-of-bounds", 10), ("assertion", 11)}
    assert notes["excluded"]
    assert all(error.confirmed for error in outcome.errors)
    numbers = [test.number for test in outcome.tests]
    assert numbers == sorted(set(numbers))


def test_a_division_is_speculated_with_a_safe_divisor(tmp_path: Path) -> None:
    source = """
    int main(void) { unsigned char a, b; int x = 1;
      klee_make_symbolic(&a, 1, "a"); klee_make_symbolic(&b, 1, "b");
      for (int i = 0; i < 3; i++) if (b > 5 + i) x += a / (b - 6);
      return x & 1; }
    """
    outcome, notes = melded(source, tmp_path)
    assert error_lines(outcome) == {("division-by-zero", 5)} and notes["false_errors"] == 0


def test_marked_regions_are_melded_and_others_not(tmp_path: Path) -> None:
    source = """
    int main(void) { unsigned char in[6]; int x = 0;
      klee_make_symbolic(in, 6, "in");
      klee_open_merge();
      if (in[0] > 3) x += 2;
      if (in[1] > 3) x += 3;
      klee_close_merge();
      if (in[2] > 3) x += 4;
      return x & 1; }
    """
    outcome, notes = melded(source, tmp_path, "marked")
    assert [region["line"] for region in notes["regions"]] == [7, 6] and outcome.statistics.paths == 2


def test_marks_hold_in_functions_called_between_them(tmp_path: Path) -> None:
    source = """
    static int grade(int c) { if (c > 3) return 2; return 5; }
    static int other(int c) { if (c > 3) return 2; return 5; }
    int main(void) { unsigned char in[2]; klee_make_symbolic(in, 2, "in");
      klee_open_merge(); int x = grade(in[0]); klee_close_merge();
      return x + other(in[1]); }
    """
    outcome, notes = melded(source, tmp_path, "marked")
    assert [region["function"] for region in notes["regions"]] == ["grade"] and outcome.statistics.paths == 2


def test_automatic_melding_leaves_branches_outside_loops(tmp_path: Path) -> None:
    source = """
    int main(void) { unsigned char in[6]; int x = 0;
      klee_make_symbolic(in, 6, "in");
      if (in[0] > 3) x += 2;
      for (int i = 1; i < 6; i++) if (in[i] == 9) x += 3;
      return x & 1; }
    """
    outcome, notes = melded(source, tmp_path, "auto")
    assert [region["line"] for region in notes["regions"]] == [6] and outcome.statistics.paths == 2


def test_several_workers_find_the_same(tmp_path: Path) -> None:
    outcome, notes = melded(BEHIND, tmp_path, workers=2)
    assert error_lines(outcome) == {("out-of-bounds", 10), ("assertion", 11)} and notes["excluded"]
