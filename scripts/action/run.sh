#!/usr/bin/env bash
# The second step of action.yml: runs the agent. The job log, the job summary and the outputs come from `--output github`.
set -euo pipefail

if [[ -n "$HARNESS_ACTION_PROMPT" && -n "$HARNESS_ACTION_PROMPT_FILE" ]]; then
  echo "::error title=harness::Give the action a prompt or a prompt-file, not both."
  exit 2
fi
if [[ -z "$HARNESS_ACTION_PROMPT" && -z "$HARNESS_ACTION_PROMPT_FILE" ]]; then
  echo "::error title=harness::Give the action a prompt or a prompt-file: it says what the agent is to do."
  exit 2
fi

options=(--output=github --prompt-file="${HARNESS_ACTION_PROMPT_FILE:--}")

# Adds an option if it has a value.
add() {
  if [[ -n "$2" ]]; then options+=("--$1=$2"); fi
}

add agent "$HARNESS_ACTION_AGENT"
add model "$HARNESS_ACTION_MODEL"
add permissions "$HARNESS_ACTION_PERMISSIONS"
add timeout "$HARNESS_ACTION_TIMEOUT"
add check "$HARNESS_ACTION_CHECK"
add check-timeout "$HARNESS_ACTION_CHECK_TIMEOUT"
while IFS= read -r line; do
  line="${line%$'\r'}"
  if [[ -n "${line//[[:space:]]/}" ]]; then options+=("$line"); fi
done <<< "$HARNESS_ACTION_ARGS"

if [[ -n "$HARNESS_ACTION_WORKING_DIRECTORY" ]]; then cd -- "$HARNESS_ACTION_WORKING_DIRECTORY"; fi
prompt="$HARNESS_ACTION_PROMPT"
# The agent does not inherit them.
unset "${!HARNESS_ACTION_@}"
exec harness run "${options[@]}" < <(printf '%s' "$prompt")
