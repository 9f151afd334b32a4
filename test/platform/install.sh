#!/usr/bin/env bash
# Installs what the tests with a real Home Assistant need, once per machine: install.sh CACHE
# Exit code 77 means that this machine does not allow it; the last line says why.
set -euo pipefail

cache=${1:?folder for what is installed}
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/voice/install.sh" "$cache"
exec "$here/home-assistant/install.sh" "$cache"
