#!/bin/sh
# In a quoted list stands a link by reference, with a title, and emphasis.
timeout 5 cmark "$1" 2>/dev/null | tr '\n' ' ' | grep -q '<blockquote>.*<ul>.*<a href="[^"]*" title="[^"]*">[^<]*<em>.*</ul>.*</blockquote>'
