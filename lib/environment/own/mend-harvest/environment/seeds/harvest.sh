#!/bin/bash
# Writes the sacks of each crop to out/sacks.txt: "crop sacks", sorted by crop.
set -e
cd "$(dirname "$0")"
tail -n +1 data/harvest.csv | awk -F, '{ sacks[$2] += $3 } END { for (crop in sacks) print crop, sacks[crop] }' > out/sacks.txt
sort out/sacks.txt
