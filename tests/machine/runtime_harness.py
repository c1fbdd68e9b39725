"""Builds worker images and C drivers from the run-time's sources, and drives a worker over its pipes.

Used by the run-time's own tests, below the product's machine layer: only memfd, pipes and the offsets in
layout.h, so that a fault here is a fault of the C code.
"""

from __future__ import annotations

import ctypes
import importlib.util
import mmap
import os
import re
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src" / "cinquefoil" / "machine" / "runtime"
DRIVERS = Path(__file__).parent / "runtime_drivers"
CFLAGS = [
    "--target=x86_64-linux-musl",
    "-std=c11",
    "-O2",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-pic",
    "-fno-pie",
    "-mcmodel=small",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-nostdinc",
    "-Wall",
    "-Wextra",
    "-Werror",
]


def zig() -> Path:
    spec = importlib.util.find_spec("ziglang")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "zig"


def compile_c(source: Path, output: Path, *flags: str) -> Path:
    include = ["-isystem", str(zig().parent / "lib" / "include"), "-I", str(SOURCES)]
    subprocess.run([zig(), "clang", *CFLAGS, *flags, *include, "-c", source, "-o", output], check=True)
    return output


def runtime_objects(folder: Path, without: tuple[str, ...] = ()) -> list[Path]:
    """Compiles the run-time once per folder; later calls find the objects there."""
    objects: list[Path] = []
    for source in sorted(SOURCES.glob("*.c")):
        output = folder / f"{source.stem}.o"
        if not output.exists():
            compile_c(source, output)
        if source.stem not in without:
            objects.append(output)
    return objects


def link(objects: list[Path], output: Path, *flags: str) -> Path:
    script = ["-T", str(SOURCES / "image.ld")]
    command = [
        zig(),
        "ld.lld",
        "-static",
        "--no-pie",
        "-z",
        "noexecstack",
        *script,
        *flags,
        "-o",
        output,
        *objects,
    ]
    subprocess.run(command, check=True)
    return output


def constants() -> dict[str, int]:
    """The #define and enum values of layout.h."""
    text = re.sub(r"/\*.*?\*/", "", (SOURCES / "layout.h").read_text() + (SOURCES / "env.h").read_text(), flags=re.S)
    found = {m[1]: int(m[2], 0) for m in re.finditer(r"#define (\w+) (0x[0-9a-f]+|\d+)\s", text)}
    for body in re.findall(r"enum \w+ \{(.*?)\}", text, flags=re.S):
        value = -1
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, given = item.partition("=")
            value = int(given, 0) if given else value + 1
            found[name.strip()] = value
    return found


K = constants()
CONTROL_FIELDS = [
    "layout_version",
    "command",
    "input_size",
    "budget",
    "max_events",
    "max_heap",
    "max_table",
    "table_limit",
    "write_limit",
    "flags",
    "end",
    "code",
    "events",
    "trace",
    "made",
    "objects",
    "input_known",
    "nodes",
    "tables",
    "pool",
    "alts",
    "output",
    "output_total",
    "steps",
    "nanoseconds",
    "interned",
    "created",
    "check_failures",
    "remarks",
    "skipped",
]


@dataclass(frozen=True)
class Event:
    kind: int
    muted: int
    taken: int
    site: int
    expr: int
    alts: int
    value: int


@dataclass(frozen=True)
class Node:
    op: int
    width: int
    a: int
    b: int
    c: int
    imm: int
    lo: int
    hi: int


