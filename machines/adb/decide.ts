import { checking, type Verdict, working } from '../kit/verdict.ts';
import type { AdbReport, AdbTarget } from './events.ts';

/** Port of network debugging (contract, "Limits"). */
const NETWORK_PORT = 5555;

/** Allowed characters of a serial number: no space, quote or shell character. */
const SERIAL = /^[A-Za-z0-9._-]{1,64}$/;
const ADDRESS = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)(?::(\d{1,5}))?$/;

/** Reads the setting `adb_device`; null if it is invalid. A name with a dot or a colon is an address. */
export function parseAdbDevice(text: string): AdbTarget | null {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'only' };
  if (!/[.:]/.test(trimmed)) return SERIAL.test(trimmed) ? { kind: 'serial', serial: trimmed } : null;
  const [, host, port] = ADDRESS.exec(trimmed) ?? [];
  if (host === undefined) return null;
  const number = port === undefined ? NETWORK_PORT : Number(port);
  return number >= 1 && number <= 65_535 ? { kind: 'network', host, port: number } : null;
}

const needs = (reason: string, detail: string, missing: string, fix: Verdict['fix'] = null): Verdict => ({
  state: 'needs_you',
  reason,
  detail,
  missing,
  fix,
});

/**
 * udev rule that lets the group plugdev open USB devices with Android's debugging interface, whatever their make;
 * Debian's own list is in a package that adb only recommends.
 */
export const adbRules: readonly string[] = [
  'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ENV{ID_USB_INTERFACES}=="*:ff4201:*", GROUP="plugdev", MODE="0660"',
];

const permit = (user: string): Verdict['fix'] => ({
  command: [
    'sudo groupadd -rf plugdev',
    `printf '%s\\n' ${adbRules.map((rule) => `'${rule}'`).join(' ')} | ` +
      'sudo tee /etc/udev/rules.d/60-sconce-android.rules',
    'sudo udevadm control --reload',
    'sudo udevadm trigger --action=change --subsystem-match=usb',
    `sudo usermod -aG plugdev ${user}`,
  ].join(' && '),
  effect:
    'Lets the group plugdev open Android devices, now and after a reboot, and adds Sconce’s user to it. Then restart the service, or log out and in again if you use bin/run.',
});

/** The verdict on the bridge to an Android panel; `report` is null before the first one. */
export function judgeAdb(report: AdbReport | null): Verdict {
  if (report === null) return checking;
  switch (report.phase) {
    case 'online':
      return working('adb-online', 'The Android panel answers over its debugging bridge.');
    case 'no-bridge':
      return needs('no-adb', 'The program that reaches Android panels cannot be started.', 'The Debian package adb.', {
        command: 'sudo apt-get install --no-install-recommends adb',
        effect: 'Installs the Android debugging bridge; it is used within seconds.',
      });
    case 'unauthorized':
      return needs(
        'adb-unauthorized',
        'The Android panel asks on its screen whether this machine may debug it. Allow it there, permanently.',
        'Your consent on its screen.',
      );
    case 'denied':
      return needs(
        'adb-denied',
        'The Android panel is connected by USB, but this user may not open it.',
        'Permission to use the USB device.',
        permit(report.user ?? '"$USER"'),
      );
    case 'ambiguous':
      return needs(
        'adb-ambiguous',
        'More than one Android device is connected. Choose under Configure which one is the panel.',
        'A choice of device.',
      );
    case 'waiting':
      return needs(
        'adb-waiting',
        'The Android panel does not answer. Connect it by USB, or enter its address under Configure. Debugging must be enabled in its developer options.',
        'An Android panel with debugging enabled.',
      );
  }
}
