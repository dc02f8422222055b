"""Trees of plain objects."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Node:
    """A rule, a token, or a terminal (rule is "" then), and its place in the text."""

    rule: str
    start: int
    end: int
    source: str | bytes = field(repr=False)
    children: list[Node] = field(default_factory=list)

    @property
    def text(self) -> str | bytes:
        return self.source[self.start : self.end]

    def walk(self) -> Iterator[Node]:
        """The node and all below it, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def find(self, rule: str) -> Iterator[Node]:
        """The nodes of a rule."""
        return (n for n in self.walk() if n.rule == rule)


def tree(text: str | bytes, rows: list[dict[str, Any]]) -> Node:
    """The tree of rows in pre-order."""
    path: list[Node] = []
    root: Node | None = None
    at = 0
    for row in rows:
        del path[row["depth"] :]
        raw = base64.b64decode(row.get("text64", ""))
        piece: str | bytes = raw if isinstance(text, bytes) else raw.decode("utf-8", "surrogateescape")
        gap: str | bytes = row.get("gap", "") if isinstance(text, str) else row.get("gap", "").encode()
        leaf = "text64" in row
        start = at + len(gap)
        node = Node(row.get("rule", ""), start if leaf else -1, start + len(piece) if leaf else -1, text)
        if path:
            path[-1].children.append(node)
        root = root or node
        if leaf:
            at = node.end
            for above in path:
                above.start = start if above.start < 0 else above.start
                above.end = at
        path.append(node)
    assert root is not None
    for n in root.walk():
        if n.start < 0:
            n.start = n.end = 0  # it has no text
    return root
