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

cd /app/sheets || exit 1
check "the names are tidy" same "$(ls | LC_ALL=C sort | tr '\n' ' ')" "cover.txt sheet-01.txt sheet-02.txt sheet-10.txt sheet-11.txt sheet-12-old.txt "
check "sheet 1 has its text" grep -qx "larch, 12 m" sheet-01.txt
check "sheet 11 has its text" grep -qx "hazel, 3 m" sheet-11.txt
check "the old sheet 12 has its text" grep -qx "larch, 11 m" sheet-12-old.txt
check "nothing else was made" same "$(find /app -type f | wc -l)" "6"

printf '{"results":{"tool":{"name":"misstep"},"summary":{"tests":%d,"passed":%d,"failed":%d,"skipped":0,"pending":0,"other":0},"tests":[%s]}}\n' \
  $((passed + failed)) "$passed" "$failed" "$entries" > /logs/verifier/ctrf.json
if [ "$failed" -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
