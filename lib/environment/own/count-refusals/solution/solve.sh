#!/bin/bash
set -euo pipefail
cd /app
for log in gates/*.log; do
  name=$(basename "$log" .log)
  echo "$name $(tr -d '\r' < "$log" | grep -cE ' verdict=refused( |$)')"
done | sort > refused.txt
