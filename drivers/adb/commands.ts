import type { AdbCommand, AdbKey } from '#machines/adb/events.ts';
import { clamp } from '#machines/kit/units.ts';

/** Key codes of Android's KeyEvent. */
const keyCodes: Readonly<Record<AdbKey, number>> = {
  home: 3,
  back: 4,
  recents: 187,
  volume_up: 24,
  volume_down: 25,
  sleep: 223,
  wakeup: 224,
};

/** How a command reaches the device: the service of its debugging daemon, and whether the answer is binary. */
export interface AdbService {
  readonly service: string;
  readonly binary: boolean;
}

/** Quotes a word so that the device's shell takes it literally; single quotes inside it are escaped. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function shell(...lines: readonly (readonly (string | number)[])[]): AdbService {
  const commands = lines.map((words) => words.map((word) => quoted(String(word))).join(' '));
  // Before Android 7 an answer carries no exit status, so the shell prints it at the end of the text.
  return { service: `shell:${commands.join(' && ')}; echo "exit=$?"`, binary: false };
}

const whole = (value: number, low: number, high: number): number =>
  Number.isFinite(value) ? Math.round(clamp(value, low, high)) : low;

/** Largest coordinate of a tap; wider than any panel. */
const MOST_PIXELS = 16_383;

/** Returns the service for a command of the closed list: fixed words and bounded numbers, nothing else. */
export function serviceOf(command: AdbCommand): AdbService {
  switch (command.do) {
    case 'key':
      return shell(['input', 'keyevent', keyCodes[command.key]]);
    case 'tap':
      return shell(['input', 'tap', whole(command.x, 0, MOST_PIXELS), whole(command.y, 0, MOST_PIXELS)]);
    case 'screenshot':
      return { service: 'exec:screencap -p', binary: true };
    case 'read-screen':
      return shell(['dumpsys', 'power']);
    case 'read-lock':
      return shell(['locksettings', 'verify']);
    case 'read-brightness':
      return shell(['settings', 'get', 'system', 'screen_brightness']);
    case 'set-brightness':
      return shell(
        ['settings', 'put', 'system', 'screen_brightness_mode', 0],
        ['settings', 'put', 'system', 'screen_brightness', whole(command.level, 1, 255)],
      );
    case 'read-volume':
      return shell(['cmd', 'media_session', 'volume', '--stream', 3, '--get']);
    case 'set-volume':
      return shell(['cmd', 'media_session', 'volume', '--stream', 3, '--set', whole(command.step, 0, 100)]);
    case 'packages':
      return shell(['pm', 'list', 'packages']);
    case 'facts':
      return shell(['getprop', 'ro.product.model'], ['getprop', 'ro.product.device'], ['getprop', 'ro.build.product']);
    case 'reboot':
      return { service: 'reboot:', binary: false };
  }
}
