"""A strategy for Hypothesis: its draws are the choices of a grammar.

from hypothesis import given
from gramfuzz_py.hypothesis import from_grammar

@given(from_grammar("json"))
def test_loads(text):
    json.loads(text)
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.internal.conjecture.utils import calc_label_from_name
from hypothesis.internal.intervalsets import IntervalSet
from hypothesis.strategies import SearchStrategy

from gramfuzz_py._child import NotASentenceError
from gramfuzz_py._grammar import Grammar, Text
from gramfuzz_py._walk import Class, Replay, Walk

__all__ = ["from_grammar"]

LIMIT = 60
SMALL = 10  # draws; with more it is seldom that two walks make one text, and the shrinker needs the way
WORD = calc_label_from_name("gramfuzz word")


def from_grammar(
    grammar: Grammar | str | os.PathLike[str],
    *,
    start: str | None = None,
    limit: int = LIMIT,
    examples: Iterable[Text] = (),
    **options: Any,
) -> SearchStrategy[Any]:
    """Sentences of a grammar: str, or bytes of a binary one.

    `grammar` is a Grammar or what `Grammar(…)` takes, with `start` and other options. `limit` is
    the number of bytes that a sentence may have beyond the shortest one; the walk then takes the
    shortest way to its end. `examples` are texts, parsed to choices: they are among what is drawn,
    and shrink like everything else.
    """
    if not isinstance(grammar, Grammar):
        grammar = Grammar(grammar, start=start, **options)
    elif start is not None or options:
        raise TypeError("start and options go with the name of a grammar; give them to Grammar(…)")
    return GrammarStrategy(grammar, limit, tuple(examples))


class GrammarStrategy(SearchStrategy[Any]):
    def __init__(self, grammar: Grammar, limit: int, examples: tuple[Text, ...]) -> None:
        super().__init__()
        self.grammar, self.limit, self.texts = grammar, limit, examples
        table = grammar.table
        self.labels = [calc_label_from_name(f"gramfuzz:{r}") if r else 0 for r in table.rule]
        self.sets = {id(c): IntervalSet(c.ranges) for c in table.word if c is not None}
        self.examples = [_example(grammar, text) for text in examples]
        self.room = max([limit, *(e.used + 1 for e in self.examples)])

    def __repr__(self) -> str:
        extra = f", examples={list(self.texts)!r}" if self.texts else ""
        return f"from_grammar({self.grammar!r}, limit={self.limit}{extra})"

    def do_draw(self, data: ConjectureData) -> Any:
        example = data.draw_integer(0, len(self.examples)) if self.examples else 0
        walk = _Drawn(self, data, self.examples[example - 1].choices if example else None)
        walk.run(self.grammar.table.root)
        if walk.again and walk.drawn <= SMALL:
            data.mark_invalid("a small sentence that fewer draws make, too")
        try:
            return self.grammar.finish(walk)
        except NotASentenceError:
            data.mark_invalid("tokens of this sentence cannot stand beside each other")


class _Drawn(Walk):
    """A walk that Hypothesis decides. Those of an example are forced."""

    def __init__(self, strategy: GrammarStrategy, data: ConjectureData, example: list[int] | None) -> None:
        super().__init__(strategy.grammar.table, strategy.room)
        self.data, self.strategy, self.example = data, strategy, example
        self.drawn, self.again = 0, False
        self.stop = data.stop_span  # type: ignore[method-assign]

    def draw(self, n: int) -> int:
        self.drawn += 1
        forced = self.example[len(self.choices)] if self.example else None
        return self.data.draw_integer(0, n - 1, forced=forced)

    def alternative(self, i: int, want: int, n: int) -> int:
        table, at, forced = self.table, len(self.choices), None
        self.drawn += 1
        whole = table.whole[i][want]
        if self.example:
            least = table.least_choices(i, want) if whole else None
            forced = table.order[i][want].index(self.example[at]) + whole
            forced = 0 if self.example[at : at + len(least or "")] == least else forced
        return self.data.draw_integer(0, n - 1 + whole, forced=forced) - whole

    def repeated(self) -> None:
        self.again = True

    def word(self, chars: Class, low: int, high: int) -> str | None:
        forced = chars.word(self.example, len(self.choices), low, high) if self.example else None
        most = min(high, low + self.strategy.room)
        self.data.start_span(WORD)  # so that the shrinker can delete it by itself
        word = self.data.draw_string(self.strategy.sets[id(chars)], min_size=low, max_size=most, forced=forced)
        self.data.stop_span()
        return word

    def start(self, expr: int) -> None:
        self.data.start_span(self.strategy.labels[expr])

    def stop(self) -> None:
        raise NotImplementedError


def _example(grammar: Grammar, text: Text) -> Replay:
    """The walk that makes a text, or at least what is parsed alike."""
    choices = grammar.choices(text)
    example = Replay(grammar.table, choices)
    if example.choices != choices:
        raise ValueError(
            f"the example {text!r} has characters or names that the grammar reads but does not make; "
            'perhaps Grammar(…, alphabet="unicode") makes them'
        )
    return example
