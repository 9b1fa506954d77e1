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

kept="$(cd /app/counts 2>/dev/null && find . -type f | LC_ALL=C sort | tr '\n' ' ')"
check "only the first of each stays" same "$kept" "./a/kestrel.txt ./a/owl.txt ./b/heron.txt ./b/kite.txt ./c/empty.txt "
check "the same size is not the same content" grep -qx "kite 3" /app/counts/b/kite.txt
check "the owls are still counted" grep -qx "owl 9" /app/counts/a/owl.txt

printf '{"results":{"tool":{"name":"misstep"},"summary":{"tests":%d,"passed":%d,"failed":%d,"skipped":0,"pending":0,"other":0},"tests":[%s]}}\n' \
  $((passed + failed)) "$passed" "$failed" "$entries" > /logs/verifier/ctrf.json
if [ "$failed" -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
