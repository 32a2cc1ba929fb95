import { runMarker } from "./environment.js";

/**
 * What the watchdog executes. Its standard input tells it of runs (`+ runId`, then `+ runId group`; `-
 * runId` when one is over) and ends when the harness is gone, however that came about. Runs that are
 * still on its list are then stopped: SIGTERM, and SIGKILL after 2 s, to the group and to whatever
 * carries the run's marker. Run ids hold nothing that a shell could take for anything but a word.
 */
export const watchdogScript = `
trap '' HUP INT QUIT TERM PIPE
runs=
while read -r word id group; do
  case $word in
    +) runs="$runs $id:$group" ;;
    -)
      kept=
      for run in $runs; do
        [ "\${run%%:*}" = "$id" ] || kept="$kept $run"
      done
      runs=$kept
      ;;
  esac
done
[ -n "$runs" ] || exit 0

# BusyBox may have been built without -z; the marker is then looked for as a part of the environment.
flags=-zxFls
printf 'a\\0' | grep -zxFq a 2>/dev/null || flags=-Fls

# Prints the pids that carry a marker of ours.
marked() {
  if [ -d /proc/self ]; then
    set --
    for run in $runs; do set -- "$@" -e "${runMarker}=\${run%%:*}"; done
    for file in $(grep $flags "$@" /proc/[0-9]*/environ); do
      folder=\${file%/environ}
      [ -O "$folder" ] && echo "\${folder#/proc/}"
    done
  else
    listed=$(ps -x -E -ww -o pid=,command=)
    for run in $runs; do
      echo "$listed" | grep -E "[ ]${runMarker}=\${run%%:*}( |$)" | while read -r pid rest; do echo "$pid"; done
    done
  fi
}

# Signals every group and every marked process; false when there were none.
tell() {
  found=1
  for run in $runs; do
    group=\${run#*:}
    [ -n "$group" ] && kill -s "$1" -- "-$group" 2>/dev/null && found=0
  done
  for pid in $(marked); do
    kill -s "$1" "$pid" 2>/dev/null && found=0
  done
  return $found
}

# An agent that was being started when the harness died shows its marker a little later: none is
# believed when it was seen three times.
none=0
tell TERM
for turn in 1 2 3 4 5 6 7 8; do
  sleep 0.2
  if tell 0; then none=0; else none=$((none + 1)); fi
  [ $none -lt 3 ] || exit 0
done
for turn in 1 2 3 4; do
  tell KILL || exit 0
  sleep 0.1
done
`;
