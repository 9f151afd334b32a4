import { describe, expect, it } from 'vitest';

import { FREEZE_DELAY_MS } from '#machines/renderer/delays.ts';
import type { RestartReason } from '#machines/renderer/events.ts';
import { RETRY_MS, STAYED_MS, UNTOUCHED_MS } from '#machines/renderer/failure-streak.ts';
import { desired, signedIn, start } from './start.ts';

type Started = ReturnType<typeof start>;

/** The paths that were loaded, oldest first. */
const loads = ({ commands }: Started): readonly string[] =>
  commands.flatMap((command) => (command.type === 'page.load' ? [command.path] : []));

/** Ways in which a page fails, each of a page that was just loaded. */
const ways: Readonly<Record<string, (panel: Started) => void>> = {
  'hangs while it is loaded': ({ settle }) => settle('hung'),
  'hangs once it stands': ({ settle, probe, facts, pass }) => {
    settle('shown');
    probe();
    for (let count = 0; count < 3; count += 1) probe({ answeredMs: null });
    pass(50);
    // Its script was ended, and it hangs again.
    if (facts().phase === 'showing') for (let count = 0; count < 3; count += 1) probe({ answeredMs: null });
  },
  crashes: ({ settle, send, later }) => {
    settle('shown');
    send({ type: 'page.crashed', at: later(500) });
  },
  'is never drawn': ({ settle, probe }) => {
    settle('shown');
    for (let count = 0; count < 6; count += 1) probe({ showing: false, connected: null });
  },
  'takes its browser down': ({ settle, ended }) => {
    settle('shown');
    ended('killed');
  },
};

/** Lets the page that is loaded fail, and everything pass until another one is loaded or the offline page stands. */
function failOnce(panel: Started, way: (panel: Started) => void): void {
  way(panel);
  for (let second = 0; second < 70; second += 1) {
    panel.pass(1000);
    if (panel.facts().phase === 'recovering' && panel.facts().started !== null) panel.ready();
    if (panel.facts().phase === 'loading' || panel.facts().phase === 'waiting') return;
  }
}

function fail(panel: Started, attempts: number, way = ways['crashes'] ?? (() => {})): void {
  for (let count = 0; count < attempts; count += 1) failOnce(panel, way);
}

/** A panel on whose screen Home Assistant's start page stands for home. */
function onStart(): Started {
  const panel = start();
  panel.ready();
  fail(panel, 3);
  panel.settle('shown', { path: '/' });
  panel.probe({ path: '/home/overview' });
  return panel;
}

/** A panel on whose screen the offline page stands for the dashboard. */
function onCalm(): Started {
  const panel = start();
  panel.ready();
  fail(panel, 6);
  panel.settle('shown', { path: '/glass' });
  return panel;
}

