import type { ButtonChange, NamedButton } from '#machines/input/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { type Abilities, canType, hasBit } from './devices.ts';
import type { Held } from './held.ts';

/** A hardware button that a profile names. */
export interface ButtonOption {
  /** `a-z0-9_`. */
  readonly name: string;
  /**
   * Name of the device as the kernel reports it, case-insensitive; `*` matches any characters. Event numbers are no
   * use: they change with every boot.
   */
  readonly device: string;
  /** Code of the key or switch (linux/input-event-codes.h). */
  readonly code: number;
  /** A switch keeps its position, so it has no long or double press and does not wake the screen. */
  readonly kind: 'key' | 'switch';
  /** True to grab its device for as long as Sconce runs; ignored for touch screens. */
  readonly grab: boolean;
  readonly longMs: Milliseconds;
  readonly doubleMs: Milliseconds;
}

/** True if a device's name matches the pattern of a profile. */
export function isNamed(pattern: string, label: string): boolean {
  const parts = pattern.toLowerCase().split('*');
  const name = label.toLowerCase();
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  const end = name.length - last.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Buttons of the profile that match a device by name and ability. */
const meantOn = (
  buttons: readonly ButtonOption[],
  device: { readonly label: string; readonly abilities: Abilities },
): readonly ButtonOption[] =>
  buttons.filter(
    ({ device: pattern, code, kind }) =>
      isNamed(pattern, device.label) && hasBit(kind === 'key' ? device.abilities.key : device.abilities.sw, code),
  );

/** Buttons for which a device is read: none on a device with letter keys, whatever the profile says. */
export const buttonsOf = (
  buttons: readonly ButtonOption[],
  device: { readonly label: string; readonly abilities: Abilities },
): readonly ButtonOption[] => (canType(device.abilities) ? [] : meantOn(buttons, device));

/** Tracks which named buttons are down, across all devices that have them. */
export interface ButtonWatch {
  /** Takes the initial state of a newly opened device without reporting a change. */
  readonly begin: (device: string, has: readonly ButtonOption[], held: Held) => void;
  /** Takes the current state of a device; `held` is null if the device has gone. */
  readonly update: (device: string, has: readonly ButtonOption[], held: Held | null, at: EpochMs) => void;
  /** Lists which buttons are present, and which are refused because their device has letter keys. */
  readonly named: (
    listened: Iterable<readonly ButtonOption[]>,
    devices: readonly { readonly label: string; readonly abilities: Abilities }[],
  ) => readonly NamedButton[];
}

/** A button is down while it is down on any device that has it; `report` is called once per change. */
export function watchButtons(buttons: readonly ButtonOption[], report: (change: ButtonChange) => void): ButtonWatch {
  const downOn = new Map<string, Set<string>>(buttons.map(({ name }) => [name, new Set<string>()]));
  const mark = (
    device: string,
    { name, code, kind }: ButtonOption,
    held: Held | null,
  ): { readonly before: boolean; readonly now: boolean } => {
    const on = downOn.get(name) ?? new Set<string>();
    const before = on.size > 0;
    if (held !== null && (kind === 'key' ? held.key(code) : held.switched(code))) on.add(device);
    else on.delete(device);
    return { before, now: on.size > 0 };
  };
  return {
    begin: (device, has, held) => {
      for (const button of has) mark(device, button, held);
    },
    update: (device, has, held, at) => {
      for (const button of has) {
        const { before, now } = mark(device, button, held);
        const timed = button.kind === 'key';
        if (now !== before)
          report({
            name: button.name,
            down: now,
            at,
            longMs: timed ? button.longMs : 0,
            doubleMs: timed ? button.doubleMs : 0,
          });
      }
    },
    named: (listened, devices) => {
      const namesOf = (has: readonly ButtonOption[]): readonly string[] => has.map(({ name }) => name);
      const here = new Set([...listened].flatMap(namesOf));
      const typed = new Set(
        devices.filter(({ abilities }) => canType(abilities)).flatMap((one) => namesOf(meantOn(buttons, one))),
      );
      return buttons.map(({ name }) => {
        if (here.has(name)) return { name, here: true };
        return { name, here: false, ...(typed.has(name) && { refused: 'typing-device' as const }) };
      });
    },
  };
}
