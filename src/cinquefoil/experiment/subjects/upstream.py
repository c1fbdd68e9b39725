"""Sources of subjects, as the machine's own Debian mirror has them.

apt finds and checks them; its configuration, lists and downloads stay in a folder of ours, so that neither rights nor
changes to the machine's set-up are needed.  The mirrors are those the machine already uses, asked for source packages.
The upstream archive is taken as it is; Debian's own changes are not applied.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cinquefoil.build.cache import cache_root, locked
from cinquefoil.errors import UserError
from cinquefoil.experiment.subjects.recipe import Recipe

_SYSTEM: Final = Path("/etc/apt")
_DISTRIBUTION: Final = re.compile(r"/(debian|ubuntu)[\w.-]*/?(\s|$)", re.MULTILINE)


def subjects_root() -> Path:
    """Everything about subjects, in the user's cache directory."""
    return cache_root() / "subjects"


def fetch(recipe: Recipe) -> Path:
    """The upstream archive of a recipe's package, downloaded if it is not here yet."""
    folder = subjects_root() / "archives" / (recipe.suite or "default") / recipe.package
    with locked(folder):
        found = upstream_archive(folder)
        if found is None:
            folder.mkdir(parents=True, exist_ok=True)
            _download(recipe, folder)
            found = upstream_archive(folder)
    if found is None:
        raise UserError(f"Debian's source package {recipe.package} holds no upstream archive")
    return found


def upstream_archive(folder: Path) -> Path | None:
    return next((path for path in sorted(folder.glob("*.orig.tar.*")) if path.suffix != ".asc"), None)


def version_of(archive: Path) -> str:
    """The upstream version in a name like `bc_1.07.1.orig.tar.gz`."""
    return archive.name.partition("_")[2].partition(".orig")[0]


def unpack(archive: Path, folder: Path) -> None:
    """The archive's content without its outermost folder.  Times are kept: makefiles rely on them."""
    with tarfile.open(archive) as content:
        content.extractall(folder, filter="tar")
    entries = list(folder.iterdir())
    if len(entries) == 1 and entries[0].is_dir():
        inner = entries[0].rename(folder / ".inner")
        for entry in list(inner.iterdir()):
            entry.rename(folder / entry.name)
        inner.rmdir()


def _download(recipe: Recipe, folder: Path) -> None:
    if shutil.which("apt-get") is None:
        raise UserError("apt-get is needed to fetch subjects; this works on Debian and its like")
    home = subjects_root() / "apt" / (recipe.suite or "default")
    with locked(home):
        if not any((home / "lists").glob("*_Sources*")):
            _set_up(home, recipe.suite)
            _apt(home, home, ["update"])
    _apt(home, folder, ["--download-only", "--tar-only", "source", recipe.package])


def _set_up(home: Path, suite: str) -> None:
    for name in ("lists/partial", "cache/archives/partial", "sources"):
        (home / name).mkdir(parents=True, exist_ok=True)
    written = [_write(home / "sources" / path.name, text) for path, text in _source_lists(suite)]
    if not written:
        raise UserError("apt on this machine knows no mirror of Debian or Ubuntu")


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _source_lists(suite: str) -> Iterator[tuple[Path, str]]:
    """The machine's lists of mirrors, asking for sources; other vendors' are left out."""
    for path in (_SYSTEM / "sources.list", *sorted((_SYSTEM / "sources.list.d").glob("*"))):
        if path.is_file() and path.suffix in (".list", ".sources"):
            asking = for_sources(path.read_text(encoding="utf-8"), path.suffix, suite)
            if asking:
                yield path, asking


def for_sources(text: str, suffix: str, suite: str = "") -> str:
    """A list of mirrors, in either of apt's formats, with source packages instead of binary ones; those of another
    suite (release) if one is named."""
    blocks = text.split("\n\n") if suffix == ".sources" else text.splitlines()
    # Security updates have a mirror, and names of suites, of their own.
    mirrors = [block for block in blocks if _DISTRIBUTION.search(_without_comments(block))]
    kept = [block for block in mirrors if not (suite and "-security" in block)]
    return "\n\n".join(dict.fromkeys(_asking(block, suffix, suite) for block in kept))


def _asking(block: str, suffix: str, suite: str) -> str:
    """One mirror, in either format."""
    if suffix == ".sources":
        block = re.sub(r"^Types:.*", "Types: deb-src", block, flags=re.MULTILINE)
        return re.sub(r"^Suites:.*", f"Suites: {suite}", block, flags=re.MULTILINE) if suite else block
    block = re.sub(r"^\s*deb(-src)?\b", "deb-src", block)
    return re.sub(r"^(deb-src\s+(?:\[[^]]*\]\s+)?\S+\s+)\S+", rf"\g<1>{suite}", block) if suite else block


def _without_comments(block: str) -> str:
    return "\n".join(line for line in block.splitlines() if not line.lstrip().startswith("#"))


def _apt(home: Path, folder: Path, command: list[str]) -> None:
    options = {
        "Dir::State::lists": home / "lists",
        "Dir::Cache": home / "cache",
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": home / "sources",
        "Debug::NoLocking": "true",
        "APT::Sandbox::User": "",
    }
    words = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
    done = subprocess.run(
        ["apt-get", "-q", *words, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=os.environ | {"LC_ALL": "C"},
    )
    if done.returncode != 0:
        raise UserError(f"apt-get {' '.join(command)} failed: {done.stderr.strip()}")
