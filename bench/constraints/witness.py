# Reports whether programs accept texts. Each input line is a text in base64. The answer is a line
# with "ok" or the error.
import base64
import csv
import io
import json
import re
import sys
import tarfile
import xml.etree.ElementTree


def read_csv(text):
    rows = list(csv.reader(io.StringIO(text.decode(), newline=""), delimiter=";", strict=True))
    if not rows or len({len(r) for r in rows}) != 1:
        raise ValueError("records of several lengths")


def read_tar(text):
    with tarfile.open(fileobj=io.BytesIO(text)) as t:
        for m in t:
            if m.isfile() and len(t.extractfile(m).read()) != m.size:
                raise ValueError("a file is cut short")


def read_rest(text):
    import docutils.core
    import docutils.nodes

    settings = {"report_level": 2, "halt_level": 5, "warning_stream": io.StringIO()}
    doc = docutils.core.publish_doctree(text.decode(), settings_overrides=settings)
    for m in [*doc.findall(docutils.nodes.system_message), *doc.transform_messages]:
        if m["level"] >= 2:
            raise ValueError(m.astext())
    titles = len(re.findall(r"^(=+|-+)$", text.decode(), re.M))
    if titles != len(list(doc.findall(lambda n: isinstance(n, (docutils.nodes.title, docutils.nodes.subtitle))))):
        raise ValueError("a title is no title")


def read_xml(text):
    xml.etree.ElementTree.fromstring(text.decode())


class Node:
    """A node of a tree as the study's checker reads it: a rule's name and parts, or a terminal."""

    def __init__(self, tree):
        self.rule = not isinstance(tree, str)
        self.symbol = type("Symbol", (), {"symbol": "<%s>" % tree[0] if self.rule else tree})
        self.children = [Node(part) for part in tree[1:]] if self.rule else []

    def value(self):
        return "".join(part.value() for part in self.children) if self.rule else self.symbol.symbol


def read_lang(text):
    sys.path.insert(0, ".")
    sys.setrecursionlimit(100000)
    from lang_constraints import num_violations_validity_only

    tree = json.loads(text)
    if not tree:
        raise ValueError("not in the study's grammar")
    violations = num_violations_validity_only(Node(tree))
    if violations:
        raise ValueError("%d violations" % violations)


read = {"csv": read_csv, "tar": read_tar, "rest": read_rest, "xml": read_xml, "lang": read_lang}[sys.argv[1]]
if sys.argv[1] == "rest":
    import docutils.core
for line in sys.stdin:
    try:
        read(base64.b64decode(line))
        print("ok")
    except Exception as e:
        print("no:", " ".join(str(e).split()))