describe('a home dashboard that does not stay healthy', () => {
  it.each(Object.entries(ways))('%s: three attempts, three of the start page, and the offline page', (_, way) => {
    const panel = start();
    panel.ready();
    fail(panel, 3, way);
    expect(loads(panel)).toEqual(['/lovelace/hall', '/lovelace/hall', '/lovelace/hall', '/']);
    expect(panel.facts().fallback).toMatchObject({ page: 'start', trigger: null });
    fail(panel, 3, way);
    expect(loads(panel)).toEqual([...Array<string>(3).fill('/lovelace/hall'), ...Array<string>(3).fill('/')]);
    expect(panel.facts()).toMatchObject({
      phase: 'waiting',
      fallback: { page: 'calm' },
      verdict: { state: 'needs_you', reason: 'calm-page-instead' },
    });
    expect(panel.last('page.own')).toMatchObject({ path: '/glass?on=glass' });
    // And that stands: nothing of it is loaded once more.
    panel.settle('shown', { path: '/glass' });
    for (let minute = 0; minute < 50; minute += 1) {
      panel.pass(60_000);
      panel.later(55_000);
      panel.probe({ place: 'own', path: '/glass', showing: null, connected: null });
    }
    expect(loads(panel)).toHaveLength(6);
  });

  it('has its third attempt, and each other page its first, in a browser of its own', () => {
    const panel = start();
    panel.ready();
    const started = [panel.launches.length];
    for (let count = 0; count < 6; count += 1) {
      fail(panel, 1);
      started.push(panel.launches.length);
    }
    expect(started).toEqual([1, 1, 2, 3, 3, 4, 5]);
  });

  it('is the start page itself: the offline page follows', () => {
    const panel = start({ home: '' });
    panel.ready();
    fail(panel, 3);
    expect(loads(panel)).toEqual(['/', '/', '/']);
    expect(panel.facts().fallback).toMatchObject({ page: 'calm', reason: 'crashed' });
  });

  it('says what stands for it and why', () => {
    expect(onStart().facts()).toMatchObject({
      phase: 'showing',
      verdict: { state: 'needs_you', reason: 'start-page-instead', detail: expect.stringContaining('crashed') },
    });
  });

  it('is not given up where it was healthy for long between its troubles', () => {
    const panel = start();
    panel.ready();
    for (let count = 0; count < 9; count += 1) {
      panel.settle('shown');
      panel.probe();
      panel.later(STAYED_MS);
      panel.probe();
      panel.send({ type: 'page.crashed', at: panel.later(1000) });
      panel.pass(1000);
    }
    expect(panel.facts()).toMatchObject({ fallback: null, failureStreak: { failed: 1 } });
    expect(new Set(loads(panel))).toEqual(new Set(['/lovelace/hall']));
  });

  it('is not well while it is frozen in the dark', () => {
    const panel = start();
    panel.ready();
    fail(panel, 1);
    panel.settle('shown');
    panel.probe();
    panel.send({ type: 'screen.changed', dark: true });
    panel.pass(FREEZE_DELAY_MS);
    for (let minute = 0; minute < 9; minute += 1) {
      panel.later(60_000);
      panel.probe({ excused: true });
    }
    expect(panel.facts()).toMatchObject({ frozen: true, failureStreak: { failed: 1 } });
    panel.send({ type: 'screen.changed', dark: false });
    panel.probe();
    expect(panel.facts()).toMatchObject({ frozen: false, failureStreak: { failed: 1 } });
    panel.later(STAYED_MS);
    panel.probe();
    expect(panel.facts().failureStreak.failed).toBe(0);
  });

  it('is not to blame for a Home Assistant that does not talk to it', () => {
    const panel = start();
    panel.ready();
    const unconnected = ({ settle, probe }: Started): void => {
      settle('shown');
      for (let count = 0; count < 6; count += 1) probe({ showing: false, connected: false });
    };
    fail(panel, 6, unconnected);
    expect(panel.facts()).toMatchObject({ fallback: null });
    expect(new Set(loads(panel))).toEqual(new Set(['/lovelace/hall']));
  });

  it('is where a page that was gone to is left for', () => {
    const panel = start();
    panel.show();
    panel.send({ type: 'renderer.navigate', path: '/energy', origin: 'http' });
    panel.settle('shown');
    panel.probe({ path: '/energy' });
    panel.send({ type: 'page.crashed', at: panel.later(10) });
    panel.pass(50);
    fail(panel, 1);
    expect(loads(panel)).toEqual(['/lovelace/hall', '/energy', '/lovelace/hall']);
    expect(panel.facts().fallback).toBeNull();
  });

  it('is not judged in a program that nobody watches', () => {
    const panel = start({ program: 'firefox' });
    panel.ready();
    for (let count = 0; count < 9; count += 1)
      failOnce(panel, ({ settle, ended }) => (settle('shown'), ended('exited')));
    expect(panel.facts().fallback).toBeNull();
  });
});

