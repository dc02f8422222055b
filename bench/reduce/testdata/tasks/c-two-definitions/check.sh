#!/bin/sh
# All files compile, and the linker finds two definitions of one name.
cd "$1" || exit 1
d=$(mktemp -d) || exit 1
trap 'rm -rf "$d"' EXIT
n=0
for f in $(find . -name '*.c' | sort); do
  n=$((n + 1))
  timeout 10 gcc -w -fsyntax-only "$f" 2>/dev/null || exit 1
done
[ $n -ge 2 ] || exit 1
timeout 10 gcc -w -o "$d/out" $(find . -name '*.c' | sort) 2>&1 | grep -q 'multiple definition of'
