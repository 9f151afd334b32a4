#!/usr/bin/env bash
# Installs what the tests of Home Assistant's integration need, once per machine: install.sh CACHE [oldest]
# With `oldest`, that is the oldest Home Assistant that the integration supports, a type checker, and, where it can be
# fetched, Home Assistant's own check of integrations.
# The last line is the environment, as a path inside the root folder of the tests with a real Home Assistant, whose
# Python 3.14 is used. Exit code 77 means that this machine does not allow it; the last line says why.
set -euo pipefail

cache=${1:?folder for what is installed}
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$cache/root-forky
requirements=requirements${2:+-$2}.txt
edition=$(sha256sum <"$here/$requirements" | cut -c1-12)
venv=/srv/venv-companion-$edition
# Its check is in no package: it comes from the repository, as of the version that the other tests use.
hassfest=/srv/hassfest-2026.10.4

not_here() { printf '%s\n' "$*"; exit 77; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# As there: a fixed environment, in which only the way to the network is kept.
inside() {
  local proxy=() name
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [ -z "${!name:-}" ] || proxy+=("$name=${!name}")
  done
  as_root chroot "$root" /usr/bin/env -i HOME=/srv PATH=/usr/bin:/bin LANG=C.UTF-8 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt PIP_CERT=/etc/ssl/certs/ca-certificates.crt "${proxy[@]}" "$@"
}

if [ ! -e "$root$venv/.complete" ]; then
  # It knows what this machine lacks, and makes the root folder.
  "$here/../platform/home-assistant/install.sh" "$cache"
  PATH=$PATH:/usr/sbin:/sbin
  exec 9>"$cache/companion.lock"
  flock 9
fi
if [ ! -e "$root$venv/.complete" ]; then
  as_root rm -rf "$root$venv"
  inside /usr/bin/python3 -m venv "$venv" >&2 || not_here "Python in the test cache cannot make an environment"
  as_root cp "$here/$requirements" "$root$venv/requirements.txt"
  inside "$venv/bin/pip" install -q -r "$venv/requirements.txt" >&2 ||
    not_here "Home Assistant's test fixtures could not be fetched"
  # Compiled once, since tests write nothing there.
  inside "$venv/bin/python3" -m compileall -q "$venv/lib" >&2 || true
  as_root chown -R "$(id -u):$(id -g)" "$root$venv"
  touch "$root$venv/.complete"
fi
if [ "${2:-}" = oldest ] && [ ! -e "$root$hassfest/script/hassfest" ]; then
  fresh=$(mktemp -d)
  trap 'rm -rf "$fresh"' EXIT
  if GIT_TERMINAL_PROMPT=0 timeout 300 git clone -q --depth 1 --filter=blob:none --sparse \
    --branch "${hassfest#*-}" https://github.com/home-assistant/core "$fresh/core" >&2 &&
    git -C "$fresh/core" sparse-checkout set script >&2; then
    as_root cp -r "$fresh/core" "$root$hassfest"
  fi
fi
printf '%s\n' "$venv"
