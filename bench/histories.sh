#!/bin/sh
# Times `lineal history` on generated logs: seconds to parse and to decide, bytes per operation.
#   bench/histories.sh [TYPES] [SIZES] [VARIANTS]
# Logs go to $LINEAL_BENCH_LOGS (default: a temporary directory) and are reused there.
set -eu
cd "$(dirname "$0")/.."
types=${1:-"queue stack pq bag register kv set fai mutex"}
sizes=${2:-"10000 100000 1000000"}
variants=${3:-"complete pending violated"}
cargo build --release -q -p lineal-cli
cargo build --release -q -p lineal-check --example generate_history
logs=${LINEAL_BENCH_LOGS:-$(mktemp -d)}
printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' type log operations verdict 'parse s' 'decide s' 'whole s' 'B/op'
printf '|---|---|---|---|---|---|---|---|\n'
for type in $types; do for size in $sizes; do for variant in $variants; do
  log=$logs/$type-$size-$variant.jsonl
  [ -s "$log" ] || target/release/examples/generate_history "$type" "$size" "$variant" > "$log"
  target/release/lineal history "$log" --as "$type" --format jsonl > "$logs/out.json" || true
  field() { grep -o "\"$1\":[0-9.]*" "$logs/out.json" | head -1 | cut -d: -f2; }
  verdict=$(grep -o '"verdict":"[a-z]*"' "$logs/out.json" | head -1 | cut -d'"' -f4)
  awk -v t="$type" -v v="$variant" -v n="$(field operations)" -v w="$verdict" -v p="$(field parse_us)" \
      -v d="$(field decide_us)" -v s="$(field seconds)" -v b="$(field peak_bytes)" \
      'BEGIN { printf "| %s | %s | %d | %s | %.3f | %.4f | %.3f | %.0f |\n", t, v, n, w, p/1e6, d/1e6, s, b/n }'
done; done; done
