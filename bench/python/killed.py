"""Runs of pytest with a strategy, some killed: python killed.py RUNS KILLED. It counts what is left."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

TEST = """
import os
from hypothesis import given, settings
from gramfuzz_py import _child
from gramfuzz_py.hypothesis import from_grammar

@settings(max_examples=200, deadline=None, database=None)
@given(from_grammar("json"))
def test(text):
    with open(os.environ["PIDS"], "a") as f:
        print(_child.current().process.pid, file=f)
"""
runs, killed = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(1)
chosen = set(rng.sample(range(runs), killed))
with tempfile.TemporaryDirectory() as folder:
    path, pids = os.path.join(folder, "test_it.py"), os.path.join(folder, "pids")
    with open(path, "w") as f:
        f.write(TEST)
    env = {**os.environ, "PIDS": pids}
    hit = 0
    for i in range(runs):
        p = subprocess.Popen([sys.executable, "-m", "pytest", "-q", path], env=env, stdout=subprocess.DEVNULL)
        if i in chosen:
            before = os.path.getsize(pids) if os.path.exists(pids) else 0
            while p.poll() is None and (not os.path.exists(pids) or os.path.getsize(pids) == before):
                time.sleep(0.01)
            hit += p.poll() is None
            p.send_signal(signal.SIGKILL)
        p.wait()
    time.sleep(2)
    children = {int(line) for line in open(pids)}
left = []
for pid in children:
    try:
        os.kill(pid, 0)
        left.append(pid)
    except ProcessLookupError:
        pass
print(f"{runs} runs, {hit} killed while the program ran, {len(children)} programs, {len(left)} left")