describe('home is tried again', () => {
  const tried = (panel: Started): void => {
    expect(panel.last('page.load')).toMatchObject({ path: '/lovelace/hall' });
    expect(panel.facts()).toMatchObject({ phase: 'loading', fallback: null, failureStreak: { failed: 0 } });
  };

  it.each([
    ['home', { type: 'renderer.home', origin: 'http' }],
    ['reload', { type: 'renderer.reload', origin: 'http' }],
  ] as const)('at once from the offline page by %s', (_, event) => {
    const panel = onCalm();
    panel.send(event);
    tried(panel);
    expect(panel.facts().lastNavigation?.outcome).not.toBe('refused');
  });

  it('at once by a reload from the start page, and home leads there within it', () => {
    const reloaded = onStart();
    reloaded.send({ type: 'renderer.reload', origin: 'http' });
    tried(reloaded);
    const panel = onStart();
    panel.send({ type: 'renderer.home', origin: 'http' });
    expect(panel.last('page.go')).toMatchObject({ path: '/lovelace/hall' });
    expect(panel.facts().fallback).toBeNull();
  });

  it('and a page that somebody asks for is loaded from the offline page at once', () => {
    const panel = onCalm();
    panel.send({ type: 'renderer.navigate', path: '/energy', origin: 'home-assistant' });
    expect(panel.last('page.load')).toMatchObject({ path: '/energy' });
    panel.settle('shown');
    panel.send({ type: 'renderer.home', origin: 'http' });
    expect(panel.last('page.go')).toMatchObject({ path: '/lovelace/hall' });
  });

  it.each([
    ['start', onStart],
    ['calm', onCalm],
  ] as const)('at once from the %s page when a setting or the credential is another', (_, stand) => {
    for (const event of [
      { type: 'page.desired', desired: { ...desired, idleReturnMin: 5 } },
      { type: 'credential.changed', credential: { ...signedIn, revision: 2 } },
    ] as const) {
      const panel = stand();
      panel.send(event);
      tried(panel);
    }
  });

  it('as what it is now, where it was moved while it was loaded', () => {
    const panel = start();
    panel.ready();
    panel.send({ type: 'page.desired', desired: { ...desired, idleReturnMin: 5 } });
    expect(loads(panel)).toEqual(['/lovelace/hall']);
    panel.send({ type: 'page.desired', desired: { ...desired, home: '/lovelace/stairs' } });
    expect(loads(panel)).toEqual(['/lovelace/hall', '/lovelace/stairs']);
    panel.send({ type: 'renderer.navigate', path: '/energy', origin: 'http' });
    panel.send({ type: 'page.desired', desired });
    expect(loads(panel).slice(2)).toEqual(['/energy']);
  });

  it('by itself after an hour, and stands or falls as it did before', () => {
    const panel = onCalm();
    panel.later(RETRY_MS - 60_000);
    panel.probe({ place: 'own', path: '/glass', showing: null, connected: null });
    expect(panel.facts().phase).toBe('waiting');
    panel.later(60_000);
    panel.probe({ place: 'own', path: '/glass', showing: null, connected: null });
    tried(panel);
    fail(panel, 6);
    expect(panel.facts().fallback).toMatchObject({ page: 'calm' });
  });

  it.each(['restarted', 'changed'] as const)('by itself when Home Assistant or a dashboard was %s', (news) => {
    const calm = onCalm();
    calm.send({ type: 'changes.observed', trigger: news });
    tried(calm);
    const panel = onStart();
    panel.send({ type: 'page.touched', at: panel.later(1000) });
    panel.send({ type: 'changes.observed', trigger: news });
    panel.probe({ path: '/home/overview' });
    expect(panel.facts()).toMatchObject({ phase: 'showing', fallback: { page: 'start' } });
    panel.later(UNTOUCHED_MS);
    panel.probe({ path: '/home/overview' });
    tried(panel);
  });

  it('when Home Assistant is back that did not answer, and not for a page that only did not open', () => {
    const panel = onStart();
    panel.send({ type: 'page.connection', state: 'disconnected', at: panel.later(0) });
    for (let count = 0; count < 4; count += 1) panel.seen(false);
    expect(panel.facts()).toMatchObject({ phase: 'waiting', unreachable: { reason: 'refused' } });
    panel.seen(true);
    tried(panel);
    const slow = start();
    slow.ready();
    fail(slow, 3);
    slow.settle('timeout');
    slow.seen(true);
    expect(slow.last('page.load')).toMatchObject({ path: '/' });
    expect(slow.facts().fallback).toMatchObject({ page: 'start' });
  });

  it('and what would tell of it is followed only while something stands for it', () => {
    const panel = onStart();
    expect(new Set(panel.watchedDashboards.slice(0, 3))).toEqual(new Set([null]));
    expect(panel.watchedDashboards.at(-1)).toBe('lovelace');
    panel.send({ type: 'renderer.reload', origin: 'http' });
    expect(panel.watchedDashboards.at(-1)).toBeNull();
  });

  it('with what every page failed by in the history of the panel', () => {
    const reasons: readonly RestartReason[] = onCalm()
      .facts()
      .restarts.map(({ reason }) => reason);
    expect(reasons).toEqual(Array<RestartReason>(6).fill('crashed'));
  });
});

describe('the storage of the dashboard', () => {
  it('is removed before the dashboard is loaded anew at the same place', () => {
    const panel = start();
    panel.show();
    panel.send({ type: 'renderer.navigate', path: '/lovelace/door', origin: 'http' });
    panel.settle('shown');
    panel.send({ type: 'renderer.clear-storage' });
    expect(panel.commands.slice(-3).map(({ type }) => type)).toEqual(['page.forget', 'page.freeze', 'page.load']);
    expect(panel.last('page.forget')).toEqual({ type: 'page.forget', origin: 'http://ha.test:8123' });
    expect(panel.last('page.load')).toMatchObject({ path: '/lovelace/door' });
    expect(panel.facts()).toMatchObject({ forget: [], restarts: [{ reason: 'storage-cleared' }] });
  });

  it('is removed while the offline page stands, which tries home again where it stood for it', () => {
    const panel = onCalm();
    panel.send({ type: 'renderer.clear-storage' });
    expect(panel.last('page.forget')).toBeDefined();
    expect(panel.facts()).toMatchObject({ phase: 'loading', fallback: null });
    const signedOut = start();
    signedOut.send({ type: 'credential.changed', credential: { phase: 'needed', method: null, revision: 1 } });
    signedOut.ready();
    signedOut.settle('shown', { path: '/glass' });
    signedOut.send({ type: 'renderer.clear-storage' });
    expect(signedOut.last('page.forget')).toBeDefined();
    expect(signedOut.facts().phase).toBe('waiting');
  });

  it('waits for a browser that starts', () => {
    const panel = start();
    panel.send({ type: 'renderer.clear-storage' });
    expect(panel.last('page.forget')).toBeUndefined();
    panel.ready();
    expect(panel.last('page.forget')).toEqual({ type: 'page.forget', origin: 'http://ha.test:8123' });
    expect(panel.facts().phase).toBe('loading');
  });

  it('is not there to be removed without an address', () => {
    const panel = start({ origin: null });
    panel.ready();
    panel.send({ type: 'renderer.clear-storage' });
    expect(panel.last('page.forget')).toBeUndefined();
    expect(panel.facts().restarts).toEqual([]);
  });
});
