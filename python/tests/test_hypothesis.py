from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, find, given, settings
from hypothesis.database import InMemoryExampleDatabase

from gramfuzz_py import Grammar
from gramfuzz_py.hypothesis import from_grammar

quick = settings(max_examples=50, database=None, deadline=None, suppress_health_check=list(HealthCheck))


def depth(x: Any) -> int:
    if not isinstance(x, (list, dict)):
        return 0
    return 1 + max(map(depth, x.values() if isinstance(x, dict) else x), default=0)


@pytest.mark.parametrize("name", ["json", "expr", "tree", "assign", "goprog", "png", "csv"])
def test_sentences(name: str) -> None:
    g = Grammar(name)

    @quick
    @given(from_grammar(g))
    def check(text: Any) -> None:
        assert g.accepts(text)

    check()


@pytest.mark.parametrize(
    ("holds", "want"),
    [
        (lambda t: depth(json.loads(t)) >= 3, "[[[]]]"),
        (lambda t: isinstance(json.loads(t), list) and len(json.loads(t)) >= 3, "[0,0,0]"),
        (lambda t: isinstance(json.loads(t), str) and len(json.loads(t)) >= 3, '"000"'),
        (lambda t: '"":' in t, '{"":0}'),
        (lambda t: "null" in t and "[" in t, "[null]"),
    ],
)
def test_shrinks(holds: Any, want: str) -> None:
    got = find(from_grammar("json"), holds, settings=settings(quick, max_examples=2000), random=Random(1))
    assert len(got) <= len(want) + 6, got


def test_database_replays() -> None:
    db = InMemoryExampleDatabase()
    seen: list[str] = []

    @settings(database=db, max_examples=500, deadline=None)
    @given(from_grammar("json"))
    def fails(text: str) -> None:
        seen.append(text)
        assert depth(json.loads(text)) < 3

    with pytest.raises(AssertionError):
        fails()
    last = seen[-1]
    seen.clear()
    with pytest.raises(AssertionError):
        fails()
    assert seen[0] == last


def test_examples_shrink() -> None:
    text = '{"abc":[1,2,{"x":null}],"q":"zzQzz"}'

    @settings(database=None, max_examples=50, deadline=None, phases=[Phase.generate, Phase.shrink])
    @given(from_grammar("json", examples=[text]))
    def fails(value: str) -> None:
        found.append(value)
        assert not ("Q" in value and "null" in value and "{" in value)

    found: list[str] = []
    with pytest.raises(AssertionError):
        fails()
    assert text in found
    assert len(found[-1]) <= 20, found[-1]


@quick
@given(from_grammar("json"))
@example("[1e400]")
def test_example_is_taken(text: str) -> None:
    json.loads(text)


def test_ends() -> None:
    """A grammar whose walks would grow forever."""
    g = Grammar.from_string('s = "a" s s s | "b" s s | "c" ; ')

    @quick
    @given(from_grammar(g, limit=100))
    def check(text: str) -> None:
        assert len(text) <= 101

    check()


def test_mistakes() -> None:
    with pytest.raises(TypeError, match="Grammar"):
        from_grammar(Grammar("json"), start="value")
    with pytest.raises(ValueError, match="unicode"):
        from_grammar("json", examples=['"é"'])
