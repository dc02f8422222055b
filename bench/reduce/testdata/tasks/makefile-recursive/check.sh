#!/bin/sh
f=$(realpath "$1")
d=$(mktemp -d) || exit 1
trap 'rm -rf "$d"' EXIT
cd "$d" || exit 1
out=$(env -u MAKEFLAGS -u MAKELEVEL -u MODE -u TABLES LC_ALL=C timeout 5 make -n -f "$f" 2>&1)
case $out in *"Recursive variable "*"references itself"*) exit 0;; esac
exit 1
