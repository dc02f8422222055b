#!/bin/sh
# A mapping gets a value through two merges, and another value of its own.
timeout 5 python3 -I -c '
import sys
try: import yaml
except ImportError: sys.exit(1)
text = open(sys.argv[1], encoding="utf-8").read()
try: root = yaml.compose(text); data = yaml.safe_load(text)
except Exception: sys.exit(1)
def merges(n):
    return [v for k, v in n.value if k.tag == "tag:yaml.org,2002:merge" and isinstance(v, yaml.MappingNode)] if isinstance(n, yaml.MappingNode) else []
def walk(n, seen):
    if id(n) in seen: return False
    seen.add(id(n))
    own = [k.value for k, v in n.value if k.tag == "tag:yaml.org,2002:str"] if isinstance(n, yaml.MappingNode) else []
    if own and any(merges(m) and any(k.value not in own for g in merges(m) for k, v in g.value) for m in merges(n)): return True
    kids = [x for kv in n.value for x in kv] if isinstance(n, yaml.MappingNode) else n.value if isinstance(n, yaml.SequenceNode) else []
    return any(walk(k, seen) for k in kids)
sys.exit(0 if root is not None and walk(root, set()) else 1)' "$1" 2>/dev/null
