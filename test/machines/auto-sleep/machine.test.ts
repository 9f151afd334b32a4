import { expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import type { SleepCommand, SleepDisplay, SleepFact, SleepSet, SleepSettings } from '#machines/auto-sleep/events.ts';
import { autoSleepMachine } from '#machines/auto-sleep/machine.ts';
import { restingFacts, restingView } from '#machines/auto-sleep/off.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const chosen: SleepSettings = {
  enabled: true,
  source: 'touch',
  touchDelaySeconds: 30,
  offHours: '',
  dimHours: '',
  dimPercent: 20,
  wakeOnAnnouncement: false,
  wakeOnEntity: '',
  stayAwakeDashboard: '',
};
const display: SleepDisplay = { id: 'screen', lit: true, level: 200, dims: true, changed: null };

function start() {
  const sleep = fakeDriver<SleepCommand, SleepFact>();
  const displays = fakeDriver<SleepSet>();
  const settings = fakeDriver();
  const actor = createActor(
    autoSleepMachine.provide({
      actors: { sleep: sleep.logic, displays: displays.logic, settings: settings.logic },
    }),
    { clock: new SimulatedClock() },
  );
  const replies: unknown[] = [];
  actor.on('reply', (reply) => void replies.push(reply));
  actor.start();
  return { actor, sleep, displays, settings, replies };
}

it('passes settings and displays to its driver, and switches to the displays', () => {
  const { actor, sleep, displays } = start();
  actor.send({ type: 'settings.chosen', settings: chosen });
  actor.send({ type: 'displays.changed', displays: [display] });
  expect(sleep.commands).toEqual([
    { type: 'sleep.settings', settings: chosen },
    { type: 'sleep.displays', displays: [display] },
  ]);
  const dark = { type: 'sleep.set', screen: 'screen_2', on: false, origin: 'auto-sleep' } as const;
  actor.send(dark);
  expect(displays.commands).toEqual([dark]);
});

it('shows the last decision, and the source while auto-sleep is on', () => {
  const { actor } = start();
  const facts = () => actor.getSnapshot().context;
  expect(facts()).toEqual(restingFacts);
  const view = { ...restingView, phase: 'sleeping', reason: 'screen_off_hours' } as const;
  actor.send({ type: 'sleep.decided', view, ceiling: 51, at: 7, offHoursClock: '06:30' });
  actor.send({ type: 'sources.discovered', count: 40 });
  expect(facts()).toEqual({
    view,
    ceiling: 51,
    decidedAt: 7,
    offHoursClock: '06:30',
    discoveredCount: 40,
    source: null,
  });
  actor.send({ type: 'settings.chosen', settings: chosen });
  expect(facts().source).toBe('touch');
  actor.send({ type: 'settings.chosen', settings: { ...chosen, enabled: false } });
  expect(facts().source).toBeNull();
});

it('answers each request once, with what its driver answered', () => {
  const { actor, sleep, replies } = start();
  const requests = [
    { type: 'auto-sleep.sources', requestId: 'a' },
    { type: 'auto-sleep.include', requestId: 'b', areaKey: 'x', sourceKey: 'y', included: false },
    { type: 'auto-sleep.replay', requestId: 'd', hours: 6 },
  ] as const;
  for (const request of requests) actor.send(request);
  expect(sleep.commands).toEqual(requests);
  expect(replies).toEqual([]);
  const stale = { ok: false, reason: 'stale', message: 'Reload.' } as const;
  actor.send({ type: 'sleep.answered', requestId: 'b', outcome: stale });
  expect(replies).toEqual([{ type: 'reply', requestId: 'b', outcome: stale }]);
});

it.each([
  ['sleep', 'sleep-driver'],
  ['displays', 'display-follower'],
  ['settings', 'sleep-settings'],
] as const)('fails with %s', (which, reason) => {
  const one = start();
  one[which].crash();
  expect(one.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed', reason } });
});
