import { describe, expect, it } from 'vitest';

import type { Burst, PathProbeContext } from '#machines/path-probe/events.ts';
import { judgeWay, keepBurst, type ProbedWay, unknownWay } from '#machines/path-probe/judge.ts';
import { nothingProbed, probeView } from '#machines/path-probe/view.ts';
import { HaPathProbe } from '#machines/path-probe/status.ts';

/** A burst as letters: `.` answered in 5 ms, `s` in 101 ms, `S` in 401 ms, `x` lost; '' could not be sent. */
const burst = (letters: string): Burst => ({
  sent: letters.length,
  roundTripsMs: Array.from(letters).flatMap((letter) => ({ '.': [5], s: [101], S: [401] })[letter] ?? []),
});
const way = (...bursts: readonly string[]): ProbedWay => bursts.map(burst).reduce(keepBurst, unknownWay);
const five = ['.....', '.....', '.....', '.....', '.....'] as const;

describe('a way', () => {
  it.each<[string, readonly string[], string | null]>([
    ['of which nothing is known', [], null],
    ['that stays silent is unproven, not lost', ['xxxxx', 'xxxxx', 'xxxxx'], null],
    ['that answers', ['.....'], 'healthy'],
    ['that answers after silence', ['xxxxx', 'xxxxx', '.....'], 'healthy'],
    ['with one echo of thirty lost', [...five, '....x'], 'healthy'],
    ['with two of thirty lost', [...five, '...xx'], 'warning'],
    ['with six of thirty lost: 20 % is not more', [...five.slice(1), '..xxx', '..xxx'], 'warning'],
    ['with seven of thirty lost', [...five.slice(1), '..xxx', '.xxxx'], 'severe'],
    ['with one dead burst of six', [...five, 'xxxxx'], 'warning'],
    ['with two dead bursts', [...five, 'xxxxx', 'xxxxx'], 'severe'],
    ['with dead bursts that were followed by an answer', ['.....', 'xxxxx', 'xxxxx', '.....'], 'severe'],
    ['with one slow echo', [...five, '....s'], 'healthy'],
    ['with two slow echoes', [...five, '...ss'], 'warning'],
    ['with one very slow echo', [...five, '....S'], 'healthy'],
    ['with a slow and a very slow one', [...five, '...sS'], 'warning'],
    ['with two very slow echoes', [...five, '...SS'], 'severe'],
    ['very slow and lossy: the graver counts', [...five, '..SSx'], 'severe'],
    ['is judged over its last six bursts', ['...xx', ...five, '.....'], 'healthy'],
    ['is not judged by what could not be sent', ['.....', '', ''], 'healthy'],
  ])('%s', (_, bursts, expected) => expect(judgeWay(way(...bursts)).verdict).toBe(expected));

  it('counts dead bursts since the last answer', () => {
    expect(judgeWay(way('.....', 'xxxxx', '.....', 'xxxxx', 'xxxxx')).consecutive_dead_bursts).toBe(2);
    expect(judgeWay(way('.....', 'xxxxx', '....x')).consecutive_dead_bursts).toBe(0);
    expect(judgeWay(way('xxxxx', 'xxxxx')).consecutive_dead_bursts).toBe(0);
  });

  it('has its numbers, and -1 for what was not measured', () => {
    expect(judgeWay(way('.s..x', 'S....'))).toEqual({
      verdict: 'warning',
      bursts: 2,
      echoes_sent: 10,
      echoes_received: 9,
      consecutive_dead_bursts: 0,
      loss_percent: 10,
      p50_ms: 5,
      p95_ms: 401,
      max_ms: 401,
      jitter_ms: 123,
    });
    expect(judgeWay(way('xxxxx'))).toMatchObject({ bursts: 1, echoes_sent: 5, loss_percent: -1, p95_ms: -1 });
  });
});

describe('ha_path_probe', () => {
  const facts = (change: Partial<PathProbeContext>): PathProbeContext => ({
    ...nothingProbed('ipv6'),
    connection: 1,
    ...change,
  });
  const proven = { ...way('.....'), lastBurstAt: 1000 };

  it.each<[string, Partial<PathProbeContext>, object]>([
    ['before anything was tried', { connection: null }, { state: 'unproven', available: 'unowned', interval_ms: -1 }],
    ['where it may not', { supported: false }, { state: 'unsupported', available: 'unsupported', interval_ms: -1 }],
    ['without a connection', { supported: true, connection: null }, { state: 'unproven', interval_ms: -1 }],
    ['before the first answer', { supported: true }, { state: 'unproven', available: 'unproven', interval_ms: 30_000 }],
    [
      'after it',
      { supported: true, otherResolved: false, ...proven },
      { state: 'healthy', available: 'proven', other_resolved: false, last_burst_age_ms: 500, loss_percent: 0 },
    ],
  ])('%s', (_, change, expected) => {
    const probe = probeView(facts(change), 1500);
    expect(probe).toMatchObject({ family: 'ipv6', ...expected });
    expect(HaPathProbe().strict().parse(probe)).toEqual(probe);
  });

  it('has no age below 0 once the clock was set back', () => {
    expect(probeView(facts({ supported: true, ...proven }), 0).last_burst_age_ms).toBe(0);
  });
});
