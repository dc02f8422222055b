#!/bin/sh
# pngcheck finds no error in a picture with alpha and a text.
out=$(timeout 5 pngcheck -v "$1" 2>/dev/null) || exit 1
case $out in *grayscale+alpha*) ;; *) exit 1;; esac
case $out in *tEXt*) exit 0;; esac
exit 1
