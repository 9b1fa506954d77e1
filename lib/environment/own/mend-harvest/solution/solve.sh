#!/bin/bash
set -euo pipefail
cat > /app/harvest.sh <<'END'
#!/bin/bash
# Writes the sacks of each crop to out/sacks.txt: "crop sacks", sorted by crop.
set -e
cd "$(dirname "$0")"
mkdir -p out
tail -n +2 data/harvest.csv | awk -F';' '{ sacks[$2] += $3 } END { for (crop in sacks) print crop, sacks[crop] }' | sort > out/sacks.txt
cat out/sacks.txt
END
bash /app/harvest.sh
