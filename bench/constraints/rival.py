# Makes inputs with ISLa or Fandango for some seconds of CPU time, and prints each in base64. ISLa's
# subjects come from its own package. Fandango's specification is read from standard input.
import base64
import importlib
import sys
import time

tool, subject, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
begin = time.process_time()


def give(data):
    print(base64.b64encode(data).decode(), flush=True)
    return time.process_time() - begin < seconds


def isla():
    from isla.solver import ISLaSolver

    module, grammar, constraints = {
        "csv": ("csv", "CSV_GRAMMAR", ["CSV_COLNO_PROPERTY"]),
        "tar": ("tar", "TAR_GRAMMAR", ["TAR_CONSTRAINTS"]),
        "rest": ("rest", "REST_GRAMMAR", ["LENGTH_UNDERLINE", "DEF_LINK_TARGETS", "NO_LINK_TARGET_REDEF", "LIST_NUMBERING_CONSECUTIVE"]),
        "xml": ("xml_lang", "XML_GRAMMAR", ["XML_WELLFORMEDNESS_CONSTRAINT", "XML_NO_ATTR_REDEF_CONSTRAINT"]),
        "c": ("scriptsizec", "SCRIPTSIZE_C_GRAMMAR", ["SCRIPTSIZE_C_DEF_USE_CONSTR", "SCRIPTSIZE_C_NO_REDEF_CONSTR"]),
    }[subject]
    of = importlib.import_module("isla_formalizations." + module)
    formula = getattr(of, constraints[0])
    for name in constraints[1:]:
        formula = formula & getattr(of, name)
    solver = ISLaSolver(getattr(of, grammar), formula)
    while give(str(solver.solve()).encode()):
        pass


def fandango():
    from fandango import Fandango

    if subject == "lang":  # as its authors draw
        sys.path.insert(0, ".")
        fuzzer = Fandango(sys.stdin.read())
        while True:
            for tree in fuzzer.fuzz(desired_solutions=100, population_size=30, max_nodes=1000):
                if not give(str(tree).encode()):
                    return
    for tree in Fandango(sys.stdin.read()).generate_solutions():
        if not give(tree.to_bytes()):
            return


{"isla": isla, "fandango": fandango}[tool]()
