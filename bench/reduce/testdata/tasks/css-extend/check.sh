#!/bin/sh
# sassc refuses an @extend across @media, and says nothing else.
timeout 5 sassc "$1" 2>&1 >/dev/null | grep -q 'You may not @extend selectors across media queries'
