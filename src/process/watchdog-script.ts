import { markEnd, markStart } from "./environment.js";

/**
 * What the watchdog executes. Its standard input tells it of runs (`+ runId`, then `+ runId group output,… pid:start,…`;
 * `- runId` when one is over) and ends when the harness is gone, however that came about. Runs that are
 * still on its list are then stopped: SIGTERM, and SIGKILL less than 2 s later. Theirs is the group, whatever
 * carries the run's mark or holds the agent's output open, and what descends from these; who was found once
 * is remembered with the time of its start. Run ids hold nothing that a shell could take for anything but a
 * word. Only /proc, `grep`, `ls`, `tr` and `sleep` are needed; where there is no /proc, `ps`.
 */
export const watchdogScript = `
trap '' HUP INT QUIT TERM PIPE
runs=
while read -r word id group output known; do
  kept=
  for run in $runs; do
    [ "\${run%%/*}" = "$id" ] || kept="$kept $run"
  done
  runs=$kept
  [ "$word" = + ] && runs="$runs $id/$group/$output/$known"
done
[ -n "$runs" ] || exit 0

# Prints the pids that carry a mark of ours.
marked() {
  set --
  for run in $runs; do set -- "$@" -e "${markStart}\${run%%/*}${markEnd}"; done
  if [ -d /proc/self ]; then
    for file in $(grep -lsF "$@" /proc/[0-9]*/environ); do
      folder=\${file%/environ}
      [ -O "$folder" ] && echo "\${folder#/proc/}"
    done
  else
    listed=$(ps -x -E -ww -o pid=,command=)
    echo "$listed" | grep -F "$@" | while read -r pid rest; do echo "$pid"; done
  fi
}

# Prints the pids that hold an output of ours open.
holders() {
  words=$learned
  for run in $runs; do
    run=\${run#*/*/}
    words="$words $(IFS=,; echo \${run%%/*})"
  done
  set --
  for word in $words; do
    [ "$word" = - ] || set -- "$@" -e "-> \${word%%:*}:[\${word#*:}]"
  done
  [ $# -gt 0 ] || return
  ls -l /proc/[0-9]*/fd/1 /proc/[0-9]*/fd/2 2>/dev/null | grep -F "$@" | while read -r line; do
    line=\${line##*/proc/}
    echo "\${line%%/*}"
  done
}

# Sets learned to the outputs of those who are chosen, for a harness that died before it could tell.
learn() {
  set --
  for one in $chosen; do set -- "$@" "/proc/\${one%%:*}/fd/1" "/proc/\${one%%:*}/fd/2"; done
  learned=$(ls -l "$@" 2>/dev/null | grep -o 'socket:\\[[0-9]*\\]' | tr -d '[]')
}

# Sets tree to pid:parent:group:start of every process that is alive.
look() {
  tree=
  if [ -d /proc/self ]; then
    for file in /proc/[0-9]*/stat; do
      { read -r line <"$file"; } 2>/dev/null || continue
      pid=\${line%% *}
      [ "$pid" = $$ ] && continue
      set -- \${line##*) }
      case $1 in Z | X) continue ;; esac
      tree="$tree $pid:$2:$3:\${20}"
    done
  else
    tree=$(ps -A -o pid=,ppid=,pgid= | while read -r pid parent group; do echo "$pid:$parent:$group:0"; done)
  fi
}

# Adds to chosen (pid:start) whoever is of our runs, and leaves there only who is alive.
choose() {
  look
  seeds=" $(echo $(marked) $(holders)) "
  groups=' '
  earlier=$chosen
  for run in $runs; do
    known=\${run##*/}
    run=\${run#*/}
    groups="$groups\${run%%/*} "
    earlier="$earlier $(IFS=,; echo $known)"
  done
  chosen=' '
  for one in $tree; do
    pid=\${one%%:*} start=\${one##*:}
    group=\${one%:*}
    group=\${group##*:}
    case " $earlier " in *" $pid:$start "*) chosen="$chosen$pid:$start " && continue ;; esac
    case $seeds in *" $pid "*) chosen="$chosen$pid:$start " && continue ;; esac
    case $groups in *" $group "*) chosen="$chosen$pid:$start " ;; esac
  done
  more=1
  while [ -n "$more" ]; do
    more=
    for one in $tree; do
      pid=\${one%%:*} start=\${one##*:}
      parent=\${one#*:}
      parent=\${parent%%:*}
      case $chosen in *" $pid:$start "*) continue ;; esac
      case $chosen in *" $parent:"*) chosen="$chosen$pid:$start " more=1 ;; esac
    done
  done
}

# Signals all that are chosen.
tell() {
  for one in $chosen; do kill -s "$1" "\${one%%:*}" 2>/dev/null; done
}

# Stops whoever is found, until nobody is left who could start another unseen; then asks each once to end.
ask() {
  for turn in 1 2 3 4 5; do
    before=$chosen
    choose
    [ "$chosen" = "$before" ] && break
    tell STOP
    learn
  done
  for one in $chosen; do
    case $asked in *" $one "*) ;; *) kill -s TERM "\${one%%:*}" 2>/dev/null ;; esac
  done
  asked="$asked$chosen"
  tell CONT
}

# Hundredths of a second; counted by turns where the system does not tell.
now() {
  { read -r up idle </proc/uptime; } 2>/dev/null && clock=\${up%.*}\${up#*.} || clock=$((\${clock:-0} + 20))
}

# An agent that was being started when the harness died shows its mark a little later: that there is nobody
# is believed when it was seen three times.
now
kill_at=$((clock + 160))
ask
unseen=0
while [ "$clock" -lt $kill_at ]; do
  sleep 0.2
  choose
  if [ "$chosen" = ' ' ]; then unseen=$((unseen + 1)); else unseen=0; fi
  [ $unseen -lt 3 ] || exit 0
  for one in $chosen; do
    case $asked in *" $one "*) ;; *) ask && break ;; esac
  done
  now
done
for turn in 1 2 3 4 5; do
  choose
  [ "$chosen" = ' ' ] && exit 0
  tell KILL
  sleep 0.1
done
`;
