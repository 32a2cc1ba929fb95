#!/usr/bin/env bash
# The first step of action.yml: installs harness, unless it is there, and the agent, if the job says how.
set -euo pipefail

version="$HARNESS_ACTION_VERSION"
if [[ -n "$version" ]]; then
  case "$version" in
    *.tgz) package="$version" ;;
    *) package="harness-stream@$version" ;;
  esac
  echo "::group::Install harness"
  npm install --global -- "$package"
  echo "::endgroup::"
elif [[ -z "$(command -v harness || true)" ]]; then
  # The runner has checked out this action, so what is built is the version that the workflow names.
  echo "::group::Build and install harness"
  (cd -- "$GITHUB_ACTION_PATH" && npm ci && npm install --global .)
  echo "::endgroup::"
fi

if [[ -n "$HARNESS_ACTION_INSTALL" ]]; then
  echo "::group::Install the agent"
  bash -euo pipefail -c "$HARNESS_ACTION_INSTALL"
  echo "::endgroup::"
fi
