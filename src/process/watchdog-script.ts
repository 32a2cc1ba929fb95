import { markEnd, markStart } from "./environment.js";

/**
 * The script of the watchdog. It reads about runs on standard input, which ends when harness is gone, for whatever
 * reason:
 * - `+ runId`: a run is about to start.
 * - `+ runId group signal start output,… pid:start,… cgroup`: it has started. `-` stands for an empty field; times are
 *   those of /proc.
 * - `- runId`: it is over.
 *
 * The script then stops the runs that are not over, in the same order as the reaper: everything is frozen, then asked to
 * end from the top down, and less than 2 s later frozen again and killed. A run consists of the group, the control group,
 * all processes with the run's mark, those that hold the agent's output open and were started after it, and the
 * descendants of all these. Processes that were found once are remembered with their start time.
 *
 * A run id is always a plain word to the shell. The script needs only /proc (or else `ps`), `grep`, `ls`, `readlink`,
 * `tr`, `cat`, `rmdir` and `sleep`.
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

# What is known about the runs, as lists: groups, the signal of each agent, outputs with the start time of their agent,
# reported processes, control groups.
groups=' ' signals=' ' outputs= reported= cgroups=
for run in $runs; do
  run=\${run#*/} && group=\${run%%/*}
  run=\${run#*/} && signal=\${run%%/*}
  run=\${run#*/} && start=\${run%%/*}
  run=\${run#*/} && output=\${run%%/*}
  run=\${run#*/} && known=\${run%%/*}
  cgroup=\${run#*/}
  [ -n "$group" ] && groups="$groups$group " && signals="$signals$group>$signal "
  for word in $(IFS=,; echo $output); do [ "$word" = - ] || outputs="$outputs $word>\${start:-0}"; done
  reported="$reported $(IFS=,; echo $known)"
  case $cgroup in /*) cgroups="$cgroups $cgroup" ;; esac
done
for group in $groups; do kill -s STOP -- "-$group" 2>/dev/null; done

# Prints the pids of all processes with a mark of our runs.
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

# Prints pid/output of all processes that hold an output of our runs open. The output of ls is only a hint, because a
# file name may contain anything; readlink decides.
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

# Adds the outputs of the chosen processes, in case harness died before it could report them.
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

# Sets tree to pid:parent:group:start of every living process. A process name may contain a line feed.
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

# True if process $1, started at $2, holds an output of our runs and was started after its agent.
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

# Sets chosen to pid:start of every living process of our runs.
choose() {
  look
  enclosed=
  for cgroup in $cgroups; do enclosed="$enclosed $(cat "$cgroup/cgroup.procs" "$cgroup"/*/cgroup.procs 2>/dev/null)"; done
  seeds=" $(echo $(marked) $enclosed) "
  held=" $(echo $(holders)) "
  earlier=" $(echo $reported $chosen) "
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

# Sends a signal to all chosen processes.
send() {
  for one in $chosen; do kill -s "$1" "\${one%%:*}" 2>/dev/null; done
}

# Freezes all processes of our runs, until no process is left that could start another one unseen.
freeze() {
  before=
  for turn in 1 2 3 4 5; do
    choose
    send STOP
    [ "$chosen" = "$before" ] && break
    before=$chosen
    learn
  done
}

# Asks each process to end once, when no ancestor of it is left. After a while the others are thawed without being asked.
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
           *) case $signals in
                *" $pid>INT "*) signal=INT ;;
                *" $pid>KILL "*) signal=KILL ;;
                *) signal=TERM ;;
              esac
              kill -s $signal "$pid" 2>/dev/null
              asked="$asked$pid:$start " ;;
         esac ;;
    esac
    kill -s CONT "$pid" 2>/dev/null
  done
}

# Sets clock to hundredths of a second. Without /proc/uptime it counts the calls.
now() {
  { read -r up idle </proc/uptime; } 2>/dev/null && clock=\${up%.*}\${up#*.} || clock=$((\${clock:-0} + 10))
}

end() {
  for cgroup in $cgroups; do rmdir "$cgroup"/*/ "$cgroup" 2>/dev/null; done
  exit 0
}

# If the agent was just being started when harness died, its mark appears a little later. So the script ends only
# after it has found no process several times in a row.
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
  send KILL
  for cgroup in $cgroups; do { echo 1 >"$cgroup/cgroup.kill"; } 2>/dev/null; done
  sleep 0.1
done
end
`;
