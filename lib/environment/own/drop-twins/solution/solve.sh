#!/bin/bash
set -euo pipefail
cd /app/counts
declare -A seen
while IFS= read -r file; do
  sum=$(sha256sum < "$file")
  if [ -n "${seen[$sum]:-}" ]; then rm -- "$file"; else seen[$sum]=1; fi
done < <(find . -type f | LC_ALL=C sort)
