#!/usr/bin/env bash
# Installs a real Home Assistant once per machine: install.sh CACHE [VERSION]
# Exit code 77 means that this machine does not allow it; the last line says why.
#
# Home Assistant needs Python 3.14, which Debian has from `forky` on: so it lives in a root folder of that release. Nothing is
# ever mounted there, neither now nor when it runs: it works inside another root folder too, and leaves nothing behind.
set -euo pipefail

cache=${1:?folder for what is installed}
version=${2:-2026.11.0}
suite=forky
root=$cache/root-$suite
venv=/srv/venv-$version
# Integrations whose packages are installed. Another list is added to what is installed already.
domains="frontend api config history logger onboarding system_log mqtt conversation assist_pipeline camera ffmpeg tts hassio infrared radio_frequency generic stream wyoming"

not_here() { printf '%s\n' "$*"; exit 77; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# A fixed environment, so that no setting of this machine's Python reaches in; only the way to the network is kept.
inside() {
  local proxy=() name
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [ -z "${!name:-}" ] || proxy+=("$name=${!name}")
  done
  as_root chroot "$root" /usr/bin/env -i HOME=/srv PATH=/usr/bin:/bin LANG=C.UTF-8 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt PIP_CERT=/etc/ssl/certs/ca-certificates.crt "${proxy[@]}" "$@"
}

is_complete() { [ -e "$root$venv/.complete" ] && [ "$(cat "$root$venv/.domains" 2>/dev/null)" = "$domains" ]; }

! is_complete || exit 0
[ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; } ||
  not_here "installing Home Assistant needs root or passwordless sudo (chroot)"
PATH=$PATH:/usr/sbin:/sbin
command -v debootstrap >/dev/null || not_here "debootstrap is not installed"
as_root chroot / /bin/true 2>/dev/null || not_here "chroot is not allowed here"
mkdir -p "$cache"
exec 9>"$cache/install.lock"
flock 9
! is_complete || exit 0
[ "$(df --output=avail -BM "$cache" | tail -n 1 | tr -dc 0-9)" -gt 3000 ] || not_here "less than 3 GB free for Home Assistant in the test cache"

if [ ! -e "$root/.complete" ]; then
  ! grep -q " $root/" /proc/mounts || not_here "something is mounted under the test cache"
  as_root rm -rf --one-file-system "$root"
  # An older debootstrap does not know the release by name; it is built like unstable.
  as_root debootstrap --variant=minbase \
    --include=python3,python3-venv,python3-dev,g++,ca-certificates,libturbojpeg0,ffmpeg \
    "$suite" "$root" "" /usr/share/debootstrap/scripts/sid
  as_root touch "$root/.complete"
fi
# Name resolution and certificates as on this machine.
as_root cp -L /etc/resolv.conf "$root/etc/resolv.conf"
as_root cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"

if [ ! -e "$root$venv/.complete" ]; then
  inside /usr/bin/python3 -m venv "$venv"
  inside "$venv/bin/pip" install -q "homeassistant==$version"
fi
# What these integrations would otherwise fetch when they first start.
inside "$venv/bin/python3" - "$domains" <<'PY'
import json, pathlib, subprocess, sys
import homeassistant

base = pathlib.Path(homeassistant.__file__).parent
todo, seen, wanted = sys.argv[1].split(), set(), set()
wanted |= {"PyQRCode==1.2.1", "pyotp"}
while todo:
    domain = todo.pop()
    if domain in seen or not (base / "components" / domain / "manifest.json").exists():
        continue
    seen.add(domain)
    manifest = json.loads((base / "components" / domain / "manifest.json").read_text())
    wanted |= set(manifest.get("requirements", []))
    todo += manifest.get("dependencies", [])
subprocess.run([sys.executable, "-m", "pip", "install", "-q", "-c", base / "package_constraints.txt", *sorted(wanted)], check=True)
PY
# Test runs keep their data in here; it belongs to whoever runs the tests.
as_root mkdir -p "$root/srv/runs"
as_root chown -R "$(id -u):$(id -g)" "$root/srv"
printf '%s\n' "$domains" | as_root tee "$root$venv/.domains" >/dev/null
as_root touch "$root$venv/.complete"
echo "installed Home Assistant $version"
