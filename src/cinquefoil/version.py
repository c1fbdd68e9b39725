"""Which Cinquefoil this is: its version, and the commit it was made from where that is known.

A wheel built from a git checkout holds its commit in `_commit.py` (`hatch_build.py` writes it); an editable
installation asks git.  Elsewhere only the version is known.
"""

from __future__ import annotations

import subprocess
from importlib import import_module
from pathlib import Path

_PATIENCE = 5.0  # seconds for git


def described(version: str) -> str:
    """The version and the commit, such as "0.1.0 (commit 0123456789ab)"; "-dirty" marks uncommitted changes."""
    known = commit()
    return f"{version} (commit {known})" if known else version


def commit() -> str:
    """The commit of this installation, or nothing."""
    try:
        return str(import_module("cinquefoil._commit").COMMIT)
    except ImportError:
        return commit_of_checkout(Path(__file__).parents[2])


def commit_of_checkout(root: Path) -> str:
    """The commit of the git checkout whose top is `root`, or nothing.

    A folder inside the checkout of another project has no commit of its own."""
    if not (root / ".git").exists():
        return ""
    command = ["git", "--no-optional-locks", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run([*command, "--exclude=*"], capture_output=True, text=True, check=False, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
