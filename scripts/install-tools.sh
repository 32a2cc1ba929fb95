#!/bin/sh
# Installs the missing programs for the tests with real agents (Debian, Ubuntu): `rg` and `fd` are the agents' search tools,
# `unshare` and `ip` keep them off the network, `jq` is a baseline of the benchmarks, and the fault tests use `ssh-agent`,
# `python3` and `pkill`. The tests of the queue start `redis-server`.
set -eu
missing=""
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need rg ripgrep
need fdfind fd-find
need unshare util-linux
need ip iproute2
need jq jq
need ssh-agent openssh-client
need python3 python3
need pkill procps
need redis-server redis-server
[ -z "$missing" ] && exit 0
if [ "$(id -u)" -eq 0 ]; then sudo=""; else sudo="sudo"; fi
$sudo apt-get update
# shellcheck disable=SC2086
$sudo apt-get install -y $missing
