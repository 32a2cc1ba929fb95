#!/bin/sh
# Installs the browser for the tests of the page, if it is missing (Debian, Ubuntu).
set -eu
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ "$(id -u)" -eq 0 ]; then sudo=""; else sudo="sudo"; fi
$sudo apt-get update
$sudo apt-get install -y chromium
