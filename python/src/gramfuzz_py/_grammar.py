"""Grammars: sentences, numbers, trees, mutants, reductions."""

from __future__ import annotations

import itertools
import json
import os
import random
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

from gramfuzz_py import _child
from gramfuzz_py._child import ChildError, GramfuzzError
from gramfuzz_py._tree import Node, tree
from gramfuzz_py._walk import Replay, Table, Walk

TIMEOUT = 600.0
DIGITS = 4000  # fewer than Python converts at a time
_names = itertools.count(1)

Text = str | bytes
Flag = str | int | float | bool | list[str]


class Grammar:
    """A grammar: a file, a folder, or the name of one that ships with gramfuzz.

    Keyword arguments of methods are the flags of the command line: `size="1..20"` is
    `--size 1..20`. Texts are str; those of binary grammars are bytes.
    """

    def __init__(
        self,
        grammar: str | os.PathLike[str] = "",
        *,
        start: str | None = None,
        format: str | None = None,
        alphabet: str | None = None,
        case: str | None = None,
        source: str | None = None,
        timeout: float | None = TIMEOUT,
    ) -> None:
        path = os.fspath(grammar)
        if source is None and os.path.exists(path):
            path = os.path.abspath(path)
        self.timeout = timeout
        self._name = f"py{next(_names)}"
        flags = {"start": start, "format": format, "alphabet": alphabet, "case": case}
        given = {k: v for k, v in flags.items() if v is not None}
        self._load = ["load", self._name, "-g", path if source is None else "-", *_flags(given)]
        self._source = (source or "").encode()
        self._table: Table | None = None
        self._about: dict[str, Any] = {}
        self._child()

    @classmethod
    def from_string(
        cls, source: str, *, start: str | None = None, format: str | None = None, **options: Any
    ) -> Grammar:
        """A grammar in the native notation, or in another one that `format` names."""
        return cls(source=source, start=start, format=format, **options)

    def __repr__(self) -> str:
        return f"<Grammar {self._about['grammar'].get('name') or self._about['grammar'].get('path')}>"

    @property
    def binary(self) -> bool:
        """Whether the texts are bytes."""
        return bool(self._about["binary"])

    # Requests

    def _child(self) -> _child.Child:
        """The child, with the grammar loaded."""
        child = _child.current()
        if self._name not in child.loaded:  # two threads may both load it
            self._about = json.loads(_join(child.run(self._load, self._source, timeout=self.timeout)))
            child.loaded.add(self._name)
        return child

    def _pieces(
        self, args: list[str], text: bytes = b"", ask: Callable[[bytes], bool] | None = None
    ) -> Iterator[dict[str, Any]]:
        return self._child().run(args, text, ask, self.timeout)

    def _run(self, args: list[str], text: bytes = b"") -> bytes:
        """The output of a command. One that died with the program is run once more."""
        try:
            return _join(self._pieces(args, text))
        except ChildError as e:
            if e.code != -1:
                raise
        return _join(self._pieces(args, text))

    def run(self, command: str, *args: str, text: Text = "", **flags: Flag) -> str:
        """The output of any command of the program about this grammar, such as `explain`."""
        return self._run([command, "-g", self._name, *_flags(flags), *args], self._bytes(text)).decode()

    def _bytes(self, text: Text) -> bytes:
        return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")

    def _text(self, text: bytes) -> Text:
        return text if self.binary else text.decode("utf-8", "surrogateescape")

    # Sentences

    def sentences(self, n: int | None = None, *, seed: int | None = None, **flags: Flag) -> Generator[Any, None, None]:
        """Up to n sentences; without n there is no end. The same seed gives the same ones."""
        for line in self._lines(["--hex"], n, seed, flags):
            yield self._text(bytes.fromhex(line))

    def records(self, n: int | None = None, *, seed: int | None = None, **flags: Flag) -> Iterator[dict[str, Any]]:
        """Like sentences, each with its origin and choices."""
        return map(json.loads, self._lines(["--json"], n, seed, flags))

    def _lines(self, form: list[str], n: int | None, seed: int | None, flags: dict[str, Flag]) -> Iterator[str]:
        if seed is None:
            seed = random.SystemRandom().getrandbits(53)
        n = n if n is not None else 1 << 62
        args = ["gen", "-q", "-g", self._name, "-n", str(n), f"--seed={seed}", *form, *_flags(flags)]
        done = died = 0
        while True:
            skip, rest = done, ""
            try:
                for piece in self._pieces(args):
                    *lines, rest = (rest + piece.get("text", "")).split("\n")
                    if skip >= len(lines):
                        skip -= len(lines)
                        continue
                    for line in lines[skip:]:
                        done += 1
                        yield line
                    skip = 0
                return
            except ChildError as e:
                died += 1
                if e.code != -1 or died > 2:
                    raise

    # Numbers

    def count(self, **bound: Flag) -> int:
        """The number of derivations within a bound: depth=D, or size=N."""
        return to_int(self._run(["count", "-g", self._name, "--total", *_flags(bound)]).decode())

    def counts(self, **bound: Flag) -> dict[int, int]:
        """The number of derivations of each size, or up to each depth."""
        lines = self._run(["count", "-g", self._name, *_flags(bound)]).decode().splitlines()
        return {int(n): to_int(c) for n, c in (line.split("\t") for line in lines)}

    def rank(self, text: Text, **bound: Flag) -> int:
        """The number of a text among the derivations within a bound."""
        return to_int(self._run(["rank", "-g", self._name, *_flags(bound)], self._bytes(text)).decode())

    def unrank(self, rank: int, **bound: Flag) -> Any:
        """The sentence with a number."""
        return next(iter(self.unrank_all([rank], **bound)))

    def unrank_all(self, ranks: Iterable[int], **bound: Flag) -> list[Any]:
        """The sentences with the numbers; one call for all of them is fast."""
        numbers = "\n".join(map(to_decimal, ranks)).encode()
        out = self._run(["unrank", "-g", self._name, "--json", *_flags(bound)], numbers)
        return [self._text(_child.text_of(json.loads(line))) for line in out.splitlines()]

    # Texts

    def parse(self, text: Text) -> Node:
        """The tree of a text. It raises NotASentenceError for a text that is none."""
        return tree(text, self._tree(text)["nodes"])

    def accepts(self, text: Text) -> bool:
        """Whether a text is a sentence."""
        try:
            self._tree(text)
        except _child.NotASentenceError:
            return False
        return True

    def choices(self, text: Text) -> list[int]:
        """The choices that lead to a text."""
        return list(self._tree(text)["choices"])

    def _tree(self, text: Text) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._run(["tree", self._name], self._bytes(text)))
        return answer

    def replay(self, choices: list[int]) -> Any:
        """The text of a choice sequence. Every sequence has one."""
        return self._text(_child.text_of(json.loads(self._run(["replay", self._name], json.dumps(choices).encode()))))

    @property
    def table(self) -> Table:
        """The grammar as a table to be walked."""
        if self._table is None:
            self._child()
            self._table = Table(self._about["root"], self._about["exprs"], self._about["replay"], self.binary)
        return self._table

    def finish(self, walked: Walk) -> Any:
        """The text of a walk."""
        if self.table.replay:
            return self.replay(walked.choices)
        return self._text(b"".join(walked.out)) if self.binary else "".join(walked.out)

    def mutate(self, text: Text, seed: int | None = None) -> Any:
        """A sentence like text: a part of it is derived anew, or replaced by another part of it."""
        rng = random.Random(seed)
        walked = Replay(self.table, self.choices(text))
        for _ in range(20):
            mutant = self.finish(Replay(self.table, walked.mutated(rng)))
            if mutant != text:
                break
        return mutant

    def reduce(self, text: Text, predicate: Callable[[Any], bool], **flags: Flag) -> Any:
        """The smallest text found for which the predicate holds, as it does for text.

        The predicate may use this grammar. Its exceptions end the reduction.
        """
        best = self._bytes(text)
        raised: list[BaseException] = []

        def ask(candidate: bytes) -> bool:
            nonlocal best
            try:
                holds = bool(predicate(self._text(candidate)))
            except BaseException as e:
                raised.append(e)
                raise
            if holds and (len(candidate), candidate) < (len(best), best):
                best = candidate
            return holds

        for last in (False, True):
            try:
                return self._text(
                    _join(self._pieces(["reduce", "-q", "-g", self._name, *_flags(flags), "-"], best, ask))
                )
            except ChildError as e:
                if raised or e.code != -1 or last:
                    raise
        raise AssertionError

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self._load[2:], self._source, self.timeout)