class HarnessWorker:
    """One worker process and its shared memory."""

    def __init__(self, image: Path) -> None:
        self.fd = os.memfd_create("cinq", 0)
        os.ftruncate(self.fd, K["CINQ_SHM_SIZE"])
        self.memory = mmap.mmap(self.fd, K["CINQ_SHM_SIZE"])
        command_read, self.command = os.pipe()
        self.reply, reply_write = os.pipe()
        passed = (self.fd, command_read, reply_write)
        self.process = subprocess.Popen([image, *map(str, passed)], pass_fds=passed)
        os.close(command_read)
        os.close(reply_write)
        for name, value in {
            "budget": 1 << 40,
            "max_heap": 1 << 28,
            "max_table": 1 << 30,
            "table_limit": 4096,
            "write_limit": 256,
        }.items():
            self.set(name, value)
        self.arguments("N")

    def close(self) -> None:
        os.close(self.command)
        self.process.wait(timeout=300)
        os.close(self.reply)
        os.close(self.fd)

    def offset(self, name: str) -> int:
        return CONTROL_FIELDS.index(name) * 8

    def get(self, name: str) -> int:
        return struct.unpack_from("<Q", self.memory, self.offset(name))[0]

    def set(self, name: str, value: int) -> None:
        struct.pack_into("<Q", self.memory, self.offset(name), value)

    def records(self, *records: tuple[str, int, str, bytes]) -> None:
        """Writes the argument block: (kind, size, name, data)."""
        block = b""
        for kind, size, name, data in records:
            low, _, high = name.partition("-") if kind == "ENV_ARGS_RANGE" else ("0", "", "0")
            block += struct.pack("<4I240s", K[kind], size, int(low), int(high), name.encode())
            block += data + bytes(-len(data) % 8)
        block += bytes(256)
        start = K["CINQ_SHM_ARGS"]
        self.memory[start : start + len(block)] = block

    def arguments(self, *words: str) -> None:
        self.records(*(("ENV_ARG", len(w), "", w.encode()) for w in ("program", *words)))

    def ask(self, command: int) -> int:
        os.write(self.command, struct.pack("<Q", command))
        return struct.unpack("<Q", os.read(self.reply, 8))[0]

    def run(self, *words: str, data: bytes = b"") -> int:
        """Runs one input with these arguments (none: as before); the end of the run."""
        if words:
            self.arguments(*words)
        start = K["CINQ_SHM_INPUT"]
        self.memory[start : start + len(data)] = data
        self.set("input_size", len(data))
        return self.ask(K["COMMAND_RUN"])

    def events(self) -> list[Event]:
        rows: list[Event] = []
        for i in range(self.get("events")):
            kind, muted, taken, site, expr, alts, value, _, _ = struct.unpack_from(
                "<BBHIIIQII", self.memory, K["CINQ_SHM_EVENTS"] + 32 * i
            )
            rows.append(Event(kind, muted, taken, site, expr, alts, value))
        return rows

    def error(self) -> dict[str, int | str | list[int]]:
        start = len(CONTROL_FIELDS) * 8
        head = struct.unpack_from("<4I4Q3I", self.memory, start)
        names = [
            "kind",
            "site",
            "access",
            "region",
            "address",
            "size",
            "object_base",
            "object_size",
            "object_site",
            "freed_site",
            "depth",
        ]
        row: dict[str, int | str | list[int]] = dict(zip(names, head, strict=True))
        trace = struct.unpack_from("<64I", self.memory, start + 60)
        row["backtrace"] = list(trace[: head[-1]])
        row["message"] = self.memory[start + 316 : start + 572].split(b"\0")[0].decode()
        return row

    def output(self) -> bytes:
        start = K["CINQ_SHM_OUTPUT"]
        return self.memory[start : start + self.get("output")]

    def node(self, i: int) -> Node:
        op, _, width, a, b, c, imm, _, lo, hi, _ = struct.unpack_from(
            "<BBHIIIQIIII", self.memory, K["CINQ_SHM_NODES"] + 40 * i
        )
        return Node(op, width, a, b, c, imm, lo, hi)

    def object_names(self) -> list[str]:
        made: list[str] = []
        for i in range(self.get("made")):
            (j,) = struct.unpack_from("<I", self.memory, K["CINQ_SHM_MADE"] + 4 * i)
            start = K["CINQ_SHM_OBJECTS"] + 72 * j
            made.append(self.memory[start : start + 64].split(b"\0")[0].decode())
        return made


def signed(value: int) -> int:
    return ctypes.c_int64(value).value
