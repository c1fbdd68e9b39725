"""What a program may not contain: the run-time's own names, in whatever way C or IR allows, and segments."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.cli.main import run
from cinquefoil.errors import BitcodeError, LinkError

REFERENCES = {
    "function": "void cinq_rt_raw_fill(void *, int, unsigned long); int main(void) { cinq_rt_raw_fill(0, 0, 1); }",
    "data": "extern unsigned cinq_arg[]; int main(void) { return cinq_arg[0]; }",
    "address": "void cinq_rt_host_call(void); int main(void) { return (long)cinq_rt_host_call == 1; }",
    "label": 'void f(void) __asm__("cinq_rt_end_run"); int main(void) { f(); return 0; }',
    "weak": "__attribute__((weak)) void cinq_branch(int); int main(void) { if (cinq_branch) cinq_branch(1); }",
    "definition": "unsigned cinq_ret[64]; int main(void) { return 0; }",
    "static": "static int cinq_load(int x) { return x; } int main(void) { return cinq_load(0); }",
    "linker": "extern char __cinq_data_start[]; int main(void) { return __cinq_data_start[0]; }",
    "section": "extern char __start_cinq_functions[]; int main(void) { return __start_cinq_functions[0]; }",
    "dotted": 'int own __asm__("cinq.data.0") = 1; int main(void) { return own; }',
    "alias": 'int f(void) { return 0; } int g(void) __attribute__((alias("f"))) __asm__("cinq_store"); '
    "int main(void) { return g(); }",
}


@pytest.mark.parametrize("way", REFERENCES)
def test_names_of_the_run_time_are_refused(way: str, tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(REFERENCES[way])
    with pytest.raises(LinkError, match="belong to the run-time"):
        load_program(source)


def test_the_message_names_them(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.c").write_text(REFERENCES["function"])
    assert run(["run", "-o", str(tmp_path / "out"), str(tmp_path / "p.c")]) == 2
    said = capfd.readouterr().err
    assert "cinq_rt_raw_fill" in said and said.count("\n") == 1


def test_strings_may_hold_any_name(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text('#include <stdio.h>\nint main(void) { puts("@cinq_rt_raw_fill"); return 0; }')
    load_program(source)


def test_segment_registers_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text("int main(void) { return *(int __attribute__((address_space(257))) *)16; }")
    with pytest.raises(BitcodeError, match="address space 257"):
        load_program(source)
