import type { Milliseconds } from '#machines/kit/units.ts';
import type { BrowserFact } from '#machines/renderer/events.ts';

import { at, numberAt, textAt } from './json-fields.ts';
import { PROBE } from './page-script.ts';
import { placeOf } from './place.ts';
import type { PageSession } from './session.ts';
import type { SocketPing } from './socket-ping.ts';

export interface ProbeDeps {
  readonly page: PageSession;
  readonly ping: SocketPing;
  readonly origin: string | null;
  readonly ownOrigin: string;
  readonly excused: () => boolean;
  readonly withinMs: Milliseconds;
  readonly now: () => number;
}

/**
 * Time between two probes, and the longest wait for one; an overloaded page needs up to 2.3 s and is not hung
 * (measured with Chromium 156).
 */
export const PROBE_MS: Milliseconds = 5000;

function flagAt(value: unknown, key: string): boolean | null {
  const flag = at(value, key);
  return typeof flag === 'boolean' ? flag : null;
}

export async function probePage({
  page,
  ping,
  origin,
  ownOrigin,
  excused,
  withinMs,
  now,
}: ProbeDeps): Promise<Extract<BrowserFact, { type: 'page.probed' }>> {
  const startedMs = performance.now();
  const wasExcused = excused();
  const seen = await page.evaluate(PROBE, { withinMs });
  const url = textAt(4096, seen, 'url');
  const isExcused = wasExcused || excused();
  const shared = { type: 'page.probed', excused: isExcused, at: now() } as const;
  if (url === null)
    return {
      ...shared,
      answeredMs: null,
      showing: null,
      connected: null,
      unansweredMs: null,
      place: 'other',
      path: null,
      homeAssistantVersion: null,
    };
  const place = placeOf({ url, status: numberAt(seen, 'status') ?? 0, origin, ownOrigin });
  // Values of any other page say nothing about the dashboard.
  const inside = place === 'dashboard';
  const connected = inside ? flagAt(seen, 'connected') : null;
  const isPinged = connected === true && !isExcused;
  if (!isPinged) ping.reset();
  return {
    ...shared,
    answeredMs: Math.round(performance.now() - startedMs),
    showing: inside ? flagAt(seen, 'showing') : null,
    connected,
    unansweredMs: isPinged ? ping.next() : null,
    place,
    path: place === 'blank' || place === 'error' ? null : textAt(2048, seen, 'path'),
    homeAssistantVersion: inside ? textAt(32, seen, 'version') : null,
  };
}
