"""Sentences of json through the pipe: python pipe.py N."""

import os
import sys
import time

from gramfuzz_py import Grammar, _child

n = int(sys.argv[1])
g = Grammar("json")
begin, before = time.monotonic(), os.times()
count = sum(1 for _ in g.sentences(n, seed=1))
wall, after = time.monotonic() - begin, os.times()
with open(f"/proc/{_child.current().process.pid}/stat") as f:
    child = int(f.read().rsplit(")", 1)[1].split()[11]) / os.sysconf("SC_CLK_TCK")
mine = after.user - before.user
print(f"{count} sentences: {wall:.1f} s, {count / wall:.0f}/s; user CPU {mine:.1f} s of Python, {child:.1f} s of the program")
