from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from gramfuzz_py import ChildError, Grammar, _child, close

unix = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks")


def gone(pid: int) -> bool:
    """Whether a process ends, zombies included."""
    for _ in range(400):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@unix
def test_restarts_after_death() -> None:
    g = Grammar("json")
    want = list(g.sentences(30000, seed=4))
    pid = _child.current().process.pid
    os.kill(pid, signal.SIGKILL)
    assert g.accepts("[1]")
    assert gone(pid)
    got: list[str] = []
    for text in g.sentences(30000, seed=4):
        if len(got) == 5000:
            os.kill(_child.current().process.pid, signal.SIGKILL)
        got.append(text)
    assert got == want


@unix
def test_reduction_survives() -> None:
    g = Grammar("json")
    calls = 0

    def fails(text: str) -> bool:
        nonlocal calls
        calls += 1
        if calls == 5:
            os.kill(_child.current().process.pid, signal.SIGKILL)
        return "7" in text

    assert g.reduce("[1, [2, 3], [[7]], 8]", fails) == "7"


def test_threads() -> None:
    g, wrong = Grammar("json"), []

    def work(seed: int) -> None:
        texts = list(g.sentences(2000, seed=seed))
        if texts != list(g.sentences(2000, seed=seed)) or not all(g.accepts(t) for t in texts[:20]):
            wrong.append(seed)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


@unix
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork() -> None:
    g = Grammar("json")
    want = list(g.sentences(100, seed=1))
    mine = _child.current().process.pid
    pid = os.fork()
    if pid == 0:
        ok = list(g.sentences(100, seed=1)) == want and _child.current().process.pid != mine
        close()
        os._exit(0 if ok else 1)
    assert list(g.sentences(100, seed=1)) == want
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert _child.current().process.pid == mine


@unix
@pytest.mark.parametrize("end", ["kill", "exit", "fork"])
def test_ends_with_python(end: str) -> None:
    program = f"""
        import os, sys, threading, time
        sys.path[:0] = {sys.path!r}
        from gramfuzz_py import Grammar, _child
        g = Grammar("json")
        busy = threading.Thread(target=lambda: g.count(size=4000), daemon=True)
        busy.start()
        if {end!r} == "fork" and os.fork() == 0:
            time.sleep(60)
        time.sleep(0.2)
        print(_child.current().process.pid, flush=True)
        if {end!r} != "exit":
            time.sleep(60)
    """
    code = textwrap.dedent(program)
    p = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert p.stdout is not None
    child = int(p.stdout.readline())
    if end != "exit":
        p.kill()
    p.stdout.close()
    p.wait(60)
    assert gone(child)
    if end == "fork":
        os.killpg(p.pid, signal.SIGKILL)


@unix
@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo hello; sleep 60", "no message.*wrapper"),
        ("exit 3", "."),
        ("head -c 300000 /dev/zero; sleep 60", "."),
        ("sleep 60", "sent nothing"),
        ("yes", "no message"),
        ("echo '[]'; sleep 60", "no message"),
    ],
)
def test_hostile_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str) -> None:
    path = tmp_path / "gramfuzz"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    close()
    monkeypatch.setattr(_child, "STARTUP", 2.0)
    monkeypatch.setenv("GRAMFUZZ_BINARY", str(path))
    with pytest.raises(ChildError, match=f"no gramfuzz that this package understands: .*{message}"):
        Grammar("json")
    monkeypatch.setenv("GRAMFUZZ_BINARY", str(tmp_path / "missing"))
    with pytest.raises(ChildError, match=r"does not start.*check the path"):
        Grammar("json")
    monkeypatch.undo()
    assert Grammar("json").accepts("1")


def test_silence_later() -> None:
    with pytest.raises(ChildError, match="raise timeout"):
        Grammar("json", timeout=0.2).count(size=6000)
    assert Grammar("json").accepts("1")
