"""Examples a second and distinct texts of from_grammar beside Hypothesis' from_lark, in turns.

    python beside_lark.py ROUNDS DIR    DIR has python.lark, lark.lark, json.lark

It prints a table: user CPU seconds of Python and of the program, medians over the rounds.
"""

import os
import statistics
import sys

from gramfuzz_py import Grammar, _child
from gramfuzz_py.hypothesis import from_grammar
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark

N = 1000
EXPLICIT = {"_INDENT": st.just(" "), "_DEDENT": st.just("")}


def cpu() -> float:
    mine = os.times().user
    with open(f"/proc/{_child.current().process.pid}/stat") as f:
        return mine + int(f.read().rsplit(")", 1)[1].split()[11]) / os.sysconf("SC_CLK_TCK")


def run(strategy: st.SearchStrategy[str]) -> tuple[float, int, float]:
    seen: list[str] = []

    @settings(
        max_examples=N, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(strategy)
    def test(text: str) -> None:
        seen.append(text)

    before = cpu()
    test()
    return len(seen) / (cpu() - before), len(set(seen)), statistics.mean(map(len, seen))


def main() -> None:
    rounds, folder = int(sys.argv[1]), sys.argv[2]
    print("| grammar | from_lark/s | distinct | mean length | from_grammar/s | distinct | mean length | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, start in (("json", "start"), ("lark", "start"), ("python", "file_input")):
        path = os.path.join(folder, f"{name}.lark")
        with open(path) as f:
            lark = Lark(f.read(), start=start)
        explicit = EXPLICIT if name == "python" else {}
        ours = from_grammar(Grammar(path, start=start))
        theirs = from_lark(lark, start=start, explicit=explicit)
        a, b = [], []
        for _ in range(rounds):
            a.append(run(theirs))
            b.append(run(ours))
        cells = [statistics.median(x[i] for x in r) for r in (a, b) for i in range(3)]
        ratio = statistics.median(y[0] / x[0] for x, y in zip(a, b, strict=True))
        print(f"| {name} | " + " | ".join(f"{c:.0f}" for c in cells) + f" | {ratio:.1f} |", flush=True)


main()
