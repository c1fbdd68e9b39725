"""Flags about sanitizers: what is checked, what is said, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.build.driver import cc_main
from cinquefoil.build.sanitizers import CHECKS, PARTS, flags_for, sanitizing
from cinquefoil.errors import UserError


def _parts(*flags: str) -> set[str]:
    given = [flag for flag in sanitizing(flags).flags if flag.startswith("-fsanitize=")]
    return set(given[-1].partition("=")[2].split(",")) if given else set()


def test_undefined_is_all_of_its_parts() -> None:
    assert {"signed-integer-overflow", "shift-base", "shift-exponent", "pointer-overflow"} < _parts(
        "-fsanitize=undefined"
    )
    assert _parts("-fsanitize=undefined") <= PARTS


def test_flags_are_read_in_order() -> None:
    assert _parts("-fsanitize=undefined", "-fno-sanitize=all", "-fsanitize=shift") == {"shift-base", "shift-exponent"}
    assert "null" not in _parts("-fsanitize=undefined", "-fno-sanitize=null")


@pytest.mark.parametrize("part", ["signed-integer-overflow", "shift-base", "pointer-overflow"])
def test_what_wrapping_would_hide_is_checked(part: str) -> None:
    assert "-fno-wrapv" in sanitizing([f"-fsanitize={part}"]).flags


def test_other_flags_are_left_alone() -> None:
    assert sanitizing(["-O2", "-DX=1"]).flags == ["-O2", "-DX=1"]
    assert "-fno-wrapv" not in sanitizing(["-fsanitize=bounds"]).flags


@pytest.mark.parametrize("name", ["address", "local-bounds", "enum", "return", "vptr"])
def test_what_is_done_anyway_or_cannot_happen_is_said(name: str) -> None:
    given = sanitizing([f"-fsanitize={name}"])
    assert given.flags == []
    assert name in given.notes[0]


@pytest.mark.parametrize("name", ["thread", "memory", "leak", "fuzzer", "dataflow", "cfi", "nonsense"])
def test_what_is_not_supported_is_refused_by_name(name: str) -> None:
    with pytest.raises(UserError, match=f"-fsanitize={name} is not supported"):
        sanitizing([f"-fsanitize=undefined,{name}"])


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_every_check_stands_for_parts_of_clangs(name: str) -> None:
    assert _parts(*flags_for([name]))


def test_a_project_gets_them_by_its_flags(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, output = tmp_path / "p.c", tmp_path / "p"
    source.write_text("int main(int n, char **a) { return n + 0x7ffffff0 > 3; }")
    assert cc_main(["-fsanitize=address,undefined", str(source), "-o", str(output)]) == 0
    assert "every access to memory is checked anyway" in capfd.readouterr().err
    assert (tmp_path / "p.bc").is_file()
    assert cc_main(["-fsanitize=thread", "-c", str(source), "-o", str(tmp_path / "q.o")]) == 1
    assert "-fsanitize=thread is not supported" in capfd.readouterr().err
