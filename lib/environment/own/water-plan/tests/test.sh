#!/bin/bash
# Looks at the final state only. Writes /logs/verifier/reward.txt (1: every check passed, else 0) and ctrf.json.
mkdir -p /logs/verifier
passed=0 failed=0 entries=""
# check NAME COMMAND...: passed when the command succeeds.
check() {
  local name=$1 status=failed
  shift
  if "$@" >/dev/null 2>&1; then status=passed; passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "$status: $name"
  entries+="${entries:+,}{\"name\":\"$name\",\"status\":\"$status\",\"duration\":0}"
}
same() { [ "$1" = "$2" ]; }

check "north has 25 minutes" same "$(bash /app/bin/minutes north 2>/dev/null)" "25"
check "south keeps its minutes" same "$(bash /app/bin/minutes south 2>/dev/null)" "18"
check "the annex keeps its minutes" same "$(bash /app/bin/minutes north-annex 2>/dev/null)" "18"
check "the rest of the file is untouched" cmp /app/etc/water.conf /tests/expected.conf

printf '{"results":{"tool":{"name":"misstep"},"summary":{"tests":%d,"passed":%d,"failed":%d,"skipped":0,"pending":0,"other":0},"tests":[%s]}}\n' \
  $((passed + failed)) "$passed" "$failed" "$entries" > /logs/verifier/ctrf.json
if [ "$failed" -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
