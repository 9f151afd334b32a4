import { describe, expect, it } from 'vitest';

import {
  type Candidate,
  afterFailure,
  noFailures,
  RETRY_MS,
  type FailureStreak,
  type FallbackPage,
  triesAgain,
  UNTOUCHED_MS,
} from '#machines/renderer/failure-streak.ts';

const failureStreak = (of: Candidate, failed: number, unhung = false): FailureStreak => ({ of, failed, unhung });
const failure = (change: Partial<Parameters<typeof afterFailure>[1]>): Parameters<typeof afterFailure>[1] => ({
  of: 'home',
  reason: 'crashed',
  wasShown: true,
  homeIsStart: false,
  ...change,
});

describe('afterFailure', () => {
  it.each([
    // A script that hangs is ended first, once, on a page that was shown.
    [noFailures, { reason: 'hung' }, 'unhang', failureStreak('home', 0, true)],
    [failureStreak('home', 0, true), { reason: 'hung' }, 'load', failureStreak('home', 1, true)],
    [noFailures, { reason: 'hung', wasShown: false }, 'load', failureStreak('home', 1, true)],
    [failureStreak('home', 1, true), { reason: 'hung' }, 'restart', failureStreak('home', 2, true)],
    // Three attempts of home, whatever each of them failed by.
    [noFailures, {}, 'load', failureStreak('home', 1, true)],
    [failureStreak('home', 1, true), { reason: 'blank' }, 'restart', failureStreak('home', 2, true)],
    [failureStreak('home', 2, true), { reason: 'hung' }, 'start', noFailures],
    [failureStreak('home', 2, true), { reason: 'killed' }, 'start', noFailures],
    // Home is the start page: the same again would be no other page.
    [failureStreak('home', 2, true), { homeIsStart: true }, 'calm', noFailures],
    // Three of the start page.
    [noFailures, { of: 'start' }, 'load', failureStreak('start', 1, true)],
    [failureStreak('start', 1, true), { of: 'start' }, 'restart', failureStreak('start', 2, true)],
    [failureStreak('start', 2, true), { of: 'start' }, 'calm', noFailures],
    // A page that was gone to is left for home.
    [noFailures, { of: 'other' }, 'load', failureStreak('other', 1, true)],
    [failureStreak('other', 1, true), { of: 'other' }, 'home', noFailures],
    // What another page did is not laid on this one.
    [failureStreak('other', 1, true), { of: 'home' }, 'load', failureStreak('home', 1, true)],
    [failureStreak('other', 1, true), { of: 'home', reason: 'hung' }, 'unhang', failureStreak('home', 0, true)],
  ] as const)('after %j, %j: %s', (before, change, step, after) => {
    expect(afterFailure(before, failure(change))).toEqual({ step, failureStreak: after });
  });

  it('ends at the offline page whatever fails', () => {
    for (const reason of ['hung', 'crashed', 'blank', 'exited'] as const) {
      let of: Candidate = 'other';
      let known = noFailures;
      const steps: string[] = [];
      while (steps.at(-1) !== 'calm' && steps.length < 99) {
        const next = afterFailure(known, failure({ of, reason }));
        steps.push(next.step);
        known = next.failureStreak;
        if (next.step === 'home' || next.step === 'start') of = next.step;
      }
      expect(steps.filter((step) => step !== 'unhang')).toEqual([
        'load',
        'home',
        'load',
        'restart',
        'start',
        'load',
        'restart',
        'calm',
      ]);
    }
  });
});

describe('triesAgain', () => {
  const since = 1_000_000;
  const fallback = (page: FallbackPage['page'], news: FallbackPage['trigger'] = null): FallbackPage => ({
    page,
    since,
    reason: 'hung',
    trigger: news,
  });
  const later = since + RETRY_MS;
  it.each([
    ['at once, where somebody asked', fallback('start', 'asked'), since, since, true],
    ['not before its hour', fallback('calm'), later - 1, since, false],
    ['after an hour', fallback('calm'), later, since, true],
    ['after an hour, under nobody’s finger', fallback('start'), later, later - UNTOUCHED_MS + 1, false],
    ['after an hour, once it is left alone', fallback('start'), later, later - UNTOUCHED_MS, true],
    ['when Home Assistant has restarted', fallback('calm', 'restarted'), since, since, true],
    ['when a dashboard was changed', fallback('start', 'changed'), since + UNTOUCHED_MS, since, true],
    ['not while it is touched', fallback('start', 'changed'), since + UNTOUCHED_MS - 1, since, false],
    ['whether or not the offline page is touched', fallback('calm', 'changed'), since, since, true],
    ['although the clock was set back by more than an hour', fallback('calm'), since - RETRY_MS, 0, true],
  ] as const)('%s', (_, what, at, touchedAt, tries) => expect(triesAgain(what, at, touchedAt)).toBe(tries));
});
