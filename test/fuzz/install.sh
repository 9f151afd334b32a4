#!/usr/bin/env bash
# Installs schemathesis once per machine and version: install.sh CACHE
# The last line of what it prints is the program; with exit code 77 it says why this machine cannot have it.
set -euo pipefail

cache=${1:?folder for what is installed}
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
edition=$(sha256sum <"$here/requirements.txt" | cut -c1-12)
venv=$cache/schemathesis-$edition

not_here() { printf '%s\n' "$*"; exit 77; }

mkdir -p "$cache"
exec 9>"$cache/schemathesis.lock"
if command -v flock >/dev/null; then flock 9; fi
# An update of the system's Python leaves an environment without one.
if [ ! -e "$venv/.complete" ] || ! "$venv/bin/python3" -c '' 2>/dev/null; then
  command -v python3 >/dev/null || not_here "python3 is not installed"
  rm -rf "$venv"
  python3 -m venv "$venv" >&2 || not_here "python3 cannot make a virtual environment (Debian: python3-venv)"
  PIP_DISABLE_PIP_VERSION_CHECK=1 "$venv/bin/pip" install -q -r "$here/requirements.txt" >&2 ||
    not_here "schemathesis could not be fetched"
  touch "$venv/.complete"
fi
printf '%s\n' "$venv/bin/schemathesis"
