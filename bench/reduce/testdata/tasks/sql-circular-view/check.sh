#!/bin/sh
# sqlite finds a view that is defined by itself, and nothing else wrong.
out=$(timeout 5 sqlite3 -batch :memory: <"$1" 2>&1)
[ $? -ne 0 ] || [ -n "$out" ] || exit 1
n=$(printf '%s\n' "$out" | grep -c -i 'error')
[ "$n" = 1 ] && printf '%s\n' "$out" | grep -q 'is circularly defined'
