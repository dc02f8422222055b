# Asks tree-sitter, Lark or Python itself about texts. Each input line is a text in base64, perhaps
# followed by a tree. The answer is a line: "ok", or "same" if tree-sitter's tree equals the given
# one, or else the error.
import base64
import ctypes
import sys


def shown(path):
    """Returns the names of rules that are nodes of trees under these names."""
    import json

    with open(path) as f:
        grammar = json.load(f)
    rules = grammar["rules"]
    hidden = set(grammar.get("supertypes", [])) | set(grammar.get("inline", [])) | {next(iter(rules))}
    todo = [rules]
    while todo:
        v = todo.pop()
        if isinstance(v, dict) and v.get("type") == "ALIAS":
            hidden |= {v["value"], v["content"].get("name")}
        todo += v.values() if isinstance(v, dict) else v if isinstance(v, list) else []
    for name, v in rules.items():
        while v["type"].startswith("PREC") or v["type"] in ("FIELD", "ALIAS", "RESERVED"):
            v = v["content"]
        if v["type"] in ("TOKEN", "IMMEDIATE_TOKEN", "PATTERN", "STRING") or name.startswith("_"):
            hidden.add(name)
    return set(rules) - hidden


def spans(root, names):
    out, todo = set(), [root]
    while todo:
        n = todo.pop()
        todo += n.children
        if n.is_named and n.type in names and n.end_byte > n.start_byte:
            out.add((n.type, n.start_byte, n.end_byte))
    return out


def tree_sitter(library, name, path=None):
    import json

    from tree_sitter import Language, Parser

    function = getattr(ctypes.CDLL(library), "tree_sitter_" + name)
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    parser = Parser(Language(capsule(function(), b"tree_sitter.Language", None)))

    names = shown(path) if path else None

    def ask(text, tree=None):
        # has_error is true for a tree with an ERROR or a MISSING node.
        root = parser.parse(text).root_node
        if root.has_error or tree is None:
            return "error" if root.has_error else "ok"
        ours = {(s["Rule"], s["From"], s["To"]) for s in json.loads(tree) or [] if s["Rule"] in names}
        return "same" if ours == spans(root, names) else "ok"

    return ask


def lark(path, start, parser, lexer):
    import lark as library

    with open(path) as f:
        source = f.read()
    postlex = None
    if "%declare _INDENT" in source:
        from lark.indenter import PythonIndenter

        class Indenter(PythonIndenter):
            NL_type = "_NEWLINE" if "_NEWLINE:" in source else "_NL"

        postlex = Indenter()
    p = library.Lark.open(path, start=start, parser=parser, lexer=lexer, postlex=postlex)

    def ask(text):
        try:
            p.parse(text.decode())
        except library.exceptions.LarkError as e:
            return type(e).__name__
        return "ok"

    return ask


def python(step):
    import ast
    import keyword
    import re
    import warnings

    warnings.simplefilter("ignore")

    def quoted(m):
        return m[0] if keyword.iskeyword(m[1].split()[0]) else "'…'"

    def ask(text):
        try:
            ast.parse(text) if step == "ast.parse" else compile(text, "sentence", "exec")
        except (SyntaxError, ValueError) as e:
            message = re.sub(r"(repeated[^:]*): \w+$", r"\1", getattr(e, "msg", str(e)))
            return re.sub(r"'(\w[^']*)'", quoted, message)
        return "ok"

    return ask


ask = {"tree-sitter": tree_sitter, "lark": lark, "python": python}[sys.argv[1]](*sys.argv[2:])
for line in sys.stdin:
    print(ask(*map(base64.b64decode, line.rstrip("\n").split(" "))), flush=True)
