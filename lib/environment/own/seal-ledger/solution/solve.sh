#!/bin/bash
set -euo pipefail
cd /app
sha256sum --check ledger.sha256 2>/dev/null | sed -n 's|^ledger/\(.*\): FAILED$|\1|p' > changed.txt || true
cut -c67- ledger.sha256 > /tmp/names
while IFS= read -r name; do sha256sum -- "$name"; done < /tmp/names > /tmp/new.sha256
mv /tmp/new.sha256 ledger.sha256
