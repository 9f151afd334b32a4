import { SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { followIssues } from '#actors/companion/issues.ts';
import { capabilities } from '#machines/capabilities.ts';
import type { Issue } from '#machines/companion/issues.ts';
import { checking, needsYou, type Verdict, working } from '#machines/kit/verdict.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const fine = working('fine', 'It works.');
const lost = needsYou('lost', 'The part is lost.', 'The part.');
const locked = needsYou('locked', 'It may not be opened.', 'A right.', {
  command: 'sudo chmod a+rw /dev/part',
  effect: 'Lets all users open it.',
});

/** A panel whose volume and gateway are in order. */
function start({ rootShell = false, volume = fine } = {}) {
  const clock = new SimulatedClock();
  const registry = fakeRegistry({
    volume: { verdict: volume },
    zigbee: { verdict: fine },
    store: { loss: null, newer: null },
    'active-profile': { absent: [] },
    identity: {},
  });
  const parked: string[] = [];
  const news: (Issue | 'known')[] = [];
  const issues = followIssues(
    { registry, parked: () => parked, rootShell },
    {
      guard: (fn) => fn,
      after: (ms, fn) => {
        const timer = clock.setTimeout(fn, ms);
        return () => clock.clearTimeout(timer);
      },
      changed: (issue) => news.push(issue),
      known: () => news.push('known'),
    },
  );
  return {
    ...issues,
    registry,
    parked,
    judge: (actor: 'volume' | 'zigbee', verdict: Verdict) => registry.put(actor, { verdict }),
    /** What was told within so many milliseconds from now on. */
    toldWithin: (ms: number) => {
      news.splice(0);
      clock.increment(ms);
      return [...news];
    },
  };
}

const volumeLost: Issue = {
  type: 'issue',
  id: 'volume-lost',
  severity: 'error',
  title: 'Let Sconce set the volume',
  text: 'The part is lost.',
};

describe('the issues of a panel', () => {
  it('are none while nothing needs a person', () => {
    const panel = start();
    panel.judge('volume', working('fine-too', 'It works, too.'));
    expect([panel.told(), panel.toldWithin(60_000)]).toEqual([[], []]);
  });

  it('begin and end with what needs a person, a second later', () => {
    const panel = start();
    panel.judge('volume', lost);
    expect(panel.toldWithin(999)).toEqual([]);
    expect(panel.toldWithin(1)).toEqual([volumeLost]);
    expect(panel.told()).toEqual([volumeLost]);
    panel.judge('volume', fine);
    expect(panel.toldWithin(1000)).toEqual([{ type: 'issue', id: 'volume-lost', gone: true }]);
    expect(panel.told()).toEqual([]);
  });

  it('do not come of what is over within a second, and are told once for many changes', () => {
    const panel = start();
    panel.judge('volume', lost);
    panel.judge('volume', fine);
    expect(panel.toldWithin(60_000)).toEqual([]);
    for (const detail of ['One.', 'Two.', 'Three.']) panel.judge('volume', { ...lost, detail });
    panel.judge('zigbee', lost);
    expect(panel.toldWithin(60_000)).toMatchObject([
      { id: 'volume-lost', text: 'Three.' },
      { id: 'zigbee-lost', severity: 'warning', title: 'Get Zigbee gateway working' },
    ]);
  });

  it('are others for another reason', () => {
    const panel = start();
    panel.judge('volume', lost);
    panel.toldWithin(1000);
    panel.judge('volume', locked);
    expect(panel.toldWithin(1000)).toEqual([
      { type: 'issue', id: 'volume-lost', gone: true },
      {
        ...volumeLost,
        id: 'volume-locked',
        text: 'It may not be opened.\n\nOn the panel: `sudo chmod a+rw /dev/part`. Lets all users open it.',
      },
    ]);
  });

  it('have commands for the shell that the panel was started in', () => {
    const panel = start({ rootShell: true });
    panel.judge('volume', locked);
    panel.toldWithin(1000);
    expect(panel.told()[0]?.text).toContain('`chmod a+rw /dev/part`');
  });

  it('are known from the start', () => {
    const first = start();
    first.judge('volume', lost);
    const registry = first.registry;
    const issues = followIssues(
      { registry, parked: () => ['finder'], rootShell: false },
      {
        guard: (fn) => fn,
        after: () => () => {},
        changed: () => expect.unreachable(),
        known: () => expect.unreachable(),
      },
    );
    expect(issues.told().map(({ id }) => id)).toEqual(['volume-lost', 'parts-parked']);
  });

  it('are also parts that keep failing, and lost settings', () => {
    const panel = start();
    panel.parked.push('identity');
    panel.registry.put('identity', undefined);
    panel.registry.put('store', { loss: { reason: 'The settings were gone.', at: 0 }, newer: null });
    expect(panel.toldWithin(1000)).toMatchObject([
      { id: 'settings-lost', severity: 'warning', text: 'The settings were gone.' },
      { id: 'parts-parked', severity: 'error', title: 'The part identity keeps failing' },
    ]);
    panel.parked.splice(0);
    panel.registry.put('identity', {});
    expect(panel.toldWithin(1000)).toEqual([{ type: 'issue', id: 'parts-parked', gone: true }]);
  });

  it('are none of what the profile declares absent', () => {
    const panel = start();
    panel.judge('volume', lost);
    panel.registry.put('active-profile', { absent: capabilities.map(({ id }) => id) });
    expect(panel.toldWithin(1000)).toEqual([]);
  });

  it('are all known once the panel has looked at its parts', () => {
    const panel = start({ volume: checking });
    expect([panel.areKnown(), panel.toldWithin(30_000)]).toEqual([false, []]);
    panel.judge('volume', lost);
    expect(panel.toldWithin(1000)).toEqual([volumeLost, 'known']);
    expect([panel.areKnown(), panel.toldWithin(60_000)]).toEqual([true, []]);
    expect(start().areKnown()).toBe(true);
  });

  it('count as known after a minute, though a part does not come', () => {
    const panel = start({ volume: checking });
    expect(panel.toldWithin(59_999)).toEqual([]);
    expect(panel.toldWithin(1)).toEqual(['known']);
    panel.judge('volume', fine);
    expect(panel.toldWithin(60_000)).toEqual([]);
  });

  it('stay while their part is restarted', () => {
    const panel = start();
    panel.judge('volume', lost);
    panel.toldWithin(1000);
    panel.judge('volume', checking);
    expect(panel.toldWithin(60_000)).toEqual([]);
    panel.judge('volume', fine);
    expect(panel.toldWithin(1000)).toEqual([{ type: 'issue', id: 'volume-lost', gone: true }]);
  });

  it('are told no more after the end', () => {
    const panel = start();
    panel.judge('volume', lost);
    panel.stop();
    panel.judge('zigbee', lost);
    expect(panel.toldWithin(60_000)).toEqual([]);
  });
});
