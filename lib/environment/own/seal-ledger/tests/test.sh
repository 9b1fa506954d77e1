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

check "the changed files are named" same "$(cat /app/changed.txt 2>/dev/null)" "$(printf '03.txt\n05 note.txt')"
check "the new list has the sums of today" cmp /app/ledger.sha256 /tests/expected.sha256
cd /app && check "sha256sum agrees" sha256sum --check --strict ledger.sha256
check "the ledger is as it was" same "$(cat /app/ledger/* 2>/dev/null | sha256sum | cut -c1-16)" "f020c7b42f2605c3"

printf '{"results":{"tool":{"name":"misstep"},"summary":{"tests":%d,"passed":%d,"failed":%d,"skipped":0,"pending":0,"other":0},"tests":[%s]}}\n' \
  $((passed + failed)) "$passed" "$failed" "$entries" > /logs/verifier/ctrf.json
if [ "$failed" -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
