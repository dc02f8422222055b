#!/bin/sh
# Every instruction is known, and a file is copied from a stage that is only built later.
awk '
BEGIN { n = split("FROM RUN COPY ADD ENV ARG LABEL USER WORKDIR EXPOSE CMD ENTRYPOINT VOLUME HEALTHCHECK", a, " "); for (i = 1; i <= n; i++) known[a[i]] = 1 }
/\\$/ { held = held substr($0, 1, length($0) - 1) " "; next }
{ line = held $0; held = "" }
line ~ /^[ \t]*(#|$)/ { next }
{
  $0 = line
  if (!($1 in known) || NF < 2) { bad = 1; exit }
  if ($1 == "FROM") { stages++; if (NF == 4) { if ($3 != "AS" || ($4 in stage)) { bad = 1; exit }; stage[$4] = stages } else if (NF != 2) { bad = 1; exit } }
  else if (stages == 0 && $1 != "ARG") { bad = 1; exit }
  if ($1 == "COPY") { if ($2 ~ /^--from=/) { if (NF < 4) { bad = 1; exit }; from[stages] = from[stages] " " substr($2, 8) } else if (NF < 3) { bad = 1; exit } }
}
END {
  if (bad || held != "") exit 1
  for (s = 1; s <= stages; s++) { n = split(from[s], names, " "); for (i = 1; i <= n; i++) if ((names[i] in stage) && stage[names[i]] > s) found = 1 }
  exit !found
}' "$1"
