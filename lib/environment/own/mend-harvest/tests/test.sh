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

check "sacks.txt is right" same "$(cat /app/out/sacks.txt 2>/dev/null)" "$(printf 'oats 6\nrye 38\nwheat 17')"
check "the data are as they were" same "$(sha256sum < /app/data/harvest.csv | cut -c1-16)" "29bf0a181a7af926"
work=$(mktemp -d) && cp -r /app/. "$work" && rm -rf "$work/out"
printf 'grower;crop;sacks\nuli;spelt;5\nuli;barley;2\nkai;spelt;4\n' > "$work/data/harvest.csv"
bash "$work/harvest.sh" >/dev/null 2>&1
check "it is right for other data" same "$(cat "$work/out/sacks.txt" 2>/dev/null)" "$(printf 'barley 2\nspelt 9')"

printf '{"results":{"tool":{"name":"misstep"},"summary":{"tests":%d,"passed":%d,"failed":%d,"skipped":0,"pending":0,"other":0},"tests":[%s]}}\n' \
  $((passed + failed)) "$passed" "$failed" "$entries" > /logs/verifier/ctrf.json
if [ "$failed" -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
