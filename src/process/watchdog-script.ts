import { markEnd, markStart } from "./environment.js";

/**
 * What the watchdog executes. Its standard input tells it of runs and ends when the harness is gone, however that came
 * about: `+ runId`, then `+ runId group signal start output,… pid:start,… cgroup` (`-` for what there is none of; times are those
 * of /proc), and `- runId` when one is over. Runs that are still on its list are then stopped in the order that the
 * reaper keeps: everything is frozen, then asked to end from the top down, and less than 2 s later frozen and killed.
 * Theirs is the group, the control group, whatever carries the run's mark, whatever holds the agent's output open
 * and was started after it, and what descends from these; who was found once is remembered with the time of its
 * start. Run ids hold nothing that a shell could take for anything but a word. Only /proc, `grep`, `ls`, `readlink`,
 * `tr`, `cat`, `rmdir` and `sleep` are needed; where there is no /proc, `ps`.
 */
export const watchdogScript = `
trap '' HUP INT QUIT TERM PIPE
runs=
while read -r word id group signal start output known cgroup; do
  kept=
  for run in $runs; do
    [ "\${run%%/*}" = "$id" ] || kept="$kept $run"
  done
  runs=$kept
  [ "$word" = + ] && runs="$runs $id/$group/$signal/$start/$output/$known/$cgroup"
done
[ -n "$runs" ] || exit 0

# What was told of the runs, each in a list: groups, agents that want another signal than TERM, outputs with the start
# of their agent, known processes, control groups.
groups=' ' others=' ' outputs= told= cgroups=
for run in $runs; do
  run=\${run#*/} && group=\${run%%/*}
  run=\${run#*/} && signal=\${run%%/*}
  run=\${run#*/} && start=\${run%%/*}
  run=\${run#*/} && output=\${run%%/*}
  run=\${run#*/} && known=\${run%%/*}
  cgroup=\${run#*/}
  [ -n "$group" ] && groups="$groups$group " && others="$others$group>$signal "
  for word in $(IFS=,; echo $output); do [ "$word" = - ] || outputs="$outputs $word>\${start:-0}"; done
  told="$told $(IFS=,; echo $known)"
  case $cgroup in /*) cgroups="$cgroups $cgroup" ;; esac
done
for group in $groups; do kill -s STOP -- "-$group" 2>/dev/null; done

# Prints the pids that carry a mark of ours.
marked() {
  set --
  for run in $runs; do set -- "$@" -e "${markStart}\${run%%/*}${markEnd}"; done
  if [ -d /proc/self ]; then
    for file in $(grep -lsF "$@" /proc/[0-9]*/environ); do
      folder=\${file%/environ}
      echo "\${folder#/proc/}"
    done
  else
    listed=$(ps -x -E -ww -o pid=,command=)
    echo "$listed" | grep -F "$@" | while read -r pid rest; do echo "$pid"; done
  fi
}

# Prints pid/output of those that hold an output of ours open. What ls prints is only a hint: a file may have any name.
holders() {
  set --
  for word in $outputs; do
    word=\${word%%>*}
    set -- "$@" -e "-> \${word%%:*}:[\${word#*:}]"
  done
  [ $# -gt 0 ] || return
  ls -l /proc/[0-9]*/fd/1 /proc/[0-9]*/fd/2 2>/dev/null | grep -F "$@" | while read -r line; do
    line=\${line##*/proc/}
    pid=\${line%%/*} file=\${line#*/fd/}
    link=$(readlink "/proc/$pid/fd/\${file%% *}" | tr -d '[]')
    for word in $outputs; do [ "\${word%%>*}" = "$link" ] && echo "$pid/$link"; done
  done
}

# Adds the outputs of those who are chosen, for a harness that died before it could tell.
learn() {
  [ -z "$outputs" ] && [ "$chosen" != ' ' ] || return
  set --
  first=
  for one in $chosen; do
    set -- "$@" "/proc/\${one%%:*}/fd/1" "/proc/\${one%%:*}/fd/2"
    { [ -z "$first" ] || [ "\${one##*:}" -lt "$first" ]; } && first=\${one##*:}
  done
  for word in $(ls -l "$@" 2>/dev/null | grep -o 'socket:\\[[0-9]*\\]' | tr -d '[]'); do
    outputs="$outputs $word>$first"
  done
}

# Sets tree to pid:parent:group:start of every process that is alive. A process may have a line feed in its name.
look() {
  tree=
  if [ -d /proc/self ]; then
    for file in /proc/[0-9]*/stat; do
      pid=\${file#/proc/}
      pid=\${pid%/stat}
      [ "$pid" = $$ ] && continue
      line=
      { while read -r part; do line="$line $part"; done <"$file"; } 2>/dev/null
      set -- \${line##*) }
      case $1 in '' | Z | X) continue ;; esac
      tree="$tree $pid:$2:$3:\${20}"
    done
  else
    tree=$(ps -A -o pid=,ppid=,pgid= | while read -r pid parent group; do echo "$pid:$parent:$group:0"; done)
  fi
}

# True for one (pid, start) that holds an output of ours and was started since its agent was.
holds() {
  case $held in *" $1/"*) ;; *) return 1 ;; esac
  for one in $held; do
    [ "\${one%%/*}" = "$1" ] || continue
    for word in $outputs; do
      [ "\${word%%>*}" = "\${one#*/}" ] && [ "$2" -ge "\${word#*>}" ] && return 0
    done
  done
  return 1
}

# Adds to chosen (pid:start) whoever is of our runs, and leaves there only who is alive.
choose() {
  look
  enclosed=
  for cgroup in $cgroups; do enclosed="$enclosed $(cat "$cgroup/cgroup.procs" "$cgroup"/*/cgroup.procs 2>/dev/null)"; done
  seeds=" $(echo $(marked) $enclosed) "
  held=" $(echo $(holders)) "
  earlier=" $(echo $told $chosen) "
  chosen=' '
  for process in $tree; do
    pid=\${process%%:*} start=\${process##*:}
    group=\${process%:*}
    group=\${group##*:}
    case $earlier in *" $pid:$start "*) chosen="$chosen$pid:$start " && continue ;; esac
    case $seeds in *" $pid "*) chosen="$chosen$pid:$start " && continue ;; esac
    case $groups in *" $group "*) chosen="$chosen$pid:$start " && continue ;; esac
    holds "$pid" "$start" && chosen="$chosen$pid:$start "
  done
  more=1
  while [ -n "$more" ]; do
    more=
    for process in $tree; do
      pid=\${process%%:*} start=\${process##*:}
      parent=\${process#*:}
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

# Freezes whoever is found, until nobody is left who could start another unseen.
freeze() {
  before=
  for turn in 1 2 3 4 5; do
    choose
    tell STOP
    [ "$chosen" = "$before" ] && break
    before=$chosen
    learn
  done
}

# Asks each once to end, when nobody above it is left; the others go on when they have waited for a while.
ask() {
  for process in $tree; do
    pid=\${process%%:*} start=\${process##*:}
    parent=\${process#*:}
    parent=\${parent%%:*}
    case $chosen in *" $pid:$start "*) ;; *) continue ;; esac
    case $chosen in
      *" $parent:"*) [ -n "$thaw" ] || continue ;;
      *) case $asked in
           *" $pid:$start "*) ;;
           *) case $others in *" $pid>INT "*) signal=INT ;; *) signal=TERM ;; esac
              kill -s $signal "$pid" 2>/dev/null
              asked="$asked$pid:$start " ;;
         esac ;;
    esac
    kill -s CONT "$pid" 2>/dev/null
  done
}

# Hundredths of a second; counted by turns where the system does not tell.
now() {
  { read -r up idle </proc/uptime; } 2>/dev/null && clock=\${up%.*}\${up#*.} || clock=$((\${clock:-0} + 10))
}

end() {
  for cgroup in $cgroups; do rmdir "$cgroup"/*/ "$cgroup" 2>/dev/null; done
  exit 0
}

# An agent that was being started when the harness died shows its mark a little later: that there is nobody
# is believed when it was seen several times.
asked=' ' thaw=
freeze
now
kill_at=$((clock + 160)) thaw_at=$((clock + 15))
ask
unseen=0
while [ "$clock" -lt $kill_at ]; do
  sleep 0.1
  choose
  if [ "$chosen" = ' ' ]; then unseen=$((unseen + 1)); else unseen=0; fi
  [ $unseen -lt 5 ] || end
  now
  [ "$clock" -lt $thaw_at ] || thaw=1
  ask
done
for turn in 1 2 3 4 5; do
  freeze
  [ "$chosen" = ' ' ] && end
  tell KILL
  for cgroup in $cgroups; do { echo 1 >"$cgroup/cgroup.kill"; } 2>/dev/null; done
  sleep 0.1
done
end
`;
