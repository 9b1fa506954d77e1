#!/bin/bash
set -euo pipefail
cd /app/sheets
for old in *; do
  new=$(printf '%s' "$old" | tr '[:upper:]' '[:lower:]' | tr -s ' ' '-')
  [ "$old" = "$new" ] || mv -n -- "$old" "$new"
done
