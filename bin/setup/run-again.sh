# Runs the agent without a service manager, and restarts it when it asks for that. Sourced by bin/sconce.

# Restarts an agent that asked for it (75, another profile), that was killed because its start with a new profile hung
# (140), or that died of a fault in native code, once: the next start falls back by itself. Exits with the agent's own
# status.
run_again() { # command...
  local child='' stop='' status faults=0 signal
  pass() {
    stop=1
    [ -z "$child" ] || kill -s "$1" "$child" 2>/dev/null || true
  }
  # shellcheck disable=SC2064
  for signal in TERM INT HUP QUIT; do trap "pass $signal" "$signal"; done
  # The agent ends with this shell, however that ends.
  if command -v setpriv >/dev/null 2>&1; then set -- setpriv --pdeathsig TERM "$@"; fi
  # A separate job: Ctrl+C reaches it once, through this shell, and not twice.
  set -m
  while :; do
    "$@" <&0 &
    child=$!
    # A signal that came before its process id was known.
    [ -z "$stop" ] || kill -s TERM "$child" 2>/dev/null || true
    status=0
    wait "$child" || status=$?
    # A signal ends the wait, but not yet the agent.
    while kill -0 "$child" 2>/dev/null; do
      status=0
      wait "$child" || status=$?
    done
    child=
    [ -z "$stop" ] || exit "$status"
    case $status in
      75 | 140) faults=0 ;;
      132 | 134 | 135 | 136 | 139) faults=$((faults + 1)) ;;
      *) exit "$status" ;;
    esac
    [ "$faults" -le 1 ] || exit "$status"
  done
}
