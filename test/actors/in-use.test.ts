import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import { inUseSpec } from '#actors/in-use.ts';
import type { HolderFacts, InUseContext, MarkCommand, MarkFact } from '#machines/in-use/events.ts';
import { fakeDriver } from '../fakes/fake-driver.ts';
import { fakeRegistry } from '../fakes/registry.ts';

const kiosk = { mode: 'builtin', route: 'x11', lastEnd: null };
const free = { heldBy: null, holdShown: false, fault: null };
const held = { heldBy: 'in-use', holdShown: true, fault: null };

/** The part over these facts of others, with a hold on it. */
function panel(contexts: Readonly<Record<string, unknown>>, { simulated = false, android = false } = {}) {
  const registry = fakeRegistry({ renderer: kiosk, ...contexts });
  const mark = fakeDriver<MarkCommand, MarkFact>();
  const clock = new SimulatedClock();
  const timers = {
    setTimeout: clock.setTimeout.bind(clock),
    clearTimeout: (id: unknown) => clock.clearTimeout(id as number),
  };
  const spec = inUseSpec({ registry, mark: mark.logic, simulated, android, elapsed: () => 9, timers });
  const actor = createActor(spec.logic, { clock: new SimulatedClock() }).start();
  actor.send({ type: 'in-use.hold', requestId: 'r', holder: 'camera' });
  return {
    registry,
    actor,
    clock,
    again: () => createActor(spec.logic, { clock }).start(),
    told: () => registry.told.map(({ id, event }) => `${id} ${event.type}`),
    mark: () => mark.commands.map(({ type }) => type),
    facts: (): InUseContext & HolderFacts => {
      // The logic of this spec is the machine of this part.
      const { context } = actor.getSnapshot() as { context: InUseContext };
      return { ...context, ...context.each.camera };
    },
  };
}

describe('what decides how the room is shown that something is in use', () => {
  it.each<[string, Readonly<Record<string, unknown>>, object, string | null]>([
    ['a kiosk screen', {}, {}, null],
    ['none, with its picture off-screen', { renderer: { ...kiosk, route: 'headless' } }, {}, 'headless'],
    ['Firefox', { renderer: { ...kiosk, mode: 'external' } }, {}, 'foreign-browser'],
    ['a browser that starts', { renderer: { ...kiosk, route: null } }, {}, 'starting'],
    ['an Android panel', {}, { android: true }, 'android'],
    ['a dark screen', { screen: { lit: false } }, {}, 'dark-without-led'],
    [
      'a dark screen beside one that cannot be read',
      { screen: { lit: false }, screen_2: { lit: null } },
      {},
      'dark-without-led',
    ],
    // The mark is on one of them, and which one that is cannot be read.
    ['a dark screen beside a lit one', { screen: { lit: false }, screen_2: { lit: true } }, {}, 'dark-without-led'],
    ['the same the other way round', { screen: { lit: true }, screen_2: { lit: false } }, {}, 'dark-without-led'],
    ['several lit screens', { screen: { lit: true }, screen_2: { lit: true } }, {}, null],
    ['a screen that cannot be read', { screen: { lit: null } }, {}, null],
    ['a simulated panel', { renderer: { ...kiosk, route: 'headless' } }, { simulated: true }, null],
  ])('%s', (_, contexts, options, refusal) => {
    const room = panel(contexts, options);
    expect(room.facts()).toMatchObject({ refusal, holders: ['camera'] });
    expect(room.told()).toEqual([]);
  });

  it('a screen whose part restarts is as dark as before', () => {
    const room = panel({ screen: { lit: false }, led: held });
    expect(room.facts().shown).toBe('led');
    room.registry.put('screen', undefined);
    expect(room.facts().shown).toBe('led');
    room.registry.put('screen', { lit: true });
    expect([room.facts().shown, room.mark()]).toEqual(['none', ['mark.show']]);
  });
});

describe('the LED', () => {
  it('is held in the dark, once more after its part was started again, and released', () => {
    const room = panel({ screen: { lit: false }, led: free });
    expect(room.told()[0]).toBe('led light.hold');
    room.registry.put('led', held);
    expect(room.facts()).toMatchObject({ shown: 'led', confirmedAt: 9 });
    const before = room.told().length;
    room.registry.put('led', undefined);
    expect(room.facts().shown).toBe('none');
    room.registry.put('led', free);
    expect(room.told().slice(before)).toEqual(['led light.hold']);
    room.registry.put('led', held);
    expect(room.facts().shown).toBe('led');
    room.actor.send({ type: 'in-use.release', holder: 'camera' });
    expect(room.told().at(-1)).toBe('led light.release');
    const after = room.told().length;
    room.registry.put('led', free);
    expect(room.told()).toHaveLength(after);
  });

  it('that refuses is reported at once', () => {
    const room = panel({ screen: { lit: false }, led: free });
    room.registry.put('led', { heldBy: 'in-use', holdShown: false, fault: 'EACCES' });
    expect(room.facts().refusal).toBe('led-failed');
  });

  it('whose last request failed is none that refuses', () => {
    const room = panel({ screen: { lit: false }, led: { ...free, fault: 'EACCES' } });
    expect(room.facts().refusal).toBe(null);
  });

  it('outlasts a part that crashed for two seconds', () => {
    const room = panel({ screen: { lit: false }, led: held });
    room.actor.stop();
    room.clock.increment(1999);
    expect(room.told()).toEqual(['led light.hold']);
    room.clock.increment(1);
    expect(room.told().at(-1)).toBe('led light.release');
  });

  it('stays if the part that comes next holds it', () => {
    const room = panel({ screen: { lit: false }, led: held });
    room.actor.stop();
    const next = room.again();
    next.send({ type: 'in-use.hold', requestId: 'r', holder: 'camera' });
    room.clock.increment(5000);
    expect(room.told()).toEqual(['led light.hold', 'led light.hold']);
    next.stop();
  });

  it('is left alone on a lit screen', () => {
    const room = panel({ screen: { lit: true }, led: free });
    room.actor.stop();
    expect(room.told()).toEqual([]);
  });
});
