import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A machine made of a folder: tools that keep their state in files and print what the real ones print, sockets,
 * connectors.
 */
export interface FakeMachine {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly drm: string;
  readonly x11: string;
  /** Puts a tool on the PATH; `$state` in its body is the folder of state files. */
  readonly tool: (name: string, body: string) => void;
  readonly get: (name: string) => string;
  readonly set: (name: string, value: string | number) => void;
  readonly connect: (connector: string, status?: 'connected' | 'disconnected') => void;
  /** Opens a socket of a session: `wayland-0` or `X0`. */
  readonly session: (name: string) => Promise<void>;
  readonly end: () => void;
}

/** Makes an empty machine. */
export function fakeMachine(): FakeMachine {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-displays-'));
  const place = (...parts: readonly string[]): string => join(folder, ...parts);
  for (const name of ['bin', 'state', 'run', 'x11', 'drm']) mkdirSync(place(name));
  const servers: { close: () => void }[] = [];
  return {
    folder,
    // Only the shell's own tools beside the fakes.
    env: { PATH: `${place('bin')}:/usr/bin:/bin`, XDG_RUNTIME_DIR: place('run') },
    drm: place('drm'),
    x11: place('x11'),
    tool: (name, body) => {
      writeFileSync(place('bin', name), `#!/bin/sh\nstate=${place('state')}\n${body}\n`);
      chmodSync(place('bin', name), 0o755);
    },
    get: (name) => readFileSync(place('state', name), 'utf8').trim(),
    set: (name, value) => writeFileSync(place('state', name), `${value}\n`),
    connect: (connector, status = 'connected') => {
      mkdirSync(place('drm', `card0-${connector}`), { recursive: true });
      writeFileSync(place('drm', `card0-${connector}`, 'status'), `${status}\n`);
    },
    session: (name) =>
      new Promise((resolve) => {
        const server = createServer().listen(place(name.startsWith('X') ? 'x11' : 'run', name), resolve);
        servers.push(server);
      }),
    end: () => {
      for (const server of servers) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `wlopm` over one state file per output. */
export const wlopm = `
case "$1" in
  --on) echo on >"$state/power-$2" ;;
  --off) echo off >"$state/power-$2" ;;
  *) for file in "$state"/power-*; do echo "\${file##*/power-} $(cat "$file")"; done ;;
esac`;

/** `kscreen-doctor` of Plasma 6 over the same files. */
export const kscreen = `
[ "$1" = --dpms ] || exit 1
case "$2" in
  show) for file in "$state"/power-*; do echo "dpms mode for screen \${file##*/power-}: $(cat "$file")"; done ;;
  *) for file in "$state"/power-*; do case " $* " in *" --dpms-excluded \${file##*/power-} "*) ;; *) echo "$2" >"$file" ;; esac; done ;;
esac`;

/** `xset` of an X server with the DPMS extension. */
export const xset = `
if [ "$1" = q ]; then
  printf 'Keyboard Control:\\n  auto repeat:  on\\nDPMS (Energy Star):\\n  Standby: 0    Suspend: 0    Off: 0\\n  DPMS is Enabled\\n'
  if [ "$(cat "$state/power-X")" = on ]; then echo '  Monitor is On'; else echo '  Monitor is Off'; fi
elif [ "$2" = force ]; then echo "$3" >"$state/power-X"; fi`;

/** `xrandr` with one output and a picture that can be dimmed. */
export const xrandr = `
if [ "$1" = --verbose ]; then
  printf 'Screen 0: minimum 8 x 8, current 800 x 480\\nHDMI-1 connected primary 800x480+0+0 (0x5e) normal (normal) 0mm x 0mm\\n\\tIdentifier: 0x4e\\n\\tGamma:      1.0:1.0:1.0\\n\\tBrightness: %s\\nDP-1 disconnected (normal)\\n' "$(cat "$state/picture")"
else echo "$4" >"$state/picture"; fi`;

/** `ddcutil` 1.4 with one monitor on bus 4 whose brightness goes to 80. */
export const ddcutil = `
echo "$*" >>"$state/calls"
case "$*" in
  'detect --brief') printf 'Display 1\\n   I2C bus:  /dev/i2c-4\\n   DRM connector:           card0-HDMI-A-1\\n   Monitor:             ACM:Wall 10:0001\\n\\nInvalid display\\n   I2C bus:  /dev/i2c-5\\n' ;;
  *getvcp*10) if [ "$(cat "$state/ddc-power")" = 1 ]; then echo "VCP 10 C $(cat "$state/ddc-level") 80"; else echo 'VCP 10 ERR'; exit 1; fi ;;
  *getvcp*D6) echo "VCP D6 SNC x0$(cat "$state/ddc-power")" ;;
  *setvcp*10*) for last; do :; done; echo "$last" >"$state/ddc-level" ;;
  *setvcp*D6*) for last; do :; done; echo "$last" >"$state/ddc-power" ;;
esac`;
