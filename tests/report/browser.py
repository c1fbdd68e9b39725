"""A real browser over two pipes: Chromium's DevTools protocol, JSON messages that end in a zero byte.

with Browser() as browser:
    page = browser.open("file:///...", width=390, height=844)
    page.click("a[href='#e1']")
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_SECONDS = 300.0
# The pipes must be descriptors 3 and 4; copies above 9 first, since either may be one of the two already.
_START = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(word), fcntl.F_DUPFD, 10) for word in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """A process of its own with an empty profile; `events` is all that its pages told without being asked."""

    def __init__(self) -> None:
        assert CHROMIUM is not None
        self._profile = tempfile.TemporaryDirectory(prefix="cinq-browser-", ignore_cleanup_errors=True)
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        flags = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--hide-scrollbars"]
        flags += ["--no-sandbox"] if os.getuid() == 0 else []  # a sandbox needs a user who is not root
        flags += ["--disable-dev-shm-usage", f"--user-data-dir={self._profile.name}"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(theirs_in), str(theirs_out), CHROMIUM, *flags, "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._rest = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._out)
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        self._profile.cleanup()

    def call(self, method: str, session: str | None = None, **parameters: object) -> dict[str, Any]:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            read = os.read(self._in, 1 << 16)
            assert read, "the browser has gone"
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def open(self, address: str, width: int = 1280, height: int = 900, script: bool = True) -> Page:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, session, address, (width, height), script)


class Page:
    def __init__(self, browser: Browser, session: str, address: str, size: tuple[int, int], script: bool) -> None:
        self._browser, self._session = browser, session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        width, height = size
        mobile = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Page.navigate", url=address)
        self._await("document.readyState === 'complete' && location.href !== 'about:blank'")

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def value(self, expression: str) -> Any:
        """Of an expression, which is evaluated even where the page's own scripts are off."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def _await(self, condition: str) -> None:
        deadline = time.monotonic() + _SECONDS
        while not self.value(condition):
            assert time.monotonic() < deadline, condition
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """With the mouse, where the element is seen."""
        at = self.value(
            f"(e => {{ e.scrollIntoView({{block: 'center'}}); const r = e.getClientRects()[0];"
            f" return r && [r.left + Math.min(r.width, 40) / 2, r.top + r.height / 2] }})"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        assert at, f"{selector} is not to be seen"
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)
        time.sleep(0.1)

    def in_view(self, selector: str) -> bool:
        """Is the element in the window, and not hidden in a part that is closed?"""
        return self.value(
            f"(e => {{ const r = e && e.getBoundingClientRect(); return !!r && r.height > 0 && r.bottom > 0 "
            f"&& r.top < innerHeight }})(document.querySelector({json.dumps(selector)}))"
        )

    def dark(self) -> None:
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def of(self, method: str) -> list[dict[str, Any]]:
        """Events of one kind on this page so far."""
        self.value("1")
        events = [e for e in self._browser.events if e.get("sessionId") == self._session]
        return [e["params"] for e in events if e.get("method") == method]

    def complaints(self) -> list[object]:
        """Whatever the console shows, and errors of scripts."""
        return [*self.of("Log.entryAdded"), *self.of("Runtime.consoleAPICalled"), *self.of("Runtime.exceptionThrown")]

    def requests(self) -> list[str]:
        return [event["request"]["url"] for event in self.of("Network.requestWillBeSent")]
