from __future__ import annotations

import json
import pickle
import random
from typing import Any

import pytest

from gramfuzz_py import GramfuzzError, Grammar, NotASentenceError, close
from gramfuzz_py._grammar import to_decimal, to_int
from gramfuzz_py._walk import Random, Replay

SHIPPED = ["json", "expr", "tree", "assign", "goprog", "png", "csv"]


@pytest.fixture(scope="module", params=SHIPPED)
def shipped(request: pytest.FixtureRequest) -> Grammar:
    return Grammar(request.param)


def test_sentences_repeat_and_go_on() -> None:
    g = Grammar("json")
    first = list(g.sentences(3000, seed=7))
    assert len(first) == 3000
    assert first == list(g.sentences(3000, seed=7))
    endless = g.sentences(seed=7)
    assert [next(endless) for _ in range(5)] == first[:5]
    endless.close()
    for text in first:
        json.loads(text)
    records = list(g.records(2, seed=7))
    assert [r["text"] for r in records] == first[:2]


def test_numbers_are_catalan() -> None:
    g = Grammar("tree")  # of 3k+1 terminals there are as many as binary trees with k inner nodes
    assert g.counts(size="1..13") == {1: 1, 4: 1, 7: 2, 10: 5, 13: 14} | dict.fromkeys((2, 3, 5, 6, 8, 9, 11, 12), 0)
    assert g.count(size=13) == 14
    all13 = g.unrank_all(range(14), size=13)
    assert len(set(all13)) == 14
    assert [g.rank(t, size=13) for t in all13] == list(range(14))


def test_large_numbers() -> None:
    n = 7**9999
    digits = to_decimal(n)
    assert to_int(digits) == n
    assert len(digits) == 8451
    with pytest.raises(GramfuzzError, match="negative"):
        to_decimal(-1)


def test_trees(shipped: Grammar) -> None:
    for text in shipped.sentences(5, seed=2):
        tree = shipped.parse(text)
        assert tree.children or tree.rule
        if not shipped.binary:
            for node in tree.walk():
                for child in node.children:
                    assert child.start >= node.start or child.start == child.end
                    assert child.end <= node.end or child.start == child.end
            leaves = [n for n in tree.walk() if not n.children]
            assert "".join(str(n.text) for n in leaves).replace(" ", "") == str(text).replace(" ", "").rstrip("\n") or (
                len("".join(str(n.text) for n in leaves)) <= len(text)
            )


def test_spaces_are_in_no_leaf() -> None:
    tree = Grammar("json").parse('{ "a" : [1 , 2] }')
    assert tree.text == '{ "a" : [1 , 2] }'
    assert [n.text for n in tree.find("NUMBER")] == ["1", "2"]
    assert [(n.start, n.end) for n in tree.find("array")] == [(8, 15)]


def test_walks_are_sentences(shipped: Grammar) -> None:
    """The walk in Python and the machine in Go agree about every choice sequence."""
    rng, names = random.Random(3), shipped._about["replay"]
    for _ in range(20):
        walked = Random(shipped.table, rng, 40, shipped.table.root)
        try:
            text = shipped.finish(walked)
        except NotASentenceError:
            continue
        if not names:
            assert text == shipped.replay(walked.choices)
        assert shipped.accepts(text), text
        if not names:
            assert Replay(shipped.table, walked.choices).choices == walked.choices


def test_walk_takes_the_way_that_was_parsed() -> None:
    g = Grammar("json")
    for text in g.sentences(300, seed=5):
        assert g.finish(Replay(g.table, g.choices(text))) == text


def test_least(shipped: Grammar) -> None:
    """Number 0 leads to the least derivation: no choices at all are the same."""
    if not shipped.table.replay:
        assert shipped.finish(Replay(shipped.table, [])) == shipped.replay([])


def test_mutants(shipped: Grammar) -> None:
    text = next(shipped.sentences(1, seed=9))
    mutants = {shipped.mutate(text, seed) for seed in range(5)}
    assert len(mutants) > 1
    assert shipped.mutate(text, 3) == shipped.mutate(text, 3)
    assert all(shipped.accepts(m) for m in mutants)


def test_reduce_with_the_same_grammar() -> None:
    g = Grammar("json")

    def fails(text: str) -> bool:
        return g.accepts(text) and bool(list(g.parse(text).find("object"))) and "true" in text

    assert g.reduce('[1, {"abc": [true, {"x": null}]}, "true"]', fails) == '{"":true}'


def test_exception_of_predicate_comes_through() -> None:
    g = Grammar("json")

    def broken(text: str) -> bool:
        if len(text) < 5:
            raise ZeroDivisionError(text)
        return True

    with pytest.raises(ZeroDivisionError):
        g.reduce("[1, 2, 3, 4]", broken)
    with pytest.raises(NotASentenceError, match="does not hold"):
        g.reduce("[1]", lambda _: False)
    assert g.accepts("[1]")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Grammar("no-such-grammar"), "no grammar"),
        (lambda: Grammar.from_string("a = b ;"), 'rule "b" is not defined'),
        (lambda: Grammar("json").count(), "no bound"),
        (lambda: Grammar("json").count(siez=3), "did you mean --size"),
        (lambda: Grammar("json").unrank(10**9, size=3), "rank"),
        (lambda: list(Grammar("json").sentences(3, strategy="best")), "best"),
        (lambda: Grammar("json").parse("[1,"), "unexpected end of text"),
    ],
)
def test_mistakes(call: Any, message: str) -> None:
    with pytest.raises(GramfuzzError, match=message):
        call()


def test_binary() -> None:
    g = Grammar("png")
    text = next(g.sentences(1, seed=1))
    assert isinstance(text, bytes)
    assert text.startswith(b"\x89PNG")
    assert g.accepts(text)
    assert g.replay(g.choices(text))[:8] == text[:8]


def test_other_notations_and_commands(tmp_path: Any) -> None:
    file = tmp_path / "a.lark"
    file.write_text('start: "a" WORD\nWORD: /[b-d]+/\n')
    g = Grammar(file)
    assert g.accepts("abcd")
    assert "rules" in g.run("check")
    assert Grammar.from_string("s = 'x' ;", format="iso").count(size=1) == 1


def test_pickle_and_close() -> None:
    g = pickle.loads(pickle.dumps(Grammar("json", start="value")))
    close()
    assert g.accepts("[1]")
