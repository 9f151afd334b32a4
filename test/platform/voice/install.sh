#!/usr/bin/env bash
# Installs the recogniser of the voice tests once per machine: install.sh CACHE
# Exit code 77 means that this machine does not allow it; the last line says why.
#
# Its wheels have an English model. They are for the Python of Debian 12 and 13, not for the one that Home Assistant has in
# its root folder. The packages that it names are for its command line only.
set -euo pipefail

cache=${1:?folder for what is installed}
version=5.1.1
venv=$cache/pocketsphinx-$version

not_here() { printf '%s\n' "$*"; exit 77; }
# An update of the system's Python leaves an environment without one, or a package that does not fit.
works() { [ -e "$venv/.complete" ] && "$venv/bin/python3" -c 'import pocketsphinx' 2>/dev/null; }

! works || exit 0
mkdir -p "$cache"
exec 9>"$cache/pocketsphinx.lock"
if command -v flock >/dev/null; then flock 9; fi
! works || exit 0
command -v python3 >/dev/null || not_here "python3 is not installed"
rm -rf "$venv"
python3 -m venv "$venv" >&2 || not_here "python3 cannot make a virtual environment (Debian: python3-venv)"
PIP_DISABLE_PIP_VERSION_CHECK=1 "$venv/bin/pip" install -q --no-deps "pocketsphinx==$version" >&2 ||
  not_here "pocketsphinx $version could not be fetched"
works_now() { "$venv/bin/python3" -c 'import pocketsphinx'; }
works_now >&2 || not_here "pocketsphinx $version does not start"
touch "$venv/.complete"
