# Finds or brings a Node.js that is new enough, and an npm, and puts them on PATH. Sourced after agent.sh and apt.sh.

# Fetched if Debian's own is too old: the long-term release that runs on Debian 12, from npm's packages
# "node-linux-ARCH", each checked by its digest (SHA-512, in hex what npm's "integrity" is in Base64).
own_node_version=22.23.3
own_node_sha512_x64=a879f3e6d16c1e88ff58cfae4443558d638d8b9855be6c2b82af00e15efa2a9b\
95340738fa3c0af31e20c1ba1b13d06d1cd83f00a476e7cdde628acb17f73b9e
own_node_sha512_arm64=9770c01d9adeca5a3ea7d4170edb0eae31b625726a5736179c01a621034e50d0\
1170ca694ced9c99ec1540ffb7ead8c99d213e773a4c36d816f9cde8883bd7b4
# Debian's package npm needs 370 others; its corepack, which comes with nodejs since Debian 13, needs one download.
own_npm_version=10.9.9
own_npm_sha512=d60fba8cb42f688b81e33c2f1cbef2ad7b977166700ec0ad057f1b6d60ea6ef2\
524abf673e20c35931cd8305d1dbb8887134d6eefdc0e7b8435bd458bf65b862

own_node=$root/.cache/node-$own_node_version
own_npm=$root/.cache/npm-$own_npm_version

# Node 20.19 is the floor of the toolchain (package.json, "engines"). Debian puts an epoch before the version.
version_fits() { # version
  local version=${1#v} major minor
  IFS=. read -r major minor _ <<<"${version#*:}"
  [[ $major =~ ^[0-9]+$ && $minor =~ ^[0-9]+ ]] || return 1
  minor=${BASH_REMATCH[0]}
  ((major > 20 || (major == 20 && minor >= 19)))
}

node_version() { node --version 2>/dev/null || true; }
node_fits() { version_fits "$(node_version)"; }
has() { command -v "$1" >/dev/null 2>&1; }

# Debian's Node.js, in case an older one precedes it on PATH.
debian_node=/usr/bin/node
use_debian_node() {
  [ -x "$debian_node" ] && version_fits "$("$debian_node" --version 2>/dev/null)" || return 1
  PATH=$(dirname "$debian_node"):$PATH
}
use_own_node() {
  [ -x "$own_node/bin/node" ] || return 1
  PATH=$own_node/bin:$PATH
  node_fits
}
use_own_npm() {
  [ -e "$own_npm/bin/npm" ] || return 1
  PATH=$own_npm/bin:$PATH
}

apt_candidate() { LC_ALL=C apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ { print $2 }'; } # package

install_for_node() { # words package...
  local words=$1
  shift
  has apt-get ||
    die "Node.js 20.19 or newer with npm is missing here, and without apt it cannot be installed automatically." \
      "Install it (https://nodejs.org/en/download) and run this again"
  may_be_root || die "not allowed to install Node.js. Run this, then try again: $(apt_command "$@")"
  apt_update
  step "$words" apt_install "$@" || die "Node.js could not be installed; is this machine online?"
  hash -r
}

# The processor that programs are built for here: a 32-bit system may run on a 64-bit kernel.
own_node_arch() {
  case $(dpkg --print-architecture 2>/dev/null || uname -m) in
    amd64 | x86_64) echo x64 ;;
    arm64 | aarch64) echo arm64 ;;
    *) return 1 ;;
  esac
}

# Unpacks members of an npm package into a folder if its digest matches; runs nothing of it.
unpack_package() { # package version digest folder [member...]
  local file=$1-$2.tgz digest=$3 folder=$4
  npm pack --ignore-scripts --loglevel=error "$1@$2" || return 1
  if [ "$(sha512sum <"$file" | cut -d ' ' -f 1)" != "$digest" ]; then
    echo "$1@$2 is not the expected package: its SHA-512 differs. It was not used."
    return 1
  fi
  mkdir -p "$folder" && tar -xzf "$file" --no-same-owner --strip-components=1 -C "$folder" "${@:5}" && rm "$file"
}

# In a subshell, which restores the working folder.
unpack_own_node() (
  local arch digest
  arch=$(own_node_arch) || { echo "There is no build of Node.js for this processor."; return 1; }
  digest=own_node_sha512_$arch
  cd "$own_node.new" &&
    unpack_package "node-linux-$arch" "$own_node_version" "${!digest}" . package/bin/node package/LICENSE &&
    unpack_package npm "$own_npm_version" "$own_npm_sha512" npm &&
    ln -s ../npm/bin/npm-cli.js bin/npm &&
    ln -s ../npm/bin/npx-cli.js bin/npx &&
    bin/node --version
)

fetch_own_node() {
  rm -rf "$own_node.new"
  mkdir -p "$own_node.new"
  if ! unpack_own_node; then
    rm -rf "$own_node.new"
    return 1
  fi
  rm -rf "$root"/.cache/node-[0-9]*[0-9] && mv "$own_node.new" "$own_node"
}

ensure_node() {
  ! node_fits || return 0
  ! use_debian_node || return 0
  ! use_own_node || return 0
  lock_setup
  # The process that held the lock may have done it.
  if ! node_fits && ! use_own_node; then
    # Before the lists are updated, the ones on the disk say what this release has.
    if has apt-get && version_fits "$(apt_candidate nodejs)"; then
      install_for_node "installing Node.js $(apt_candidate nodejs) with apt" nodejs
    else
      bring_newer_node
    fi
  fi
  unlock_setup
  node_fits || use_debian_node || die "Node.js is $(node_version) after the set-up, and 20.19 or newer is needed"
}

bring_newer_node() {
  if ! has node || ! has npm; then
    if has apt-get && may_be_root; then apt_update; fi
    if has apt-get && version_fits "$(apt_candidate nodejs)"; then
      install_for_node "installing Node.js $(apt_candidate nodejs) with apt" nodejs
      return
    fi
    install_for_node "installing Debian's Node.js and npm with apt, to fetch a newer one with them" nodejs npm
  fi
  step "fetching Node.js $own_node_version into .cache, beside the system's $(node_version)" fetch_own_node ||
    die "no newer Node.js could be fetched, for the reason above; is this machine online? Node.js 20.19 or newer is needed: https://nodejs.org/en/download"
  use_own_node || die "the Node.js that was fetched does not run here; install 20.19 or newer: https://nodejs.org/en/download"
}

fetch_own_npm() {
  rm -rf "$own_npm.new"
  mkdir -p "$own_npm.new/bin"
  COREPACK_HOME=$own_npm.new COREPACK_ENABLE_DOWNLOAD_PROMPT=0 \
    corepack "npm@$own_npm_version+sha512.$own_npm_sha512" --version &&
    ln -s "../npm/$own_npm_version/bin/npm-cli.js" "$own_npm.new/bin/npm" &&
    ln -s "../npm/$own_npm_version/bin/npx-cli.js" "$own_npm.new/bin/npx" &&
    "$own_npm.new/bin/npm" --version &&
    rm -rf "$root"/.cache/npm-[0-9]*[0-9] &&
    mv "$own_npm.new" "$own_npm"
}

# Only needed to install packages. The caller holds the lock of the set-up.
ensure_npm() {
  ! has npm || return 0
  ! use_own_npm || return 0
  if ! has corepack; then
    install_for_node "installing npm with apt" npm
    return
  fi
  step "fetching npm $own_npm_version into .cache" fetch_own_npm || die "npm could not be fetched; is this machine online?"
  use_own_npm
}
