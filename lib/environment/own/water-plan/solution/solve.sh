#!/bin/bash
set -euo pipefail
sed -i '/^\[north\]$/,/^\[south\]$/ s/^minutes = .*/minutes = 25/' /app/etc/water.conf
sed -i '/^\[south\]$/,/^\[north-annex\]$/ s/^minutes = 25$/minutes = 18/' /app/etc/water.conf
