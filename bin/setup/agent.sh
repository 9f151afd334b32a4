# Brings what the agent needs before it starts: its packages and one built bundle. node.sh brings Node.js and npm.
# Sourced by bin/sconce, bin/test and .ci/run; all functions print to stderr only and take the project folder from
# $root.

say() { printf 'sconce: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

log=$root/.cache/setup.log

make_cache() {
  mkdir -p "$root/.cache" 2>/dev/null && [ -w "$root/.cache" ] ||
    die "$root is not writable, and something there has to be set up first"
}

# Runs one step of the set-up with one line of progress. Its output goes to the log; the end of it is shown on failure.
log_begun=
step() { # words command...
  local words=$1 began=$SECONDS status=0 from
  shift
  make_cache
  [ -n "$log_begun" ] || : >"$log"
  log_begun=1
  from=$(wc -c <"$log")
  printf 'sconce: %s ...' "$words" >&2
  # Only this shell holds the lock: a process that a package starts must not.
  "$@" >>"$log" 2>&1 </dev/null 8>&- || status=$?
  if [ "$status" = 0 ]; then
    printf ' %s s\n' "$((SECONDS - began))" >&2
    return
  fi
  printf ' failed\n' >&2
  # Without the frames of a stack, which would bury the reason.
  tail -c "+$((from + 1))" "$log" | sed '/^ *at /d; s/^/    /' | tail -n 8 >&2
  say "its full output is in $log"
  return "$status"
}

# One set-up at a time: two starts in one folder would otherwise undo each other's packages.
lock_setup() {
  make_cache
  if command -v flock >/dev/null 2>&1; then
    exec 8>"$root/.cache/setup.lock"
    flock 8
  fi
}
unlock_setup() {
  give_back
  exec 8>&-
}

# What root sets up in a user's folder (sudo bin/sconce install) stays that user's, so that they can set it up again.
give_back() {
  local made
  [ "$(id -u)" = 0 ] || return 0
  for made in .cache node_modules dist; do
    [ ! -e "$root/$made" ] || chown -Rh --reference="$root" "$root/$made"
  done
}

lock_hash() { sha256sum <"$root/package-lock.json" | cut -c1-64; }

# Which packages are installed: "<hash of the lock file> prod|all", or nothing.
installed() { cat "$root/node_modules/.sconce-setup" 2>/dev/null || true; }

# A folder filled by hand (npm ci) counts if it is not older than the lock file.
adopt_packages() {
  local modules=$root/node_modules kind=prod
  [ -z "$(installed)" ] && [ -e "$modules/.package-lock.json" ] || return 0
  [ ! "$root/package-lock.json" -nt "$modules/.package-lock.json" ] || return 0
  [ ! -d "$modules/vitest" ] || kind=all
  printf '%s %s\n' "$(lock_hash)" "$kind" 2>/dev/null >"$modules/.sconce-setup" || true
}

packages_fit() { # prod|all
  local now
  now=$(installed)
  [ "$now" = "$hash all" ] || { [ "$1" = prod ] && [ "$now" = "$hash prod" ]; }
}

# Without the packages' own scripts, which would run as root in "sudo bin/sconce install". The two that have some,
# esbuild and koffi, ship the build for this processor as separate packages.
install_packages() { (cd "$root" && npm ci "$@" --ignore-scripts --no-audit --no-fund --loglevel=error); }

# A full installation stays full, even if the lock file has changed since.
ensure_packages() { # prod|all
  local kind=$1 hash
  hash=$(lock_hash)
  packages_fit "$kind" && return
  lock_setup
  adopt_packages
  if ! packages_fit "$kind"; then
    ensure_npm
    # npm writes this file last: without it, an interrupted installation does not say which kind it was.
    if [ -d "$root/node_modules/vitest" ] && [ -e "$root/node_modules/.package-lock.json" ]; then kind=all; fi
    local omit=()
    [ "$kind" = all ] || omit=(--omit=dev)
    step "installing packages with npm" install_packages "${omit[@]}" ||
      die "the packages could not be installed; is this machine online?"
    printf '%s %s\n' "$hash" "$kind" >"$root/node_modules/.sconce-setup"
  fi
  unlock_setup
}

bundle=dist/sconce.cjs
bundle_is_fresh() {
  [ -e "$root/$bundle" ] || return 1
  # Folders count too: a removed file changes only its folder.
  local sources=()
  for room in actors bin drivers machines profiles routes ui LICENSE package-lock.json package.json tsconfig.json; do
    [ ! -e "$root/$room" ] || sources+=("$root/$room")
  done
  [ -z "$(find "${sources[@]}" -newer "$root/$bundle" -print -quit)" ]
}

ensure_bundle() {
  bundle_is_fresh && return
  lock_setup
  if ! bundle_is_fresh; then
    step "building" node "$root/bin/build.mjs" || die "the build failed"
    touch "$root/$bundle"
  fi
  unlock_setup
}
