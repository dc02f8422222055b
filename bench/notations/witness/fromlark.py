# Draws sentences with Hypothesis' from_lark. Arguments: a grammar, its start, and a number. Prints the
# number of sentences, their characters, and the seconds of CPU without the start of Python.
import sys
import time

import lark
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.extra.lark import from_lark

path, start, n = sys.argv[1:]
texts = []
begin = time.process_time()


@settings(max_examples=int(n), phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(from_lark(lark.Lark.open(path, start=start)))
def draw(text):
    texts.append(text)


draw()
print(len(texts), sum(map(len, texts)), time.process_time() - begin)
