#!/usr/bin/env bash
# Makes the root folder of a small Debian that an installation is tried in, once per machine: prepare.sh CACHE
# Exit code 77 means that this machine does not allow it; the last line says why.
set -euo pipefail

cache=${1:?folder for what is installed}
suite=trixie
# Counted up when the list of packages below changes.
edition=2
root=$cache/install-$suite

not_here() { printf '%s\n' "$*"; exit 77; }

[ "$(id -u)" = 0 ] || not_here "a machine of its own (systemd-nspawn) needs root"
PATH=$PATH:/usr/sbin:/sbin
for tool in debootstrap systemd-nspawn unshare nsenter; do command -v "$tool" >/dev/null || not_here "$tool is not installed"; done
unshare --mount --propagation private true 2>/dev/null || not_here "mounts of its own are not allowed here"
# The sandbox of the panel's browser is made of these; below a chroot the kernel refuses them.
unshare --user true 2>/dev/null || not_here "user namespaces, which the panel's browser needs, are not allowed here"
mkdir -p "$cache"
exec 9>"$cache/install-$suite.lock"
flock 9

# The network's names and certificates as here, while something is fetched.
inside() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} "$@" </dev/null; }

if [ "$(cat "$root.edition" 2>/dev/null)" != "$edition" ]; then
  [ "$(df --output=avail -BM "$cache" | tail -n 1 | tr -dc 0-9)" -gt 3000 ] || not_here "less than 3 GB free in the test cache"
  ! grep -q " $root/" /proc/mounts || not_here "something is mounted under the test cache"
  rm -rf --one-file-system "$root"
  # An older debootstrap does not know the release by name; it is built like unstable.
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,libpam-systemd,polkitd,udev,nodejs,ca-certificates \
    "$suite" "$root" "" /usr/share/debootstrap/scripts/sid >&2
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  inside apt-get -q -y install --no-install-recommends chromium labwc mpv fonts-dejavu-core >&2
  inside apt-get -q clean >&2
  # The installation itself adds these, from what lies ready, for the machine has no network.
  inside apt-get -q -y install --no-install-recommends --download-only wlopm alsa-utils ffmpeg >&2
  printf '%s\n' "$edition" >"$root.edition"
fi

# Whether a machine starts and ends at all; it writes nothing that stays.
if ! last=$(timeout --kill-after=5 60 systemd-nspawn -q -D "$root" --volatile=overlay --register=no $([ -d /run/systemd/system ] || echo --keep-unit) \
  --private-network --boot systemd.unit=poweroff.target </dev/null 2>&1 | tail -n 1; exit "${PIPESTATUS[0]}"); then
  not_here "systemd does not start in a container here: $(printf '%s' "$last" | tr -dc '[:print:]' | cut -c1-200)"
fi
