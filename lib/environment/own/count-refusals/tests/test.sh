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

expected="$(cd /app/gates 2>/dev/null && for f in harbour mill north; do
  echo "$f $(tr -d '\r' < "$f.log" | grep -cE ' verdict=refused( |$)')"
done)"
check "refused.txt is there" test -f /app/refused.txt
check "every gate has its count" same "$(cat /app/refused.txt 2>/dev/null)" "$expected"
check "the logs are as they were" same "$(cat /app/gates/*.log 2>/dev/null | sha256sum | cut -c1-16)" "3f4301e1e0ea531e"

printf '{"results":{"tool":{"name":"misstep"},"summary":{"tests":%d,"passed":%d,"failed":%d,"skipped":0,"pending":0,"other":0},"tests":[%s]}}\n' \
  $((passed + failed)) "$passed" "$failed" "$entries" > /logs/verifier/ctrf.json
if [ "$failed" -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
