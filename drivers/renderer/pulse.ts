import type { Milliseconds } from '#machines/kit/units.ts';
import type { BrowserFact } from '#machines/renderer/events.ts';

import { at, numberAt, textAt } from './json-fields.ts';
import { PULSE } from './page-script.ts';
import { placeOf } from './place.ts';
import type { PageSession } from './session.ts';

/** What a look at the page needs. */
export interface PulseDeps {
  readonly page: PageSession;
  readonly origin: string | null;
  readonly ownOrigin: string;
  readonly excused: () => boolean;
  readonly withinMs: Milliseconds;
  readonly now: () => number;
}

/**
 * Time between two looks, and the longest wait for one; an overloaded page needs up to 2.3 s and is not hung
 * (dashboard-facts 4).
 */
export const PULSE_MS: Milliseconds = 5000;

const flagAt = (value: unknown, key: string): boolean | null => {
  const flag = at(value, key);
  return typeof flag === 'boolean' ? flag : null;
};

/** Looks at the page once. */
export const takePulse = async ({
  page,
  origin,
  ownOrigin,
  excused,
  withinMs,
  now,
}: PulseDeps): Promise<Extract<BrowserFact, { type: 'page.pulse' }>> => {
  const startedMs = performance.now();
  const wasExcused = excused();
  const seen = await page.evaluate(PULSE, { withinMs });
  const url = textAt(4096, seen, 'url');
  const shared = { type: 'page.pulse', excused: wasExcused || excused(), at: now() } as const;
  if (url === null)
    return {
      ...shared,
      answeredMs: null,
      showing: null,
      connected: null,
      place: 'other',
      path: null,
      platformVersion: null,
    };
  const place = placeOf({ url, status: numberAt(seen, 'status') ?? 0, origin, ownOrigin });
  // What another page says of itself is not what the dashboard would say.
  const inside = place === 'dashboard';
  return {
    ...shared,
    answeredMs: Math.round(performance.now() - startedMs),
    showing: inside ? flagAt(seen, 'showing') : null,
    connected: inside ? flagAt(seen, 'connected') : null,
    place,
    path: place === 'blank' || place === 'error' ? null : textAt(2048, seen, 'path'),
    platformVersion: inside ? textAt(32, seen, 'version') : null,
  };
};
