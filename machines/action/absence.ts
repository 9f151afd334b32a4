import type { ActionBody } from './body.ts';

/** The parts of this panel that a body can name. */
export interface NamedParts {
  readonly lights: readonly string[];
  readonly relays: readonly string[];
  /** Numbers of the displays. */
  readonly displays: readonly number[];
}

function absence<T extends string | number>(kind: string, asked: T, has: readonly T[]): string | null {
  if (has.includes(asked)) return null;
  return has.length === 0
    ? `This panel has no ${kind}s that can be switched.`
    : `This panel has no ${kind} ${asked}. It has: ${has.join(', ')}.`;
}

/**
 * Why the light, relay or display that a body names does not exist, with a list of those that do; null if it exists.
 */
export function absenceOf(body: ActionBody, { lights, relays, displays }: NamedParts): string | null {
  switch (body.a) {
    case 'light':
      return absence('light', body.id, lights);
    case 'relay':
      return absence('relay', body.id, relays);
    case 'screen_on':
    case 'screen_off':
    case 'brightness':
      return absence('display', body.display ?? 1, displays);
    default:
      return null;
  }
}
