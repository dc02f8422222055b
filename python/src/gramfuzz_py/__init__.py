"""Test inputs from grammars.

    from gramfuzz_py import Grammar
    g = Grammar("json")
    for text in g.sentences(10, seed=1):
        print(text)

`gramfuzz_py.hypothesis` has the strategy for Hypothesis.
"""

from gramfuzz_py._child import ChildError, GramfuzzError, NotASentenceError, close, program
from gramfuzz_py._grammar import Grammar
from gramfuzz_py._tree import Node

__all__ = ["ChildError", "GramfuzzError", "Grammar", "Node", "NotASentenceError", "close", "program"]
__version__ = "0.1.0"
