import { describe, expect, it } from 'vitest';
import { createActor, setup } from 'xstate';

import { cameraIndication } from '#actors/camera-indication.ts';
import type { IndicationFact } from '#machines/camera-session/events.ts';
import type { HoldOutcome } from '#machines/in-use/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const shown = (by: 'overlay' | 'led', refusal: string | null = null) => ({
  holders: ['camera'],
  shown: by,
  refusal,
  confirmedAt: 0,
});
const lost = (refusal: string | null) => ({ holders: ['camera'], shown: 'none', refusal, confirmedAt: 0 });

/** The indication under a session that notes what it is told. */
function held(outcome: HoldOutcome | 'no answer', facts: unknown = shown('overlay')) {
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const registry = fakeRegistry({ 'in-use': facts });
  registry.answer = () => (outcome === 'no answer' ? { ok: false, reason: 'timeout' } : { ok: true, value: outcome });
  const heard: IndicationFact[] = [];
  const machine = setup({
    types: { events: {} as IndicationFact | { readonly type: 'hold' } | { readonly type: 'release' } },
    actors: { indication: cameraIndication(registry, () => closed) },
    actions: {
      note: (_, fact: IndicationFact) => void heard.push(fact),
    },
  }).createMachine({
    invoke: { id: 'indication', src: 'indication' },
    on: {
      'indication.confirmed': { actions: { type: 'note', params: ({ event }) => event } },
      'indication.refused': { actions: { type: 'note', params: ({ event }) => event } },
    },
  });
  const actor = createActor(machine).start();
  const tell = (type: 'indication.hold' | 'indication.release', to = actor): void =>
    to.getSnapshot().children.indication?.send({ type });
  const releases = (): number => registry.told.filter(({ event }) => event.type === 'in-use.release').length;
  return { registry, heard, tell, actor, close, releases, again: () => createActor(machine).start() };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one turn after another
    await Promise.resolve();
  }
}

describe('the mark of the camera', () => {
  it('is confirmed, follows what shows it, and is lost with it', async () => {
    const { registry, heard, tell } = held({ status: 'shown', by: 'overlay' });
    tell('indication.hold');
    await settled();
    expect(heard).toEqual([{ type: 'indication.confirmed', by: 'overlay' }]);
    registry.put('in-use', lost(null));
    expect(heard).toHaveLength(1);
    registry.put('in-use', shown('led'));
    registry.put('in-use', lost('unconfirmed'));
    registry.put('in-use', undefined);
    expect(heard.slice(1)).toEqual([
      { type: 'indication.confirmed', by: 'led' },
      { type: 'indication.refused', reason: 'unconfirmed' },
      { type: 'indication.refused', reason: 'unconfirmed' },
    ]);
  });

  it('is lost with a part that has forgotten who holds it', async () => {
    const { registry, heard, tell } = held({ status: 'shown', by: 'overlay' });
    tell('indication.hold');
    await settled();
    registry.put('in-use', { holders: [], shown: 'none', refusal: null, confirmedAt: null });
    expect(heard.at(-1)).toEqual({ type: 'indication.refused', reason: 'unconfirmed' });
  });

  it.each<[string, HoldOutcome | 'no answer', string]>([
    ['is refused', { status: 'refused', reason: 'dark-without-led' }, 'dark-without-led'],
    ['does not come', 'no answer', 'unconfirmed'],
  ])('that %s', async (_, outcome, reason) => {
    const { heard, tell } = held(outcome);
    tell('indication.hold');
    await settled();
    expect(heard).toEqual([{ type: 'indication.refused', reason }]);
  });

  it('is released, and says nothing after that', async () => {
    const { registry, heard, tell } = held({ status: 'shown', by: 'overlay' });
    tell('indication.hold');
    tell('indication.release');
    await settled();
    registry.put('in-use', shown('led'));
    expect(heard).toEqual([]);
    expect(registry.told.at(-1)).toEqual({ id: 'in-use', event: { type: 'in-use.release', holder: 'camera' } });
  });

  it('outlasts a session that crashed, until what it opened is closed', async () => {
    const { actor, tell, close, releases } = held({ status: 'shown', by: 'overlay' });
    tell('indication.hold');
    await settled();
    actor.stop();
    await settled();
    expect(releases()).toBe(0);
    close();
    await settled();
    expect(releases()).toBe(1);
  });

  it('is left to the next session, if that holds it meanwhile', async () => {
    const { actor, again, tell, close, releases } = held({ status: 'shown', by: 'overlay' });
    tell('indication.hold');
    await settled();
    actor.stop();
    const next = again();
    tell('indication.hold', next);
    close();
    await settled();
    expect(releases()).toBe(0);
    tell('indication.release', next);
    expect(releases()).toBe(1);
    next.stop();
    await settled();
    expect(releases()).toBe(1);
  });

  it('is asked to go by no session that never held it', async () => {
    const { actor, close, releases } = held({ status: 'shown', by: 'overlay' });
    actor.stop();
    close();
    await settled();
    expect(releases()).toBe(0);
  });
});
