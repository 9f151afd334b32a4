# Installs Debian packages, as root or with sudo. Sourced after agent.sh.

# On a Debian root folder some commands are in folders that an ordinary user's PATH lacks.
PATH=$PATH:/usr/sbin:/sbin

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# In a terminal sudo may ask for the password, once; without a terminal it must not wait for an answer.
may_be_root() {
  [ "$(id -u)" != 0 ] || return 0
  command -v sudo >/dev/null 2>&1 || return 1
  ! sudo -n true 2>/dev/null || return 0
  [ -t 0 ] && [ -t 2 ] || return 1
  say "something has to be installed with apt; sudo asks for your password"
  sudo -v
}

# RUNLEVEL=1: a program that is only needed as a command is not started as a daemon.
apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
    apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

# The lists on the disk may still do, so a failure is only reported.
lists_are_new=
apt_update() {
  [ -z "$lists_are_new" ] || return 0
  lists_are_new=1
  step "updating the package lists of apt" apt_get update || say "continuing with the old package lists of apt"
}

apt_install() { apt_get install --no-install-recommends "$@"; } # package...

# The one command that installs packages, for users who may not.
apt_command() { # package...
  local command="apt-get update && apt-get install -y --no-install-recommends $*"
  if command -v sudo >/dev/null 2>&1; then printf "sudo sh -c '%s'" "$command"; else printf "su -c '%s'" "$command"; fi
}
