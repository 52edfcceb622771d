#!/usr/bin/env bash
# plots.sh [--draw] [GOOGLE-BENCHMARK-FLAG...]: measures how commits and plans scale, and draws the
# plots of docs/performance.md, docs/pictures/scaling-*.svg. --draw draws them again from the last
# measurement, build/plots/*.csv. RESUMABLE_BENCH_DIR chooses the disk. Needs gnuplot (Debian:
# gnuplot-nox), which neither the build nor test.sh needs.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v gnuplot >/dev/null || die "install gnuplot-nox"
measured=build/plots
pictures=docs/pictures

measure() { # measure FLAG...
  ./scripts/setup.sh --bench
  ./scripts/build.sh bench_scaling
  rm -rf $measured
  mkdir -p $measured
  for plot in sizes threads codecs items; do
    say "$plot"
    build/release/bin/bench_scaling --benchmark_filter="^scaling/$plot/" \
      --benchmark_min_time=0.3 --benchmark_out=$measured/$plot.csv --benchmark_out_format=csv "$@" \
      >/dev/null 2>$measured/$plot.err || die "bench_scaling failed: see $measured/$plot.err"
  done
}

# points PLOT CURVE: what was measured of scaling/PLOT/CURVE/N: lines of N, milliseconds, megabytes
# per second, commits per second, and MiB of memory.
points() {
  awk -F , -v name="^\"?scaling/$1/$2/" '
    $1 ~ name && $3 > 0 { split($1, part, "/"); print part[4], $3 / 1e6, $6 / 1e6, $7 + 0, $11 + 0 }
  ' $measured/"$1".csv
}

# draw PLOT CURVES PANEL...: CURVES are lines 'NAME COLOR TITLE'; a panel is the column of its points
# and what gnuplot is told before.
draw() {
  local plot=$1 curves=$2 panel name color title lines
  shift 2
  while read -r name color title; do
    points "$plot" "$name" >"$measured/$plot-$name.txt"
  done <<<"$curves"
  {
    printf 'set terminal svg size %d,340 font "sans-serif,12"\n' $(($# == 1 ? 560 : 840))
    printf 'set output "%s/scaling-%s.svg"\n' $pictures "$plot"
    printf 'set multiplot layout 1,%d\n' $#
    # The titles stand above the panels, in the color of their curves.
    local at=0 of
    of=$(wc -l <<<"$curves")
    while read -r name color title; do
      printf 'set label "%s" at screen (%d.5 / %d), 0.94 center textcolor rgb "%s"\n' \
        "$title" $at "$of" "$color"
      at=$((at + 1))
    done <<<"$curves"
    printf 'set logscale xy; set grid; unset mxtics; unset mytics; unset key\n'
    printf 'set tmargin 3; set rmargin 4; set format y "%%g"\n'
    for panel in "$@"; do
      lines=''
      while read -r name color title; do
        awk -v column="${panel%% *}" '$column > 0 { found = 1 } END { exit !found }' \
          "$measured/$plot-$name.txt" || continue
        lines+=", '$measured/$plot-$name.txt' using 1:${panel%% *}"
        lines+=" with linespoints lw 1.5 pt 7 ps 0.5 lc rgb '$color'"
      done <<<"$curves"
      printf '%s\nplot %s\nunset label\n' "${panel#* }" "${lines#, }"
    done
  } | gnuplot
  # Text and axes follow the reader's choice of light or dark.
  sed -zEi 's|<title>Gnuplot</title>|<title>How checkpoints scale: '"$plot"'</title>\
<style>\
svg { background: #fff }\
@media (prefers-color-scheme: dark) {\
  svg { background: #0d1117 }\
  [fill=black] { fill: #e6edf3 } [stroke=black] { stroke: #e6edf3 } [color=black] { color: #e6edf3 }\
}\
</style>|; s/[ \t]+\n/\n/g; s/<g [^>]*>\n<\/g>\n//g; s/\n\n+/\n/g' "$pictures/scaling-$plot.svg"
}

if [[ ${1:-} == --draw ]]; then shift; else measure "$@"; fi

blue='#3a86c8' red='#d9552b' green='#1a9e6c' pink='#c566a0' grey='#888888'
rate="4 set ylabel 'checkpoints per second'"
volume="3 set ylabel 'MB per second'"
bytes="set logscale x 2; set xlabel 'bytes of the value'; set xtics ('256' 256, '4 Ki' 4096, \
'64 Ki' 65536, '1 Mi' 1048576, '16 Mi' 16777216, '256 Mi' 268435456)"
stores="journal $blue JournalStore
sqlite_store $red SqliteStore
file_store $green FileStore"

draw sizes "memory_store $pink MemoryStore
$stores
disk $grey one write and one sync" \
  "$rate; $bytes" "$volume"
draw threads "memory_store $pink MemoryStore
$stores" \
  "$rate; set logscale x 2; set xlabel 'threads that wait for commits of 4 KiB'"
draw codecs "bytes $grey Bytes
prose_json $blue a string, as JSON
rows_json $red rows, as JSON
rows_cbor $green rows, as CBOR
rows_msgpack $pink rows, as MessagePack" \
  "$rate; $bytes" "$volume"
draw items "$stores
ninja $grey Ninja" \
  "2 set ylabel 'ms to plan a finished run'; set xlabel 'items'; set format x '%.0f'" \
  "5 set ylabel 'MiB of memory'"
say "$pictures/scaling-{sizes,threads,codecs,items}.svg"
