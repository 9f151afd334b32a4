import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  judgeNetwork,
  keepSample,
  type NetworkFacts,
  noSocket,
  type PathSample,
} from '#machines/home-assistant/network.ts';
import { HaNetwork } from '#machines/home-assistant/network-status.ts';

const NOW = 1_700_000_000_000;
const CADENCE_MS = 10_000;

/**
 * Samples as letters, the last one now: `.` answered in 5 ms, `s` in 101 ms, `S` in 1001 ms, `x` a miss, `b` a busy
 * server, `a` a refused sign-in.
 */
const series = (letters: string, now = NOW): readonly PathSample[] =>
  Array.from(letters, (letter, index): PathSample => {
    const at = now - (letters.length - 1 - index) * CADENCE_MS;
    if (letter === 'x') return { kind: 'network-failure', at };
    if (letter === 'b') return { kind: 'server-failure', at };
    if (letter === 'a') return { kind: 'auth-failure', at };
    return { kind: 'round-trip', at, ms: { '.': 5, s: 101, S: 1001 }[letter] ?? -1 };
  });
const live = (letters: string): NetworkFacts => ({
  standing: 'live',
  settling: false,
  samples: series(letters),
  lastAnsweredAt: letters === '' ? null : NOW - 812,
  lastProbedAt: letters === '' ? null : NOW,
});
const judge = (letters: string) => judgeNetwork(live(letters), NOW);
const answered = (count: number): string => '.'.repeat(count);

describe('the verdict on the path', () => {
  it.each<[string, string, 'healthy' | 'warning' | 'severe']>([
    ['nothing was probed yet', '', 'healthy'],
    ['all answered', answered(30), 'healthy'],
    ['one miss of thirty', `${answered(15)}x${answered(14)}`, 'healthy'],
    ['one miss alone', 'x', 'healthy'],
    ['one miss, the newest', `${answered(29)}x`, 'healthy'],
    ['two of thirty, apart', `x${answered(10)}x${answered(18)}`, 'warning'],
    ['two in a row that were answered since', `${answered(10)}xx${answered(18)}`, 'warning'],
    ['two in a row', `${answered(28)}xx`, 'severe'],
    ['a busy server between two misses does not end the run', `${answered(20)}xbx`, 'severe'],
    ['nor a refused sign-in', `${answered(20)}xax`, 'severe'],
    ['a busy server does not extend it', `${answered(20)}xb`, 'healthy'],
    ['nor a refused sign-in', `${answered(20)}xa`, 'healthy'],
    ['an answer ends it', `${answered(20)}x.x`, 'warning'],
    ['a busy server all the time', 'b'.repeat(30), 'healthy'],
    ['refused sign-ins all the time', 'a'.repeat(30), 'healthy'],
    ['slow answers all the time', 'S'.repeat(30), 'healthy'],
  ])('%s', (_, letters, expected) => {
    expect(judge(letters)).toMatchObject({ ha_net: expected, state: expected });
  });

  it('needs more than 5 %: two misses of forty are none', () => {
    const samples = Array.from({ length: 40 }, (_, index): PathSample => {
      const at = NOW - (39 - index) * 5000;
      return index % 20 === 0 ? { kind: 'network-failure', at } : { kind: 'round-trip', at, ms: 5 };
    });
    expect(judgeNetwork({ ...live(''), samples }, NOW)).toMatchObject({ ha_net: 'healthy', loss_percent: 5 });
  });
});

describe('the class of the response', () => {
  it.each<[string, string, 'healthy' | 'warning' | 'severe']>([
    ['one spike', `${answered(28)}S.`, 'healthy'],
    ['two slow ones of thirty', `s${answered(28)}s`, 'warning'],
    ['two very slow ones of thirty', `S${answered(28)}S`, 'severe'],
    ['a slow and a very slow one', `s${answered(28)}S`, 'warning'],
    ['misses say nothing of it', `${answered(10)}xxxx`, 'healthy'],
  ])('%s', (_, letters, expected) => expect(judge(letters).ha_resp).toBe(expected));
});

