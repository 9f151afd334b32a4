import { describe, expect, it } from 'vitest';

import { admitPath } from '#machines/renderer/admit-path.ts';
import { isConnected, judgeSilence, loadPause } from '#machines/renderer/reachability.ts';
import type { RestartReason } from '#machines/renderer/events.ts';
import { judgeHealth, type PageProbe, addProbe } from '#machines/renderer/health.ts';
import { judgeMemory, SETTLE_MS, takeMemory } from '#machines/renderer/memory.ts';
import { keepsFailing, nextStep, record, restDelay } from '#machines/renderer/recovery.ts';
import { modeOf, packageOf } from '#machines/renderer/options.ts';

const good: PageProbe = { answeredMs: 2, showing: true, connected: true, place: 'dashboard' };
const times = (count: number, probe: Partial<PageProbe>): PageProbe[] =>
  Array.from({ length: count }, () => ({ ...good, ...probe }));

describe('judgeHealth', () => {
  it.each([
    ['unknown', []],
    ['healthy', times(1, {})],
    ['healthy', times(2, { answeredMs: null }).concat(times(1, {}))],
    ['hung', times(3, { answeredMs: null })],
    ['healthy', times(2, { answeredMs: 1500 })],
    ['slow', times(3, { answeredMs: 1500 })],
    ['healthy', times(1, { place: 'error' })],
    ['blank', times(2, { place: 'error' })],
    ['healthy', times(5, { showing: false })],
    ['blank', times(6, { showing: false })],
    ['blank', times(6, { place: 'blank' })],
    ['healthy', times(6, { showing: null, connected: null })],
    ['stale', times(1, { connected: false })],
  ] as const)('%s', (health, probes) => expect(judgeHealth(probes)).toBe(health));

  it('begins anew after a silence that something explains', () => {
    const silent = { ...good, answeredMs: null };
    let probes: readonly PageProbe[] = [];
    for (const excused of [false, false, true, false, false]) probes = addProbe(probes, { ...silent, excused });
    expect(judgeHealth(probes)).not.toBe('hung');
    expect(judgeHealth(addProbe(probes, { ...silent, excused: false }))).toBe('hung');
  });
});

describe('admitPath', () => {
  const origin = 'http://ha.local:8123';
  it.each([
    ['/lovelace/hall', '/lovelace/hall'],
    ['lovelace/hall', '/lovelace/hall'],
    ['/', '/'],
    ['/a/../b?x=1#y', '/b?x=1#y'],
    ['http://ha.local:8123/lovelace/1', '/lovelace/1'],
    ['HTTP://HA.local:8123', '/'],
  ])('%s shows %s', (text, path) => expect(admitPath(text, origin)).toEqual({ ok: true, value: path }));

  it.each([
    '',
    '   ',
    'http://evil.example/x',
    'http://ha.local/x',
    'https://ha.local:8123/x',
    'http://u:p@ha.local:8123/x',
    '//evil.example/x',
    '/\\evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '/..//evil.example',
    '/a b',
    `/${'x'.repeat(5000)}`,
  ])('refuses %j without repeating it', (text) => {
    const admitted = admitPath(text, origin);
    expect(admitted.ok).toBe(false);
    if (!admitted.ok && text.includes('evil')) expect(admitted.message).not.toContain('evil');
  });
});

describe('recovery', () => {
  const story = (reason: RestartReason, count: number, at: number) =>
    Array.from({ length: count }, (_, index) => ({ reason, at: at - 1000 * (count - index) }));
  it.each([
    ['stale', 0, 'load', 0],
    ['stale', 1, 'load', 0],
    ['stale', 2, 'restart', 2000],
    ['blank', 3, 'restart', 5000],
    ['stale', 9, 'restart', 60_000],
    ['hung', 1, 'load', 0],
    ['hung', 2, 'load', 2000],
  ] as const)('%s after %i: %s after %i ms', (reason, before, step, delayMs) => {
    expect(nextStep(story(reason, before, 1_000_000), 1_000_000)).toEqual({ step, delayMs });
  });

  it('forgets old trouble, and does not count what was asked for', () => {
    expect(nextStep(story('stale', 3, 1_000_000), 2_000_000)).toEqual({ step: 'load', delayMs: 0 });
    expect(restDelay(story('asked', 9, 1_000_000), 1_000_000)).toBe(250);
    expect(restDelay(story('hung', 9, 1_000_000), 1_000_000)).toBe(250);
    expect(restDelay(story('exited', 3, 1_000_000), 1_000_000)).toBe(5000);
    expect(keepsFailing(story('killed', 5, 1_000_000), 1_000_000)).toBe(true);
    expect(keepsFailing(story('credential', 9, 1_000_000), 1_000_000)).toBe(false);
  });

  it('keeps the newest twenty', () => {
    let restarts: ReturnType<typeof record> = [];
    for (let at = 0; at < 30; at += 1) restarts = record(restarts, 'asked', at);
    expect(restarts.map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_, index) => index + 10));
  });
});

describe('memory', () => {
  it('takes its base ten minutes after the load, once', () => {
    const loaded = { loadedAt: 1000, baseBytes: null };
    expect(takeMemory(loaded, 100, 1000 + SETTLE_MS - 1).baseBytes).toBeNull();
    const settled = takeMemory(loaded, 100, 1000 + SETTLE_MS);
    expect(settled.baseBytes).toBe(100);
    expect(takeMemory(settled, 300, 9_000_000).baseBytes).toBe(100);
  });
  it.each([
    [159, true, null],
    [160, true, 'memory-dark'],
    [249, false, null],
    [250, false, 'memory'],
    [250, true, 'memory-dark'],
    [-1, true, null],
  ] as const)('%i bytes of base 100, dark %s: %s', (bytes, dark, verdict) =>
    expect(judgeMemory({ loadedAt: 0, baseBytes: 100 }, bytes, dark)).toBe(verdict),
  );
});

describe('absence of Home Assistant', () => {
  it.each([
    [5_999, false, 'wait'],
    [6_000, false, 'unreachable'],
    [14_999, true, 'wait'],
    [15_000, true, 'stale'],
  ] as const)('after %i ms, answering %s: %s', (lasted, reachable, verdict) =>
    expect(judgeSilence(1000, reachable, 1000 + lasted)).toBe(verdict),
  );
  it.each([
    [true, null, true],
    [true, 0, true],
    [true, 9_999, true],
    [true, 10_000, false],
    [false, null, false],
    [null, null, null],
  ] as const)('a socket that is open: %s, with pings unanswered for %s ms, is connected: %s', (open, ms, verdict) =>
    expect(isConnected({ connected: open, unansweredMs: ms })).toBe(verdict),
  );
  it('leaves it alone for at most six seconds', () =>
    expect([0, 1, 2, 3, 4, 99].map(loadPause)).toEqual([0, 0, 2000, 4000, 6000, 6000]));
});

describe('what runs', () => {
  it('is nothing on a simulated panel unless it was asked for', () => {
    expect([modeOf(null, true), modeOf(null, false), modeOf('headless', true), modeOf('none', false)]).toEqual([
      'none',
      'auto',
      'headless',
      'none',
    ]);
    expect([packageOf(''), packageOf('builtin'), packageOf('firefox'), packageOf('/bin/sh')]).toEqual([
      'builtin',
      'builtin',
      'firefox',
      'builtin',
    ]);
  });
});
