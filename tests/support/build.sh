# shellcheck shell=bash
# Sourced by bench/run, tests/run and .ci/run: installs what is missing and builds a preset of CMakePresets.json in
# build/PRESET. Says what it does on standard error and prints nothing on standard output.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

say() { printf 'udpbench: %s\n' "$*" >&2; }

# Runs a command silently; shows what it printed if it fails.
quietly() {
  local output status=0
  output=$("$@" 2>&1 < /dev/null) || status=$?
  if ((status)); then printf '%s\n' "$output" >&2; fi
  return "$status"
}

# What stands before a command that needs root.
as_root=()
if [[ $(id -u) != 0 ]]; then as_root=(sudo); fi
can_be_root() { [[ ${#as_root[@]} == 0 ]] || command -v sudo > /dev/null; }

# Once in a run. A list that cannot be fetched is no reason to stop: an older one may do.
update_lists() {
  if [[ ${lists_updated-} ]] || ! can_be_root; then return; fi
  quietly "${as_root[@]}" apt-get update || say "going on with the package lists that are here"
  lists_updated=yes
}

# All that is needed, as packages of Debian and what descends from it. Debian 12 has two versions of Boost, of which the default is too
# old. UDPBENCH_BOOST=1.88 chooses one where there are several.
package_names() {
  local boost=${UDPBENCH_BOOST-} default
  if [[ ! $boost ]]; then
    default=$(apt-cache policy libboost-dev | awk '/Candidate:/ { print $2 }')
    if dpkg --compare-versions "${default/(none)/0}" lt 1.81; then boost=1.81; fi
  fi
  echo g++ cmake ninja-build "libboost$boost-dev" "libboost-thread$boost-dev" "libboost-json$boost-dev" libcli11-dev libssl-dev liburing-dev "$@"
}

# install PACKAGES...: installs those that are not there.
install() {
  local missing=() package removed
  for package in "$@"; do
    if [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null) != ii* ]]; then missing+=("$package"); fi
  done
  if ((${#missing[@]} == 0)); then return; fi
  update_lists

  local command=(apt-get install -y --no-install-recommends "${missing[@]}")
  if ! can_be_root; then
    say "packages are missing; as root, run: ${command[*]}"
    return 1
  fi
  # Debian lets only one version of Boost's headers be installed. Whether another may go is its owner's to say.
  removed=$(apt-get -s "${command[@]:1}" 2> /dev/null | awk '/^Remv/ { printf " %s", $2 }')
  if [[ $removed && ${CI-} != true ]]; then
    say "missing: ${missing[*]}"
    say "Installing them would remove:$removed"
    say "If that is all right, run this, and then the same again: ${as_root[*]:+sudo }${command[*]}"
    return 1
  fi
  say "installing ${missing[*]}${removed:+ (which removes$removed)} (a minute or two)"
  quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${command[@]}"
}

configured() {
  local build="$root/build/$1"
  [[ -e $build/build.ninja && $root/CMakePresets.json -ot $build/configured ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"
}

# --fresh: what an earlier attempt found, or a checkout that was moved since, must not count.
configure() {
  if ! command -v cmake; then echo "cmake is not installed"; return 1; fi
  (cd "$root" && cmake --fresh --preset "$1" && touch "build/$1/configured")
}

# prepare PRESET [PACKAGES...]: configures the preset and, only where that fails, installs what it needs (and PACKAGES).
prepare() {
  local preset=$1 log packages
  shift
  if configured "$preset"; then return; fi
  # Whoever names a version doesn't mean the one that happens to be there.
  if [[ ${UDPBENCH_BOOST-} ]]; then
    read -ra packages <<< "$(package_names "$@")"
    install "${packages[@]}"
  fi
  if log=$(configure "$preset" 2>&1); then return; fi
  if ! command -v apt-get > /dev/null; then
    printf '%s\n' "$log" >&2
    say "this needs CMake 3.25, Ninja, a C++20 compiler, Boost 1.81 with Thread and JSON, CLI11, OpenSSL 3.0${*:+, $*}; liburing for some receivers"
    return 1
  fi
  update_lists
  read -ra packages <<< "$(package_names "$@")"
  install "${packages[@]}"
  quietly configure "$preset"
}
