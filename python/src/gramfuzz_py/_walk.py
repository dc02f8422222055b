"""Walks through a grammar's table, in Python: each makes choices, and with them a text."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from bisect import bisect_right
from typing import Any

LIT, CLASS, SEQ, CHOICE, REP, REF, NAME, EMPTY = range(8)
_OPS = {
    "literal": LIT, "class": CLASS, "sequence": SEQ, "choice": CHOICE,
    "repetition": REP, "reference": REF, "name": NAME,
}  # fmt: skip
NEVER = (1 << 60, 1 << 60)
BYTES = 0x110000  # from here on the numbers of members of classes are bytes
NAMES = 4  # the number of names that a walk chooses among


class Class:
    """The characters of a class, in order."""

    def __init__(self, ranges: list[int], binary: bool) -> None:
        self.ranges = list(zip(ranges[::2], ranges[1::2], strict=True))
        self.binary = binary
        self.starts = [0]
        for lo, hi in self.ranges:
            self.starts.append(self.starts[-1] + hi - lo + 1)
        self.size = self.starts[-1]
        n = self.size if self.size <= 512 else 0
        self.known: list[Any] = [self._member(i) for i in range(n)]
        self.words = not binary and all(hi < BYTES for _, hi in self.ranges)

    def member(self, i: int) -> Any:
        """The i-th character."""
        return self.known[i] if self.known else self._member(i)

    def _member(self, i: int) -> Any:
        k = bisect_right(self.starts, i) - 1
        n = self.ranges[k][0] + i - self.starts[k]
        if n >= BYTES:
            return bytes([n - BYTES])
        return chr(n).encode() if self.binary else chr(n)

    def word(self, values: list[int], at: int, low: int, high: int) -> str:
        """The word of a repetition whose choices begin at a place."""
        word, end = "", len(values)
        while len(word) < high:
            if len(word) >= low:
                if at >= end or values[at] == 0:
                    break
                at += 1
            word += self.member((values[at] if at < end else 0) % self.size)
            at += 1
        return word

    def index(self, char: str) -> int:
        """The number of a character."""
        n = ord(char)
        k = bisect_right(self.ranges, (n, NEVER[0])) - 1
        return self.starts[k] + n - self.ranges[k][0]


class Table:
    """A grammar's expressions, with the least sizes of what they derive.

    Sizes are (bytes, nodes), for all derivations and for those that have text. The alternatives of
    a choice are in the order of their least sizes, so that number 0 leads to the least derivation.
    """

    def __init__(self, root: int, exprs: list[dict[str, Any]], replay: bool, binary: bool) -> None:
        self.root, self.replay, self.binary = root, replay, binary
        n = len(exprs)
        self.op = [_OPS[e["op"]] for e in exprs]
        self.to: list[list[int]] = [e.get("to", []) for e in exprs]
        self.low = [e.get("min", 0) for e in exprs]
        self.high = [e.get("max", 0) if e.get("max", 0) >= 0 else NEVER[0] for e in exprs]
        self.rule = [e.get("rule", "") for e in exprs]
        self.text: list[Any] = [self._literal(e) for e in exprs]
        self.chars = [Class(e["ranges"], binary) if "ranges" in e else None for e in exprs]
        for i in range(n):
            if self.op[i] == REF and not self.to[i]:
                self.op[i] = EMPTY
            elif self.op[i] == CLASS and not self.chars[i]:
                self.chars[i] = Class([], binary)
        self._least_choices: dict[tuple[int, int], list[int]] = {}
        self.least = [(NEVER, NEVER)] * n
        self._settle()
        # Of repetitions: whether elements beyond the least number need text.
        self.want = [
            int(self.op[i] == REP and self.high[i] == NEVER[0] and self.least[self.to[i][0]][0][0] == 0)
            for i in range(n)
        ]
        self.order: list[tuple[list[int], list[int]]] = [([], [])] * n
        self.costs: list[tuple[list[int], list[int]]] = [([], [])] * n
        for i in range(n):
            if self.op[i] == CHOICE:
                self._sort(i)
        # Of choices: whether decisions are left in their least alternatives.
        self.whole = [
            (int(self._decides(i, 0)), int(self._decides(i, 1))) if self.op[i] == CHOICE else (0, 0) for i in range(n)
        ]
        self.recursive = self._draws()
        self.word = [self._word(i) if self.op[i] == REP else None for i in range(n)]

    def _literal(self, e: dict[str, Any]) -> Any:
        from gramfuzz_py._child import text_of

        raw = text_of(e)
        return raw if self.binary else raw.decode("utf-8", "surrogateescape")

    def _settle(self) -> None:
        """Computes least sizes: they only fall, until none does."""
        users: list[set[int]] = [set() for _ in self.op]
        for i, to in enumerate(self.to):
            for k in to:
                users[k].add(i)
        queue = list(range(len(self.op)))[::-1]
        waits = set(queue)
        while queue:
            i = queue.pop()
            waits.discard(i)
            now = self._least(i)
            if now != self.least[i]:
                self.least[i] = now
                for k in users[i] - waits:
                    waits.add(k)
                    queue.append(k)

    def _least(self, i: int) -> tuple[tuple[int, int], tuple[int, int]]:
        op, parts = self.op[i], [self.least[k] for k in self.to[i]]
        if op == LIT:
            size = len(self.text[i]), 1
            return size, size if size[0] else NEVER
        if op == CLASS:
            size = (1, 1) if self.chars[i].size else NEVER  # type: ignore[union-attr]
            return size, size
        if op == NAME:
            return (1, 1), (1, 1)
        if op == EMPTY:
            return (0, 1), NEVER
        if op == REF:
            return _plus(parts[0][0], (0, 1)), _plus(parts[0][1], (0, 1))
        if op == CHOICE:
            return min(p[0] for p in parts), min(p[1] for p in parts)
        if op == REP:
            low = self.low[i]
            return (
                _times(parts[0][0], low),
                _plus(_times(parts[0][0], low - 1), parts[0][1]) if self.high[i] else NEVER,
            )
        full, some = (0, 0), NEVER
        for p in parts:
            some = min(_plus(some, p[0]), _plus(full, p[1]))
            full = _plus(full, p[0])
        return full, some

    def _sort(self, i: int) -> None:
        orders, costs = [], []
        for want in (0, 1):
            able = [a for a, k in enumerate(self.to[i]) if self.least[k][want] < NEVER]
            able.sort(key=lambda a: self.least[self.to[i][a]][want])
            sizes = [self.least[self.to[i][a]][want][0] for a in able]
            orders.append(able)
            costs.append([s - sizes[0] for s in sizes])
        self.order[i], self.costs[i] = (orders[0], orders[1]), (costs[0], costs[1])

    def _decides(self, i: int, want: int) -> bool:
        """Whether the least derivation of a choice's first alternative has several decisions."""
        stack, found = [self.to[i][k] for k in self.order[i][want][:1]], 0
        while stack and found < 2:
            k = stack.pop()
            if self.op[k] == CHOICE:
                found += len(self.order[k][0]) > 1
                stack.extend(self.to[k][a] for a in self.order[k][0][:1])
                continue
            found += self.op[k] == NAME or (self.op[k] == REP and self.low[k] != self.high[k])
            found += self.op[k] == CLASS and self.chars[k].size > 1  # type: ignore[union-attr]
            if self.op[k] != REP or self.low[k]:
                stack.extend(self.to[k])
        return found > 1

    def least_choices(self, i: int, want: int) -> list[int]:
        """The choices of the least derivation of a choice."""
        known = self._least_choices.get((i, want))
        if known is None:
            walk = Least(self, 0)
            walk.still = True
            walk.run(i, want)
            known = self._least_choices[i, want] = walk.choices
        return known

    def _word(self, i: int) -> Class | None:
        """The class that a repetition repeats, perhaps by other names."""
        k = self.to[i][0]
        while (self.op[k] == REF and not self.recursive[k]) or (self.op[k] == SEQ and len(self.to[k]) == 1):
            k = self.to[k][0]
        chars = self.chars[k] if self.op[k] == CLASS else None
        return chars if chars and chars.words and chars.size else None

    def _draws(self) -> list[bool]:
        """Which references lead to themselves again: only these are worth a span."""
        reach: list[bool] = []
        for i, op in enumerate(self.op):
            seen: set[int] = set()
            stack = list(self.to[i]) if op == REF else []
            while stack and i not in seen:
                k = stack.pop()
                if k not in seen:
                    seen.add(k)
                    stack.extend(self.to[k])
            reach.append(op == REF and any(self.rule[k] == self.rule[i] for k in seen))
        return reach


