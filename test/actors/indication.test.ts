import { describe, expect, it } from 'vitest';
import { createActor, setup } from 'xstate';

import { cameraIndication, microphoneIndication } from '#actors/indication.ts';
import type { HolderFacts, HoldOutcome, InUseHolder, InUseRefusal } from '#machines/in-use/events.ts';
import type { VoiceIndicationDriver, VoiceIndicationFact } from '#machines/voice/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

type Shown = HolderFacts['shown'];
const facts = (is: object, holder: InUseHolder = 'camera') => ({
  holders: [holder],
  each: { [holder]: is },
  confirmedAt: 0,
});
const shown = (by: Shown, refusal: string | null = null) => facts({ shown: by, refusal });
const lost = (refusal: string | null) => facts({ shown: 'none', refusal });

/** The indication under a session that notes what it is told. */
function held(
  outcome: HoldOutcome | 'no answer',
  inUse: unknown = shown('overlay'),
  follow: (...deps: Parameters<typeof microphoneIndication>) => VoiceIndicationDriver = cameraIndication,
) {
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const registry = fakeRegistry({ 'in-use': inUse });
  registry.answer = () => (outcome === 'no answer' ? { ok: false, reason: 'timeout' } : { ok: true, value: outcome });
  const heard: VoiceIndicationFact[] = [];
  const machine = setup({
    types: { events: {} as VoiceIndicationFact | { readonly type: 'hold' } | { readonly type: 'release' } },
    actors: { indication: follow(registry, () => closed) },
    actions: {
      note: (_, fact: VoiceIndicationFact) => void heard.push(fact),
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

describe('the mark of the microphone', () => {
  it('is followed apart from that of the camera', async () => {
    const { registry, heard, tell } = held(
      { status: 'shown', by: 'overlay' },
      facts({ shown: 'overlay', refusal: null }, 'microphone'),
      microphoneIndication,
    );
    tell('indication.hold');
    await settled();
    expect(registry.told).toEqual([{ id: 'in-use', event: { type: 'in-use.hold', holder: 'microphone' } }]);
    expect(heard).toEqual([{ type: 'indication.confirmed', by: 'overlay' }]);
    registry.put('in-use', shown('overlay'));
    expect(heard.at(-1)).toEqual({ type: 'indication.refused', reason: 'unconfirmed' });
    tell('indication.release');
    expect(registry.told.at(-1)).toEqual({ id: 'in-use', event: { type: 'in-use.release', holder: 'microphone' } });
  });

  it.each<[string, InUseRefusal, VoiceIndicationFact]>([
    ['that draws off-screen', 'headless', { type: 'indication.confirmed', by: 'none' }],
    ['without a renderer', 'no-renderer', { type: 'indication.confirmed', by: 'none' }],
    ['whose browser is missing', 'no-browser', { type: 'indication.refused', reason: 'no-browser' }],
    ['with a browser that starts', 'starting', { type: 'indication.refused', reason: 'starting' }],
  ])('on a panel %s', async (_, reason, fact) => {
    const { heard, tell } = held({ status: 'refused', reason }, shown('none'), microphoneIndication);
    tell('indication.hold');
    await settled();
    expect(heard).toEqual([fact]);
  });

  it('is never taken for shown by the camera', async () => {
    const { heard, tell } = held({ status: 'refused', reason: 'headless' });
    tell('indication.hold');
    await settled();
    expect(heard).toEqual([{ type: 'indication.refused', reason: 'headless' }]);
  });
});
