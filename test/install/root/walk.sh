#!/usr/bin/env bash
# A newcomer's walk: types the commands of the README, one line at a time, as an ordinary user of a fresh Debian, until
# the panel's page answers, and prints how long each line took; with "try" those of bin/run in place of the installation:
#   walk.sh CACHE [trixie|bookworm] [install|try]
# It needs root, the internet and a free port 8888. Exit code 77 means that this machine does not allow it; the last
# line says why.
set -euo pipefail

cache=${1:?folder for what is installed}
suite=${2:-trixie}
way=${3:-install}
project=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
base=$cache/fresh-$suite
port=8888
PATH=$PATH:/usr/sbin:/sbin

not_here() { printf '%s\n' "$*"; exit 77; }
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }

[ "$(id -u)" = 0 ] || not_here "a machine of its own (systemd-nspawn) needs root"
for tool in debootstrap systemd-nspawn nsenter git; do command -v "$tool" >/dev/null || not_here "$tool is not installed"; done
git -C "$project" rev-parse HEAD >/dev/null 2>&1 || not_here "the project is no clone of git here"
! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || not_here "port $port is taken"
[ "$(df --output=avail -BM "$cache" | tail -n 1 | tr -dc 0-9)" -gt 6000 ] || not_here "less than 6 GB free in the test cache"

# What Raspberry Pi OS and a Debian of the netinst image have anyway: systemd and sudo, neither git nor Node.js.
if [ ! -e "$base.done" ]; then
  ! grep -q " $base/" /proc/mounts || not_here "something is mounted under the test cache"
  rm -rf --one-file-system "$base"
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,udev,libpam-systemd,sudo "$suite" "$base" \
    "" "$([ -e "/usr/share/debootstrap/scripts/$suite" ] || echo /usr/share/debootstrap/scripts/sid)" >&2
  touch "$base.done"
fi

root=$(mktemp -d "$cache/walk-XXXXXX")
container=
cleanup() {
  [ -z "$container" ] || { kill -KILL "$leader" 2>/dev/null; wait "$container" 2>/dev/null; } || true
  ! grep -q " $root/" /proc/mounts || return 0
  rm -rf --one-file-system "$root" "$root.log" "$root.out"
}
leader=
trap cleanup EXIT
cp -a "$base/." "$root/"
rm -f "$root/etc/resolv.conf"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
printf '127.0.0.1 localhost newcomer %s\n' "$(uname -n)" >"$root/etc/hosts"
chroot "$root" useradd --create-home --shell /bin/bash --groups sudo pat
printf 'pat ALL=(ALL) NOPASSWD: ALL\n' >"$root/etc/sudoers.d/pat"
# The certificates of the network that this machine is in, if it has some of its own.
if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
  mkdir -p "$root/usr/local/share/ca-certificates"
  cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/"
  # Without the package yet, its installation takes them up.
  chroot "$root" sh -c '! command -v update-ca-certificates || update-ca-certificates' >/dev/null 2>&1
  printf 'export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt\n' >"$root/etc/profile.d/certificates.sh"
  printf 'Defaults env_keep += "NODE_EXTRA_CA_CERTS"\n' >>"$root/etc/sudoers.d/pat"
fi
git clone --quiet --bare "$project" "$root/srv/repository.git"
chmod -R a+rX "$root/srv/repository.git"
printf '[safe]\n\tdirectory = *\n' >"$root/etc/gitconfig"

began=$SECONDS
systemd-nspawn -q -D "$root" --register=no $([ -d /run/systemd/system ] || echo --keep-unit) --console=pipe \
  --machine=newcomer --boot >"$root.log" 2>&1 </dev/null &
container=$!
until [ -n "$leader" ]; do
  kill -0 "$container" 2>/dev/null || { tail -n 3 "$root.log"; fail "systemd does not start in a container here"; }
  for child in $(cat "/proc/$container/task/$container/children" 2>/dev/null); do
    ! grep -qP '^NSpid:.*\t1$' "/proc/$child/status" 2>/dev/null || [ "$(cat "/proc/$child/comm")" != systemd ] || leader=$child
  done
  sleep 0.2
done
as_pat() { nsenter -t "$leader" -m -u -i -p -- /usr/sbin/runuser -l pat -c "$1"; }
until [ "$(nsenter -t "$leader" -m -u -i -p -- systemctl is-system-running 2>/dev/null)" != starting ]; do sleep 0.5; done
size() { du -sxm "$root" --exclude="$root/srv" | cut -f 1; }
printf 'Debian %s, booted in %s s, %s MB\n' "$suite" "$((SECONDS - began))" "$(size)"

# The commands of the one path, without what is a comment.
path() {
  awk '
    /^## / { inside = ($0 == "## A panel in ten minutes") }
    /^```/ { code = inside && $0 == "```sh"; next }
    code { sub(/ +# .*/, ""); if ($0 != "") print }
  ' "$project/README.md"
}
commands() {
  case $way in
    install) path ;;
    try) path | head -n 2; grep -q 'then `cd sconce` and `bin/run`' "$project/README.md" && printf 'cd sconce\nbin/run\n' ;;
  esac
}
[ "$(commands | wc -l)" -gt 2 ] || fail "the README does not have the commands to $way it"

# What a person answers at each question: the address of the repository, and yes.
answer() { case $1 in *read\ *) echo /srv/repository.git ;; *) echo y ;; esac; }

total=$SECONDS
as_pat ': >.folder; : >.line'
while IFS= read -r line <&4; do
  # Where the README has the address, the walk clones from here.
  line=$(sed -E 's#git clone https?://[^ ]+#git clone /srv/repository.git#' <<<"$line")
  began=$SECONDS
  printf '$ %s\n' "$line"
  case $line in
    bin/run)
      as_pat "cd \"\$(cat ~/.folder)\" && setsid $line >~/run.log 2>&1 </dev/null &"
      ;;
    *)
      printf '%s\n' "cd \"\$(cat ~/.folder)\"" "$line" 'status=$?; pwd >~/.folder; exit $status' >"$root/home/pat/.line"
      answer "$line" | as_pat "script -qec 'bash ~/.line' /dev/null" >"$root.out" 2>&1 || {
        tail -n 40 "$root.out"
        fail "$line"
      }
      ;;
  esac
  printf '  %s s\n' "$((SECONDS - began))"
done 4< <(commands)

began=$SECONDS
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port" && printf 'GET / HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$port" >&3 && cat <&3) 2>/dev/null; }
until grep -q '^HTTP/1.[01] [23]' <<<"$(answers)"; do
  [ "$((SECONDS - began))" -lt 600 ] || fail "no page on port $port; $(tail -n 5 "$root/home/pat/run.log" 2>/dev/null)"
  sleep 0.5
done
printf 'from the first line to the page: %s s\n' "$((SECONDS - total))"
part() { du -scm "$@" 2>/dev/null | tail -n 1 | cut -f 1; }
printf 'now %s MB, of these %s MB packages that apt keeps a copy of, %s MB lists of packages, %s MB the clone, %s MB npm, %s MB the program\n' \
  "$(size)" "$(part "$root/var/cache/apt")" "$(part "$root/var/lib/apt/lists")" "$(part "$root/home/pat/sconce")" \
  "$(part "$root/root/.npm" "$root/home/pat/.npm")" "$(part "$root/usr/local/lib/sconce")"

printf '$ sconce/bin/sconce doctor\n'
doctor=$(as_pat 'sconce/bin/sconce doctor') || printf '  (status %s)\n' "$?"
printf '%s\n' "$doctor"
grep -q "$port" <<<"$doctor" || fail "doctor did not find the panel"