def _load(load: list[str], source: bytes, timeout: float | None) -> Grammar:
    """The grammar of a pickle, such as one for another process."""
    g = Grammar.__new__(Grammar)
    g.timeout, g._source, g._table = timeout, source, None
    g._name = f"py{next(_names)}"
    g._load, g._about = ["load", g._name, *load], {}
    g._child()
    return g


def _flags(flags: dict[str, Any]) -> list[str]:
    """Keyword arguments as flags of the command line."""
    out = []
    for name, value in flags.items():
        for v in value if isinstance(value, (list, tuple)) else [value]:
            v = str(v).lower() if isinstance(v, bool) else v
            out.append(f"--{name.replace('_', '-')}={v}")
    return out


def _join(messages: Iterable[dict[str, Any]]) -> bytes:
    """The output in messages."""
    return b"".join(map(_child.text_of, messages))


def to_int(digits: str) -> int:
    """The number with these digits, of any length."""
    digits, n = digits.strip(), 0
    for i in range(0, len(digits), DIGITS):
        part = digits[i : i + DIGITS]
        n = n * 10 ** len(part) + int(part)
    return n


def to_decimal(n: int) -> str:
    """The digits of a number of any length."""
    if n < 0:
        raise GramfuzzError(f"rank {n} is negative; ranks begin with 0")
    parts = []
    while n >= 10**DIGITS:
        n, low = divmod(n, 10**DIGITS)
        parts.append(f"{low:0{DIGITS}d}")
    return str(n) + "".join(reversed(parts))