def _plus(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return min((a[0] + b[0], a[1] + b[1]), NEVER)


def _times(a: tuple[int, int], n: int) -> tuple[int, int]:
    return min((a[0] * n, a[1] * n), NEVER) if n > 0 else (0, 0)


class Walk(ABC):
    """A walk from the root. Subclasses decide.

    `room` is what the text may have beyond the least one, in bytes and decisions for more than the
    least. When it is used up, the walk takes the shortest way to the end.
    """

    def __init__(self, table: Table, room: int) -> None:
        self.table, self.room = table, room
        self.choices: list[int] = []
        self.out: list[Any] = []
        self.still = False  # a whole least derivation is under way

    @abstractmethod
    def draw(self, n: int) -> int:
        """A number from 0 to n-1; 0 leads to the least derivation."""

    def alternative(self, i: int, want: int, n: int) -> int:
        """An index of the first n alternatives of a choice, the least first; of those that `whole`
        says, -1 is the whole least derivation, without a decision in it."""
        whole = self.table.whole[i][want]
        return self.draw(n + whole) - whole

    def repeated(self) -> None:  # noqa: B027
        """The decisions in a first alternative led to its least derivation, which -1 is, too."""

    def word(self, chars: Class, low: int, high: int) -> str | None:
        """Characters of a class at once; None: they are drawn one by one."""
        return None

    def start(self, expr: int) -> None:  # noqa: B027
        """A part begins."""

    def stop(self) -> None:  # noqa: B027
        """It ends."""

    def run(self, root: int, want: int = 0) -> None:
        """Walks from an expression to the end."""
        t, choices, out = self.table, self.choices, self.out
        op, to, order, costs = t.op, t.to, t.order, t.costs
        size = 0  # of the text, in characters
        began = -1  # the number of choices when the last part began
        # A part to derive: the expression, whether it needs text, the number of elements of a
        # repetition (or of children of a sequence that needs text), the size when it began.
        stack: list[tuple[int, int, int, int]] = [(root, want, 0, 0)]
        while stack:
            i, want, done, mark = stack.pop()
            if i < 0:
                if i == -1:
                    self.stop()
                elif i == -2:
                    self.still, self.room = False, want
                elif choices[mark:] == t.least_choices(done, want):
                    self.repeated()
                continue
            kind = op[i]
            if kind == LIT:
                out.append(t.text[i])
                size += len(t.text[i])
            elif kind == SEQ:
                if not want:
                    stack.extend([(k, 0, 0, size) for k in reversed(to[i])])
                    continue
                rest = to[i][done:]
                if not rest:
                    continue
                if size > mark or any(t.least[k][1] < NEVER for k in rest[1:]):
                    want = 0
                stack.append((i, 1, done + 1, mark))
                stack.append((rest[0], want, 0, size))
            elif kind == CHOICE:
                able, cost = order[i][want], costs[i][want]
                k = 0
                if len(able) > 1 and self.room > 0:
                    n = len(able) if cost[-1] <= self.room else bisect_right(cost, self.room)
                    if n > 1:
                        k = self.alternative(i, want, n)
                if k < 0:
                    k, self.still = 0, True
                    stack.append((-2, self.room, 0, 0))
                    self.room = 0
                elif k == 0:
                    if t.whole[i][want] and not self.still:
                        stack.append((-3, want, i, len(choices)))
                else:
                    self.room -= max(cost[k], 1)
                choices.append(able[k])
                stack.append((to[i][able[k]], want, 0, size))
            elif kind == REF:
                if t.recursive[i] and len(choices) != began:  # of nested ones that begin together, the first
                    began = len(choices)
                    self.start(i)
                    stack.append((-1, 0, 0, 0))
                stack.append((to[i][0], want, 0, size))
            elif kind == CLASS:
                chars = t.chars[i]
                assert chars is not None
                k = self.draw(chars.size) if chars.size > 1 and not self.still else 0
                choices.append(k)
                out.append(chars.member(k))
                size += 1
            elif kind == REP:
                if not done:
                    mark = size
                    n = self.repeat(i, want)
                    if n >= 0:
                        size += n
                        continue
                stack.extend(self.element(i, want, done, mark, size))
            elif kind == NAME:
                choices.append(0 if self.still else self.draw(NAMES))
                size += 1

    def repeat(self, i: int, want: int) -> int:
        """Derives a repetition of a class by one word. -1: it is not one."""
        t = self.table
        chars = t.word[i]
        if chars is None or self.room <= 0:
            return -1
        low, high = max(t.low[i], want), t.high[i]
        word = self.word(chars, low, high)
        if word is None:
            return -1
        word = word[: low + max(self.room, 0)]
        self.room -= len(word) - low
        for n, c in enumerate(word):
            if n >= t.low[i]:
                self.choices.append(1)
            self.choices.append(chars.index(c))
        if t.low[i] <= len(word) < high:
            self.choices.append(0)
        self.out.append(word)
        return len(word)

    def element(self, i: int, want: int, done: int, mark: int, size: int) -> list[tuple[int, int, int, int]]:
        """The next element of a repetition, and the repetition after it."""
        t = self.table
        child, low, high = t.to[i][0], t.low[i], t.high[i]
        owed = want == 1 and size == mark
        need = int(owed and done == high - 1)
        if done >= low:
            need = max(need, t.want[i])
            if done == high:
                return []
            cost = t.least[child][need]
            if owed:
                go = 1
            elif self.room <= 0 or cost[0] > self.room:
                go = 0
            else:
                self.start(i)
                go = self.draw(2)
                if not go:
                    self.stop()
            self.choices.append(go)
            if not go:
                return []
            if not owed:
                self.room -= max(cost[0], 1)
                return [(i, want, done + 1, mark), (-1, 0, 0, 0), (child, need, 0, size)]
        return [(i, want, done + 1, mark), (child, need, 0, size)]


class Least(Walk):
    """The shortest walk."""

    def draw(self, n: int) -> int:
        return 0


class Random(Walk):
    """A walk that random numbers decide."""

    def __init__(self, table: Table, rng: random.Random, room: int, root: int) -> None:
        super().__init__(table, room)
        self.rng = rng
        self.run(root)

    def draw(self, n: int) -> int:
        return self.rng.randrange(n)


class Replay(Walk):
    """The walk of a choice sequence. What is missing is the least, what is impossible is reduced.

    `used` is the room that it needs; `parts` are its references: expression, first choice, and the
    one after the last.
    """

    def __init__(self, table: Table, values: list[int]) -> None:
        super().__init__(table, NEVER[0])
        self.values = values
        self.parts: list[tuple[int, int, int]] = []
        self._open: list[tuple[int, int]] = []
        self.run(table.root)
        self.used = NEVER[0] - self.room

    def draw(self, n: int) -> int:
        at = len(self.choices)
        return self.values[at] % n if at < len(self.values) else 0

    def alternative(self, i: int, want: int, n: int) -> int:
        able = self.table.order[i][want]
        at = len(self.choices)
        if at >= len(self.values):
            return 0
        v = self.values[at]
        return able.index(v) if v in able else v % n

    def word(self, chars: Class, low: int, high: int) -> str | None:
        return chars.word(self.values, len(self.choices), low, high)

    def start(self, expr: int) -> None:
        self._open.append((expr, len(self.choices)))

    def stop(self) -> None:
        expr, start = self._open.pop()
        if self.table.op[expr] == REF:
            self.parts.append((expr, start, len(self.choices)))

    def mutated(self, rng: random.Random) -> list[int]:
        """The choices with one part derived anew, or copied from another part of its kind."""
        if not self.parts:
            return Random(self.table, rng, 30, self.table.root).choices
        expr, start, end = rng.choice(self.parts)
        same = [p for p in self.parts if self.table.rule[p[0]] == self.table.rule[expr] and p[1:] != (start, end)]
        if same and rng.random() < 0.5:
            _, a, b = rng.choice(same)
            new = self.choices[a:b]
        else:
            new = Random(self.table, rng, 30, expr).choices
        return self.choices[:start] + new + self.choices[end:]