describe('the numbers', () => {
  it('count what was answered and what was not, and the rest apart', () => {
    expect(judge(`..s.xba${answered(3)}x`)).toEqual({
      measuring: true,
      state: 'warning',
      socket: 'live',
      ha_net: 'warning',
      ha_resp: 'healthy',
      window_ms: 300_000,
      probes: 9,
      round_trips: 7,
      network_failures: 2,
      server_failures: 1,
      auth_failures: 1,
      consecutive_failures: 1,
      unprobed: false,
      p50_ms: 5,
      p95_ms: 101,
      max_ms: 101,
      jitter_ms: 32,
      loss_percent: 22.2,
      last_round_trip_age_ms: 812,
    });
  });

  it.each<[string, Partial<NetworkFacts>, Partial<HaNetwork>]>([
    ['while absent', { standing: 'absent' }, { measuring: false, state: 'idle', socket: null, ha_net: null }],
    ['while settling', { settling: true }, { measuring: true, state: 'settling', socket: 'live', ha_net: 'settling' }],
  ])('are not there %s, whatever was kept', (_, facts, expected) => {
    expect(judgeNetwork({ ...live(`${answered(10)}xxba`), ...facts }, NOW)).toEqual({
      ...judgeNetwork(noSocket, NOW),
      ...expected,
      ha_resp: null,
      probes: 0,
      p95_ms: -1,
      loss_percent: -1,
      last_round_trip_age_ms: -1,
    });
  });

  it('stay while a socket is being re-established', () => {
    const facts: NetworkFacts = { ...live('..xx'), standing: 're-establishing' };
    expect(judgeNetwork(facts, NOW)).toMatchObject({ socket: 'reconnecting', ha_net: 'severe', network_failures: 2 });
  });

  it('leave the window after five minutes, and the run with them', () => {
    const facts = live('xx');
    expect(judgeNetwork(facts, NOW + 299_999 - CADENCE_MS)).toMatchObject({ ha_net: 'severe' });
    expect(judgeNetwork(facts, NOW + 299_999)).toMatchObject({ ha_net: 'healthy', consecutive_failures: 1 });
    expect(judgeNetwork(facts, NOW + 300_000)).toMatchObject({ ha_net: 'healthy', consecutive_failures: 0 });
  });

  it.each<[string, Partial<NetworkFacts>, number, boolean]>([
    ['that was just lost', {}, 0, false],
    ['whose last ping is younger', {}, 299_999, false],
    ['whose last ping is as old', {}, 300_000, true],
    ['that was held before anything was pinged', { lastProbedAt: null }, 900_000, false],
    ['of which nothing is judged yet', { settling: true }, 900_000, false],
    ['that nothing needs any more', { standing: 'absent' }, 900_000, false],
  ])('say of a connection %s than five minutes whether it was pinged', (_, facts, laterMs, unprobed) => {
    const judged = judgeNetwork({ ...live('..xx'), standing: 're-establishing', ...facts }, NOW + laterMs);
    expect(judged.unprobed).toBe(unprobed);
    expect(judged.state).toBe(unprobed ? 'unprobed' : (judged.ha_net ?? 'idle'));
    if (unprobed) expect(judged).toMatchObject({ ha_net: 'healthy', probes: 0, network_failures: 0, p95_ms: -1 });
  });

  it('count no age below 0, and nothing of later than now', () => {
    expect(judgeNetwork(live('.'), NOW - 60_000)).toMatchObject({ round_trips: 0, last_round_trip_age_ms: 0 });
  });

  it('fit the schema', () => {
    for (const letters of ['', 'xx', '..sSxba'])
      expect(HaNetwork().strict().parse(judge(letters))).toEqual(judge(letters));
  });
});

describe('keepSample', () => {
  const at = (ms: number): PathSample => ({ kind: 'network-failure', at: ms });

  it('keeps what is younger than five minutes', () => {
    const kept = keepSample([at(NOW - 300_000), at(NOW - 299_999)], at(NOW));
    expect(kept).toEqual([at(NOW - 299_999), at(NOW)]);
  });

  it('drops what is in the future, since the clock was set back', () => {
    expect(keepSample([at(NOW + 1), at(NOW)], at(NOW))).toEqual([at(NOW), at(NOW)]);
  });

  it('keeps the newest 64', () => {
    const many = Array.from({ length: 64 }, (_, index) => at(NOW - 1000 + index));
    expect(keepSample(many, at(NOW))).toEqual([...many.slice(1), at(NOW)]);
  });
});

const letterOf = (...letters: readonly string[]) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 30 });
const rank = (verdict: string | null): number => ['healthy', 'warning', 'severe'].indexOf(verdict ?? '');

describe('whatever comes', () => {
  it('latency never raises the verdict on the path', () => {
    fc.assert(
      fc.property(letterOf('.', 's', 'S', 'x', 'b', 'a'), (letters) => {
        expect(judge(letters).ha_net).toBe(judge(letters.replaceAll(/s/gi, '.')).ha_net);
      }),
    );
  });

  it('one isolated miss or spike never raises it', () => {
    fc.assert(
      fc.property(fc.nat(29), fc.nat(29), fc.constantFrom('x', 'S'), (before, after, single) => {
        expect(judge(`${answered(before)}${single}${answered(after)}`.slice(0, 30)).ha_net).toBe('healthy');
      }),
    );
  });

  it('failures of the server and of the sign-in change nothing, wherever they stand', () => {
    fc.assert(
      fc.property(letterOf('.', 'x', 'b', 'a'), (letters) => {
        const without = series(letters).filter(({ kind }) => kind === 'round-trip' || kind === 'network-failure');
        const [all, some] = [judge(letters), judgeNetwork({ ...live(letters), samples: without }, NOW)];
        expect({ ...all, server_failures: 0, auth_failures: 0 }).toEqual(some);
      }),
    );
  });

  it('a verdict is always written while a socket is held', () => {
    fc.assert(
      fc.property(letterOf('.', 's', 'S', 'x', 'b', 'a'), (letters) => {
        expect(rank(judge(letters).ha_net)).toBeGreaterThanOrEqual(0);
        expect(rank(judge(letters).ha_resp)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('one more miss never makes it better', () => {
    fc.assert(
      fc.property(letterOf('.', 'x', 'b', 'a'), fc.nat(29), (letters, place) => {
        const worse = letters[place] === '.' ? `${letters.slice(0, place)}x${letters.slice(place + 1)}` : letters;
        expect(rank(judge(worse).ha_net)).toBeGreaterThanOrEqual(rank(judge(letters).ha_net));
      }),
    );
  });
});
