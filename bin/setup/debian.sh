# Debian packages for the tests: installed only where missing, and only with root or passwordless sudo.
# Sourced by bin/test after agent.sh.

# On a Debian root folder some of these commands live where an ordinary user's PATH does not look.
PATH=$PATH:/usr/sbin:/sbin

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
may_be_root() { [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; }; }

# What is no command is named by its path, in which * may stand.
is_there() { case $1 in /*) compgen -G "$1" >/dev/null ;; *) command -v "$1" >/dev/null 2>&1 ;; esac; }

missing_packages() {
  local name package
  while read -r name package; do
    case $name in '' | '#'*) continue ;; esac
    is_there "$name" || printf '%s\n' "$package"
  done <"$root/bin/setup/test-packages"
  # A browser without one font draws nothing that can be looked at.
  [ -n "$(find /usr/share/fonts "$HOME/.fonts" -name '*.[ot]tf' -print -quit 2>/dev/null)" ] || printf 'fonts-dejavu-core\n'
}

ensure_debian_packages() {
  local wanted
  mapfile -t wanted < <(missing_packages)
  [ ${#wanted[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null 2>&1 || ! may_be_root; then
    say "not installed, and not allowed to install: ${wanted[*]}; tests that need them are skipped"
    return 0
  fi
  say "installing Debian packages: ${wanted[*]}"
  # RUNLEVEL=1: a broker that is only wanted as a program is not started as a daemon.
  local apt=(env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  as_root "${apt[@]}" update >&2 </dev/null || say "apt-get update failed; trying with the lists there are"
  if ! as_root "${apt[@]}" install --no-install-recommends "${wanted[@]}" >&2 </dev/null; then
    # One package that this release lacks must not cost all others.
    local package
    for package in "${wanted[@]}"; do
      as_root "${apt[@]}" install --no-install-recommends "$package" >&2 </dev/null || say "could not install $package"
    done
  fi
  hash -r
}
