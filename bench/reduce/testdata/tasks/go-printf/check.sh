#!/bin/sh
# go vet finds a wrong argument of a format, in a program that compiles.
f=$(realpath "$1")
d=$(mktemp -d) || exit 1
trap 'rm -rf "$d"' EXIT
cp "$f" "$d/main.go" && cd "$d" || exit 1
printf 'module m\n\ngo 1.21\n' >go.mod
out=$(GOFLAGS=-mod=mod GOPROXY=off timeout 15 go vet -printf . 2>&1) && exit 1
case $out in *"of wrong type"*) ;; *) exit 1;; esac
case $out in *"typecheck"*|*"vet: "*|*"syntax error"*) exit 1;; esac
exit 0
