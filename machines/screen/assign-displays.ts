import { naturalOrder } from '../kit/natural-order.ts';
import type { AssignedDisplay, TargetSign } from './events.ts';

/** Most displays that become a light. */
export const MAX_DISPLAYS = 4;

/** Connectors inside the panel; their display comes first. */
const INTERNAL = /^(?:eDP|LVDS|DSI|DPI|VGA-internal)-/;

/** The kernel's `HDMI-A-1` is `HDMI-1` to an X server. */
const sameConnector = (one: string, other: string): boolean => one.replace('-A-', '-') === other.replace('-A-', '-');

const byPlace = (one: string, other: string): number =>
  Number(INTERNAL.test(other)) - Number(INTERNAL.test(one)) || naturalOrder(one, other);

/**
 * The displays of this machine, the internal one first: one per connector with a display on it; if the kernel lists
 * no connector, one per display that a route names; and a separate backlight if nothing else is known. A route that
 * reaches all displays at once belongs to each of them.
 */
export function assignDisplays(
  connected: readonly string[],
  targets: readonly TargetSign[],
): readonly AssignedDisplay[] {
  const named =
    connected.length > 0
      ? connected
      : [...new Set(targets.map((target) => target.connector).filter((name) => name !== null))];
  const names = [...named].toSorted(byPlace);
  const all = targets.map((target, index) => ({ ...target, index }));
  const loose = all.filter((target) => target.connector === null);
  const backlight = loose.find((target) => target.route === 'backlight');
  const everywhere = loose.filter((target) => target.route !== 'backlight').map((target) => target.index);
  if (names.length === 0) {
    if (loose.length === 0) return [];
    return [
      {
        name: backlight?.name ?? loose[0]?.name ?? '',
        targets: [...(backlight === undefined ? [] : [backlight.index]), ...everywhere],
      },
    ];
  }
  // A backlight belongs to the internal display; without one, to the only display there is.
  const owner = backlight === undefined ? -1 : names.findIndex((name) => INTERNAL.test(name) || names.length === 1);
  const displays = names.map((name, place) => ({
    name,
    targets: [
      ...(place === owner && backlight !== undefined ? [backlight.index] : []),
      ...all
        .filter((target) => target.connector !== null && sameConnector(target.connector, name))
        .map((target) => target.index),
      ...everywhere,
    ],
  }));
  const own = backlight !== undefined && owner < 0 ? [{ name: backlight.name, targets: [backlight.index] }] : [];
  return [...own, ...displays].slice(0, MAX_DISPLAYS);
}
