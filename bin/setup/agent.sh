# What the agent needs before it starts: a Node that is new enough, its packages and one built bundle.
# Sourced by bin/sconce and bin/test; all functions print to stderr only and take the project folder from $root.

say() { printf 'sconce: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# Node 20.19 is the floor of the toolchain (package.json, "engines").
require_node() {
  command -v node >/dev/null 2>&1 ||
    die "Node.js is missing. Install it: sudo apt-get install nodejs npm   (Debian 13 or newer brings the right version)"
  local version major minor
  version=$(node --version)
  IFS=. read -r major minor _ <<<"${version#v}"
  if ((major < 20 || (major == 20 && minor < 19))); then
    die "Node.js ${version#v} is too old: 20.19 or newer is needed. Debian 13 brings it; see also https://nodejs.org/en/download"
  fi
}

# One set-up at a time: two starts in one folder would otherwise undo each other's packages.
lock_setup() {
  mkdir -p "$root/.cache" 2>/dev/null && [ -w "$root/.cache" ] || die "$root is not writable, and something there has to be set up first"
  if command -v flock >/dev/null 2>&1; then
    exec 8>"$root/.cache/setup.lock"
    flock 8
  fi
}
unlock_setup() { exec 8>&-; }

lock_hash() { sha256sum <"$root/package-lock.json" | cut -c1-64; }

# Which packages are installed: "<hash of the lock file> prod|all", or nothing.
installed() { cat "$root/node_modules/.sconce-setup" 2>/dev/null || true; }

# A folder filled by hand (npm ci) counts when it is not older than the lock file.
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

# A full installation stays a full one, also when the lock file has changed under it.
ensure_packages() { # prod|all
  local kind=$1 hash
  hash=$(lock_hash)
  packages_fit "$kind" && return
  lock_setup
  adopt_packages
  if ! packages_fit "$kind"; then
    command -v npm >/dev/null 2>&1 || die "npm is missing. Install it: sudo apt-get install npm"
    if [ -d "$root/node_modules/vitest" ]; then kind=all; fi
    local omit=()
    [ "$kind" = all ] || omit=(--omit=dev)
    say "installing packages (once) ..."
    (cd "$root" && npm ci "${omit[@]}" --no-audit --no-fund --loglevel=error >&2) || die "npm ci failed; its messages are above"
    printf '%s %s\n' "$hash" "$kind" >"$root/node_modules/.sconce-setup"
  fi
  unlock_setup
}

bundle=dist/sconce.cjs
bundle_is_fresh() {
  [ -e "$root/$bundle" ] || return 1
  # Folders count too: a file that was taken away changes only its folder.
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
    say "building ..."
    node "$root/bin/build.mjs" >&2 || die "the build failed; its messages are above"
    touch "$root/$bundle"
  fi
  unlock_setup
}
