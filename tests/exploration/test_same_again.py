"""The same seed gives the same bytes: in another process with other hashes, whatever else the machine has to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
static int depth(const char **p) {
    int deepest = 0;
    while (**p == '(') {
        ++*p;
        int found = 1 + depth(p);
        if (found > deepest) deepest = found;
        if (**p == ')') ++*p;
    }
    return deepest;
}
int main(void) {
    char text[9];
    unsigned n[3];
    klee_make_symbolic(text, sizeof text, "text");
    klee_make_symbolic(n, sizeof n, "n");
    text[8] = 0;
    const char *p = text;
    int found = depth(&p);
    if (n[0] * 7 + n[1] == 1000 && n[2] > n[0]) found += 10;
    switch (n[1] & 7) { case 1: found++; break; case 5: found += atoi(text); break; }
    if (found == 13) abort();
    printf("%d\\n", found);
    return found > 3 ? text[n[2] % 9] == 'x' : (int)(100 / (n[2] | 1));
}
"""
CONFIGURATIONS = {
    "default": [],
    "one strategy": ["--search", "sgs", "--no-mutations"],
    "two workers": ["--workers", "2", "--search", "bfs"],
    "meld": ["--meld"],
    "multiplex": ["--multiplex", "all"],
    "small epochs": ["--search", "nurs:covnew"],
    "checks": ["--check", "undefined", "--prune", "homi"],
}
EXPLORE = """
import json, sys
from cinquefoil.cli.main import run
from cinquefoil.exploration.options import Options
ordinary = Options.table_memory
for name, chosen in json.load(open("configurations.json")).items():
    Options.table_memory = (lambda self: 1 << 14) if name == "small epochs" else ordinary
    run(["run", "--seed", "3", "--max-paths", "150", "-o", sys.argv[1] + "/" + name, *chosen, "p.c"])
"""


def results(folder: Path) -> dict[str, bytes]:
    """Tests and coverage of every configuration, byte for byte."""
    kept = [*folder.glob("*/tests/*.ktest"), *folder.glob("*/coverage.info")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(PROGRAM)
    (tmp_path / "configurations.json").write_text(json.dumps(CONFIGURATIONS))
    for number in ("1", "2"):
        command = [sys.executable, "-c", EXPLORE, number]
        done = subprocess.run(
            command, cwd=tmp_path, env=os.environ | {"PYTHONHASHSEED": number}, capture_output=True, text=True
        )
        assert done.returncode == 0 and "error: internal" not in done.stderr, done.stderr
    first, second = results(tmp_path / "1"), results(tmp_path / "2")
    assert {name.split("/")[0] for name in first} == set(CONFIGURATIONS)
    assert sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name)) == []
    epochs = json.loads((tmp_path / "1" / "small epochs" / "summary.json").read_text())["machine"]["epochs"]
    print(len(first), "files,", epochs, "epochs")
    assert epochs > 5
