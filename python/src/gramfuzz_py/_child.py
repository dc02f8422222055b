"""The program as a child process: lines of JSON in both directions."""

from __future__ import annotations

import atexit
import base64
import contextlib
import itertools
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

STARTUP = 60.0  # seconds for the first message of a new child
MOST = 1 << 30  # bytes of one message


class GramfuzzError(Exception):
    """The program refused a request. `code` is the exit code of the command."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


class NotASentenceError(GramfuzzError):
    """The text is no sentence of the grammar, or the answer is no."""


class ChildError(GramfuzzError):
    """The program died, or did not speak as it should."""


def program() -> str:
    """The path of the program: `GRAMFUZZ_BINARY`, that of the wheel, or one on the PATH."""
    name = "gramfuzz.exe" if sys.platform == "win32" else "gramfuzz"
    inside = Path(__file__).parent / "bin" / name
    path = os.environ.get("GRAMFUZZ_BINARY") or (str(inside) if inside.exists() else shutil.which(name))
    if not path:
        raise ChildError(
            "there is no gramfuzz program in this installation; install the wheel of your platform, "
            "or set GRAMFUZZ_BINARY to the path of the program"
        )
    return path


def text_of(message: dict[str, Any]) -> bytes:
    """The text in a message."""
    if "text64" in message:
        return base64.b64decode(message["text64"])
    return str(message.get("text", "")).encode()


def with_text(message: dict[str, Any], text: bytes) -> dict[str, Any]:
    """The message with a text."""
    try:
        return {**message, "text": text.decode()}
    except UnicodeDecodeError:
        return {**message, "text64": base64.b64encode(text).decode()}


class Child:
    """A running program. A thread reads its messages and gives them to those who wait."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.loaded: set[str] = set()
        self.failure = ""
        self._ids = itertools.count(1)
        self._waiting: dict[int, queue.SimpleQueue[dict[str, Any] | None]] = {}
        self._write = threading.Lock()
        try:
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
                [path, "api"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,  # plain descriptors: a fork copies no buffer and no lock
                start_new_session=sys.platform != "win32",  # Ctrl-C is for Python alone
            )
        except OSError as e:
            raise ChildError(f"{path} does not start ({e}); check the path, or unset GRAMFUZZ_BINARY") from e
        _all.add(self)
        threading.Thread(target=_read, args=(weakref.ref(self), self.process), daemon=True, name="gramfuzz").start()
        try:
            list(self.run(["version"], timeout=STARTUP))
        except GramfuzzError as e:
            self.kill()
            raise ChildError(f"{path} is no gramfuzz that this package understands: {e}") from e

    @property
    def alive(self) -> bool:
        return not self.failure

    def run(
        self,
        args: list[str],
        text: bytes = b"",
        ask: Callable[[bytes], bool] | None = None,
        timeout: float | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Runs a command and yields the messages with its output."""
        number, inbox = next(self._ids), queue.SimpleQueue[dict[str, Any] | None]()
        self._waiting[number] = inbox
        ended = False
        try:
            self.send(with_text({"id": number, "run": args}, text))
            while True:
                try:
                    m = inbox.get(timeout=timeout)
                except queue.Empty:
                    self.fail(f"no message in {timeout:g} s")
                    raise ChildError(
                        f"gramfuzz {args[0]} has sent nothing for {timeout:g} s; raise timeout, or set smaller bounds"
                    ) from None
                if m is None:
                    ended = True
                    raise ChildError(f"the gramfuzz program ended during {args[0]}: {self.failure}", -1)
                if m.get("ask"):
                    holds = bool(ask and ask(text_of(m)))
                    self.send({"id": number, "holds": holds})
                elif "code" in m:
                    ended = True
                    if m["code"] != 0:
                        message = str(m.get("err", "")).strip().removeprefix("gramfuzz: ")
                        kind = NotASentenceError if m["code"] == 1 else GramfuzzError
                        raise kind(message, m["code"])
                    yield m
                    return
                else:
                    self.send({"id": number, "more": True})
                    yield m
        finally:
            self._waiting.pop(number, None)
            if not ended and self.alive:
                with contextlib.suppress(ChildError):
                    self.send({"id": number, "cancel": True})

    def send(self, message: dict[str, Any]) -> None:
        """Sends a message."""
        line = memoryview(json.dumps(message).encode() + b"\n")
        with self._write:
            if self.failure or self.process.stdin is None:
                raise ChildError(f"the gramfuzz program has ended: {self.failure}", -1)
            try:
                while line:
                    line = line[self.process.stdin.write(line) :]
            except (OSError, ValueError) as e:
                self.fail(f"it reads nothing ({e})")
                raise ChildError(f"the gramfuzz program has ended: {e}", -1) from e
            except BaseException:  # such as Ctrl-C: the line may be half written
                self.fail("writing to it was interrupted")
                raise

    def receive(self, line: bytes) -> bool:
        """Takes a line of the program. It returns False if that is none of the protocol."""
        try:
            m = json.loads(line)
            number = m["id"]
        except (ValueError, TypeError, KeyError):
            self.fail(
                f"it wrote {line[:60]!r}, which is no message; is {self.path} gramfuzz, and no wrapper that prints?"
            )
            return False
        inbox = self._waiting.get(number) if isinstance(number, int) else None
        if inbox is not None:
            inbox.put(m)
        return True

    def fail(self, why: str) -> None:
        """Gives the program up; those who wait are told."""
        self.failure = self.failure or why
        with contextlib.suppress(OSError):
            self.process.kill()
        for inbox in list(self._waiting.values()):
            inbox.put(None)

    def kill(self) -> None:
        """Ends the program and waits for its end."""
        self.fail("it was ended")
        with contextlib.suppress(OSError, ValueError):
            if self.process.stdin:
                self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)

    def forget(self) -> None:
        """Closes the pipes of another process's child, after a fork."""
        self.failure = "it belongs to the parent process"
        self.process.returncode = 0  # not ours to wait for
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _read(ref: weakref.ref[Child], process: subprocess.Popen[bytes]) -> None:
    """Reads the messages of a child until its end, and waits for it."""
    assert process.stdout is not None
    good, rest = True, b""
    with contextlib.suppress(OSError, ValueError):
        while good and (data := process.stdout.read(1 << 18)):
            *lines, last = data.split(b"\n")
            if lines:
                lines[0], rest = rest + lines[0], b""
            rest += last
            child = ref()
            good = child is not None and len(rest) < MOST and all(map(child.receive, lines))
            del child
    if good:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)
    process.kill()
    code = process.wait()
    if child := ref():
        child.fail(f"exit code {code}" if code >= 0 else f"signal {-code}; perhaps it had too little memory")


_all: weakref.WeakSet[Child] = weakref.WeakSet()
_lock = threading.RLock()
_current: Child | None = None


def current() -> Child:
    """The child of this process; a new one if there is none, or if it died."""
    global _current
    child = _current
    if child is not None and child.alive:
        return child
    with _lock:
        if _current is None or not _current.alive:
            if _current is not None:
                _current.kill()
            _current = None
            _current = Child(program())
        return _current


def close() -> None:
    """Ends the program; the next request starts it again."""
    global _current
    with _lock:
        if _current is not None:
            _current.kill()
        _current = None


def _after_fork() -> None:
    global _current, _lock
    _lock = threading.RLock()
    for child in list(_all):
        child.forget()
    _current = None


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
