"""`cinq meld`: what is melded, what is not and why, and the code before and after."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from cinquefoil.cli.meld_command import meld

SOURCE = """#include <klee/klee.h>
void note(int);
static int upper(int c) { if (c >= 'a') c -= 32; return c; }
static int noisy(int c) { if (c == 7) note(c); return c; }
void note(int n) { }
int main(void) { int c; klee_make_symbolic(&c, sizeof c, "c"); return upper(c) + noisy(c); }
"""


def shown(folder: Path, *options: str) -> str:
    path = folder / "program.c"
    path.write_text(SOURCE)
    done = CliRunner().invoke(meld, [str(path), *options], standalone_mode=False)
    assert done.exception is None, done.output
    return done.output


def test_what_is_melded_and_what_not_and_the_code(tmp_path: Path) -> None:
    text = shown(tmp_path)
    assert "in upper: melded if-then" in text and "in noisy: left: it calls note" in text
    before, after = text.index("; upper before: 3 blocks"), text.index("; upper after: 1 blocks")
    assert "br i1" in text[before:after] and "select i1" in text[after:] and "br i1" not in text[after:]
    assert "; noisy" not in text and text.rstrip().endswith("1 branch on input melded, 1 left")


def test_one_function(tmp_path: Path) -> None:
    text = shown(tmp_path, "--function", "noisy")
    assert "; noisy before" in text and "upper" not in text


def test_without_code(tmp_path: Path) -> None:
    assert "before" not in shown(tmp_path, "--no-code")


def test_a_switch_on_input_is_named_as_left(tmp_path: Path) -> None:
    path = tmp_path / "switch.c"
    path.write_text(
        """#include <klee/klee.h>
        int main(int argc, char **argv) { int c, n = 0; klee_make_symbolic(&c, sizeof c, "c");
          switch (c) { case 1: n = 5; break; case 2: n = 6; break; default: n = 9; }
          switch (sizeof c + n * 0) { case 4: n++; }
          return n; }"""
    )
    done = CliRunner().invoke(meld, [str(path), "--no-code"], standalone_mode=False)
    assert done.exception is None and "switch.c:3:11 in main: left: it is a switch" in done.output
