import { describe, expect, it } from 'vitest';

import {
  type Candidate,
  nextRound,
  noRounds,
  RETRY_MS,
  type Rounds,
  type StandIn,
  triesAgain,
  UNTOUCHED_MS,
} from '#machines/renderer/rounds.ts';

const rounds = (of: Candidate, failed: number, unhung = false): Rounds => ({ of, failed, unhung });
const failure = (change: Partial<Parameters<typeof nextRound>[1]>): Parameters<typeof nextRound>[1] => ({
  of: 'home',
  reason: 'crashed',
  stood: true,
  homeIsStart: false,
  ...change,
});

describe('nextRound', () => {
  it.each([
    // A script that hangs is ended first, once, on a page that stood.
    [noRounds, { reason: 'hung' }, 'unhang', rounds('home', 0, true)],
    [rounds('home', 0, true), { reason: 'hung' }, 'load', rounds('home', 1, true)],
    [noRounds, { reason: 'hung', stood: false }, 'load', rounds('home', 1, true)],
    [rounds('home', 1, true), { reason: 'hung' }, 'relaunch', rounds('home', 2, true)],
    // Three rounds of home, whatever each of them failed by.
    [noRounds, {}, 'load', rounds('home', 1, true)],
    [rounds('home', 1, true), { reason: 'blank' }, 'relaunch', rounds('home', 2, true)],
    [rounds('home', 2, true), { reason: 'hung' }, 'start', noRounds],
    [rounds('home', 2, true), { reason: 'killed' }, 'start', noRounds],
    // Home is the start page: the same again would be no other page.
    [rounds('home', 2, true), { homeIsStart: true }, 'calm', noRounds],
    // Three of the start page.
    [noRounds, { of: 'start' }, 'load', rounds('start', 1, true)],
    [rounds('start', 1, true), { of: 'start' }, 'relaunch', rounds('start', 2, true)],
    [rounds('start', 2, true), { of: 'start' }, 'calm', noRounds],
    // A page that was gone to is left for home.
    [noRounds, { of: 'other' }, 'load', rounds('other', 1, true)],
    [rounds('other', 1, true), { of: 'other' }, 'home', noRounds],
    // What another page did is not laid on this one.
    [rounds('other', 1, true), { of: 'home' }, 'load', rounds('home', 1, true)],
    [rounds('other', 1, true), { of: 'home', reason: 'hung' }, 'unhang', rounds('home', 0, true)],
  ] as const)('after %j, %j: %s', (before, change, step, after) => {
    expect(nextRound(before, failure(change))).toEqual({ step, rounds: after });
  });

  it('ends at the calm page whatever fails', () => {
    for (const reason of ['hung', 'crashed', 'blank', 'exited'] as const) {
      let of: Candidate = 'other';
      let known = noRounds;
      const steps: string[] = [];
      while (steps.at(-1) !== 'calm' && steps.length < 99) {
        const next = nextRound(known, failure({ of, reason }));
        steps.push(next.step);
        known = next.rounds;
        if (next.step === 'home' || next.step === 'start') of = next.step;
      }
      expect(steps.filter((step) => step !== 'unhang')).toEqual([
        'load',
        'home',
        'load',
        'relaunch',
        'start',
        'load',
        'relaunch',
        'calm',
      ]);
    }
  });
});

describe('triesAgain', () => {
  const since = 1_000_000;
  const standIn = (page: StandIn['page'], news: StandIn['news'] = null): StandIn => ({
    page,
    since,
    reason: 'hung',
    news,
  });
  const later = since + RETRY_MS;
  it.each([
    ['at once, where somebody asked', standIn('start', 'asked'), since, since, true],
    ['not before its hour', standIn('calm'), later - 1, since, false],
    ['after an hour', standIn('calm'), later, since, true],
    ['after an hour, under nobody’s finger', standIn('start'), later, later - UNTOUCHED_MS + 1, false],
    ['after an hour, once it is left alone', standIn('start'), later, later - UNTOUCHED_MS, true],
    ['when Home Assistant has restarted', standIn('calm', 'restarted'), since, since, true],
    ['when a dashboard was changed', standIn('start', 'changed'), since + UNTOUCHED_MS, since, true],
    ['not while it is touched', standIn('start', 'changed'), since + UNTOUCHED_MS - 1, since, false],
    ['whether or not the calm page is touched', standIn('calm', 'changed'), since, since, true],
    ['although the clock was set back by more than an hour', standIn('calm'), since - RETRY_MS, 0, true],
  ] as const)('%s', (_, what, at, touchedAt, tries) => expect(triesAgain(what, at, touchedAt)).toBe(tries));
});
