#!/bin/sh
# Installs the programs that the tests with real agents use, as far as they are missing (Debian, Ubuntu): `rg` and `fd` are
# the agents' search tools, `unshare` and `ip` keep them off the network, `jq` is a yardstick of the benchmarks, and `ssh-agent`,
# `python3` and `pkill` play parts in the tests of faults.
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
[ -z "$missing" ] && exit 0
if [ "$(id -u)" -eq 0 ]; then sudo=""; else sudo="sudo"; fi
$sudo apt-get update
# shellcheck disable=SC2086
$sudo apt-get install -y $missing
