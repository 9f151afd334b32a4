import { describe, expect, it } from 'vitest';

import type { BrowserCommand } from '#machines/renderer/events.ts';
import { pick, sequence } from '#test/fakes/sequence.ts';
import { start } from './start.ts';

/** What the 30 minutes of one wall came to, in seconds. */
interface Seen {
  /** Lit seconds that showed old states after Home Assistant had hung. */
  readonly stale: number;
  /** Seconds from when it went on until the dashboard was back; null where it was not. */
  readonly back: number | null;
  /** Commands and restarts while all was well. */
  readonly alarms: readonly string[];
}

const SECONDS = 1800;
const HANGS_FOR = 300;

/**
 * A wall for 30 minutes by a stepped clock: the screen goes dark and lit by itself, Home Assistant hangs once. The page
 * does what Chromium and the frontend were seen to do: it closes its socket in a freeze and says so once it is thawed;
 * its own pings have ended, so that an open socket stays open.
 */
function live(hangsAt: number, litAt: (second: number) => boolean): Seen {
  const { send, facts, ready, commands, watched, pass } = start();
  const page = { frozen: false, open: false, tells: false, unansweredMs: 0, answersAt: -1, own: false };
  const began = 2_000_000;
  let done = 0;
  let reachAt = 0;
  let [stale, back]: [number, number | null] = [0, null];
  let alarms: readonly string[] = [];
  ready();

  for (let second = 0; second < SECONDS; second += 1) {
    const at = began + second * 1000;
    const hangs = second >= hangsAt && second < hangsAt + HANGS_FOR;
    const obey = (command: BrowserCommand): void => {
      if (command.type === 'page.load') page.answersAt = second + (hangs ? 8 : 1);
      if (command.type === 'page.own') [page.answersAt, page.own, page.open] = [second + 1, true, false];
      if (command.type !== 'page.freeze' || command.frozen === page.frozen) return;
      page.frozen = command.frozen;
      if (command.frozen) page.tells = page.open;
      else if (page.tells) {
        [page.tells, page.open] = [false, false];
        send({ type: 'page.connection', state: 'disconnected', at });
      }
    };
    if (facts().dark === litAt(second)) send({ type: 'screen.changed', dark: !litAt(second) });
    pass(1000, 1000);
    for (; done < commands.length; done += 1) {
      const command = commands[done];
      if (command !== undefined) obey(command);
    }
    const { pending } = facts();
    if (pending !== null && second >= page.answersAt) {
      const isShown = pending.kind === 'own' || !hangs;
      if (pending.kind === 'load' && isShown) [page.own, page.open] = [false, true];
      const outcome = isShown ? 'shown' : 'timeout';
      const path = isShown ? pending.path : null;
      send({ type: 'page.settled', generation: pending.generation, outcome, status: null, path, tookMs: 5, at });
    }
    if (!page.own && !page.frozen && !page.open && !hangs && facts().pending === null) {
      page.open = true;
      send({ type: 'page.connection', state: 'connected', at });
    }
    page.unansweredMs = hangs && page.open && !page.frozen ? page.unansweredMs + 1000 : 0;
    if (second % 5 === 0 && !page.own)
      send({
        type: 'page.probed',
        answeredMs: 2,
        excused: page.frozen || facts().pending !== null,
        showing: true,
        // A frozen page takes itself for connected.
        connected: page.frozen || page.open,
        unansweredMs: page.frozen || !page.open ? null : page.unansweredMs,
        place: 'dashboard',
        path: '/lovelace/hall',
        homeAssistantVersion: '2026.11.0',
        at,
      });
    const origin = watched.at(-1) ?? null;
    if (origin !== null && second >= reachAt) {
      send({ type: 'reachability.probed', origin, reachable: !hangs, reason: hangs ? 'timeout' : null, at });
      reachAt = second + (hangs ? 5 : 2);
    }
    if (second < hangsAt && page.own) alarms = [...alarms, `${second}: an own page`];
    if (hangs && !page.own && litAt(second)) stale += 1;
    if (second >= hangsAt + HANGS_FOR && back === null && facts().phase === 'showing')
      back = second - hangsAt - HANGS_FOR;
    if (second === hangsAt - 1) alarms = [...alarms, ...facts().restarts.map(({ reason }) => reason)];
  }
  return { stale, back, alarms };
}

/** A screen that goes dark and lit again by chance, often around the 5 s after which a page freezes. */
function restless(seed: number): (second: number) => boolean {
  const random = sequence(seed);
  const lasts = [1, 2, 4, 6, 7, 10, 60, 240];
  const lit: boolean[] = [];
  for (let isLit = true; lit.length < SECONDS; isLit = !isLit) {
    lit.push(...Array.from({ length: pick(random, lasts) }, () => isLit));
  }
  return (second) => lit[second] ?? true;
}

describe('a wall for 30 minutes', () => {
  it.each([
    ['always lit', () => true],
    ['dark for 1 s in each 10', (second: number) => second % 10 !== 3],
    ['dark for 10 s in each 20', (second: number) => second % 20 > 9],
    ['lit for 4 s in each 10', (second: number) => second % 10 < 4],
    ['lit for 1 s in each 8', (second: number) => second % 8 === 0],
    ['dark for the first 18 minutes', (second: number) => second > 1080],
  ] as const)('%s shows a hung Home Assistant as such', (_, litAt) => {
    for (const hangsAt of [601, 1085]) {
      const { stale, back, alarms } = live(hangsAt, litAt);
      expect(stale).toBeLessThanOrEqual(30);
      expect(back).toBeLessThanOrEqual(20);
      expect(alarms).toEqual([]);
    }
  });

  it.each(Array.from({ length: 12 }, (_, index) => index + 1))('dark and lit by chance %i', (seed) => {
    const { stale, back, alarms } = live(20 + ((seed * 373) % 1400), restless(seed));
    expect(stale).toBeLessThanOrEqual(30);
    expect(back).toBeLessThanOrEqual(20);
    expect(alarms).toEqual([]);
  });
});
