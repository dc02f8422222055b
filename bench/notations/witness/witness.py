# Asks tree-sitter, Lark or Python itself about texts: one in base64 a line; the answer is
# a line each, "ok" or what is wrong.
import base64
import ctypes
import sys


def tree_sitter(library, name):
    from tree_sitter import Language, Parser

    function = getattr(ctypes.CDLL(library), "tree_sitter_" + name)
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    parser = Parser(Language(capsule(function(), b"tree_sitter.Language", None)))

    def ask(text):
        # has_error is true of a tree with an ERROR or a MISSING node.
        return "error" if parser.parse(text).root_node.has_error else "ok"

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
    print(ask(base64.b64decode(line)), flush=True)
