# Debian packages for the tests: installed only where missing, and only with root or sudo.
# Sourced by bin/test after agent.sh and apt.sh.

# Anything but a command is named by its path, which may contain *.
is_there() { case $1 in /*) compgen -G "$1" >/dev/null ;; *) command -v "$1" >/dev/null 2>&1 ;; esac; }

missing_packages() {
  local name package
  while read -r name package; do
    case $name in '' | '#'*) continue ;; esac
    is_there "$name" || printf '%s\n' "$package"
  done <"$root/bin/setup/test-packages"
  # Without a font a browser draws nothing that can be checked.
  [ -n "$(find /usr/share/fonts "${HOME:-/root}/.fonts" -name '*.[ot]tf' -print -quit 2>/dev/null)" ] || printf 'fonts-dejavu-core\n'
}

ensure_debian_packages() {
  local wanted
  mapfile -t wanted < <(missing_packages)
  [ ${#wanted[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null 2>&1 || ! may_be_root; then
    say "not installed, and not allowed to install: ${wanted[*]}; tests that need them are skipped"
    return 0
  fi
  apt_update
  if ! step "installing ${#wanted[@]} Debian packages for the tests with apt" apt_install "${wanted[@]}"; then
    # One package that this release lacks must not block all others.
    local package
    for package in "${wanted[@]}"; do
      step "installing $package" apt_install "$package" || true
    done
  fi
  hash -r
}
