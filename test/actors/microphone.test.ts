import { createActor } from 'xstate';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { microphoneSpec } from '#actors/microphone.ts';
import type { AskOutcome } from '#actors/kit/registry.ts';
import type { MicrophoneOrder, OrderFile } from '#drivers/microphone/order-file.ts';
import type { MicrophoneContext, MicrophoneDriverCommand, MicrophoneFact } from '#machines/microphone/events.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const installId = 'a'.repeat(32);
const saved: AskOutcome<unknown> = { ok: true, value: { status: 'saved', applied: [] } };

const values = (voice: boolean, allowed: boolean, revision = 1) => ({
  revision,
  values: { voice_enabled: voice, microphone_access: allowed },
});

const actors: { readonly stop: () => void }[] = [];
afterEach(() => {
  for (const actor of actors.splice(0)) actor.stop();
});

/** The part over these facts; `answers` has what a person says, `left` what was typed on the machine. */
function start({
  answers = 'approved',
  merge = saved,
  left = null,
  place = { kind: 'screen' },
}: {
  readonly answers?: string;
  readonly merge?: AskOutcome<unknown>;
  readonly left?: MicrophoneOrder | 'invalid' | null;
  readonly place?: object;
} = {}) {
  const registry = fakeRegistry({
    settings: values(false, false),
    identity: { installId },
    approvals: { place },
  });
  let order = left;
  const removed = vi.fn<OrderFile['remove']>(async () => {
    order = null;
    return null;
  });
  let answer: (said: string) => void = () => {};
  registry.answer = (id, event) => {
    if (id !== 'approvals') {
      // What is saved is in force before it is answered.
      const patch = (event as { patch?: Readonly<Record<string, boolean>> }).patch ?? {};
      const isOn = registry.read('settings')?.context.values['voice_enabled'] === true;
      if (merge === saved) registry.put('settings', values(isOn, patch['microphone_access'] === true, 2));
      return merge;
    }
    if (answers !== 'later') return { ok: true, value: answers };
    const pending = new Promise<AskOutcome<unknown>>((resolve) => {
      answer = (said) => resolve({ ok: true, value: said });
    });
    // The fake awaits what it gets.
    return pending as unknown as AskOutcome<unknown>;
  };
  const source = fakeDriver<MicrophoneDriverCommand, MicrophoneFact>({
    type: 'microphone.enumerated',
    scan: { found: 'devices', count: 1, refused: 0 },
    user: 'kiosk',
  });
  const spec = microphoneSpec({
    registry,
    driver: source.logic,
    orders: { read: async () => order, remove: removed },
    elapsed: () => 7,
  });
  const actor = createActor(spec.logic, { input: spec.input?.() }).start();
  actors.push(actor);
  const facts = (): MicrophoneContext => (actor.getSnapshot() as unknown as { context: MicrophoneContext }).context;
  const events = (id: string) => registry.told.filter((one) => one.id === id).map(({ event }) => event);
  return { registry, actor, facts, events, removed, answer: (said: string) => answer(said) };
}

const merged = (isAllowed: boolean) => ({
  type: 'settings.merge',
  patch: { microphone_access: isAllowed },
  consent: 'MICROPHONE_ACCESS',
});

describe('the permission at the panel', () => {
  it('is asked for when voice is turned on, and saved with its consent', async () => {
    const room = start();
    expect(room.facts().permission).toBe('needed');
    room.registry.put('settings', values(true, false));
    await vi.waitFor(() => expect(room.facts().permission).toBe('allowed'));
    expect(room.events('approvals')[0]).toMatchObject({
      type: 'approval.ask',
      request: { operation: 'MICROPHONE_ACCESS', what: '', code: null, at: 7 },
    });
    expect(room.events('settings')).toEqual([merged(true)]);
  });

  it.each([
    ['denied', 'denied'],
    ['expired', 'denied'],
    ['no-place', 'no-place'],
  ])('that is answered by %s saves nothing', async (answers, permission) => {
    const room = start({ answers });
    room.registry.put('settings', values(true, false));
    await vi.waitFor(() => expect(room.facts().permission).toBe(permission));
    expect(room.events('settings')).toEqual([]);
  });

  it('is asked for once more when a browser comes back', async () => {
    const room = start({ answers: 'no-place', place: { kind: 'none', reason: 'no-browser' } });
    room.registry.put('settings', values(true, false));
    await vi.waitFor(() => expect(room.facts().permission).toBe('no-place'));
    const asked = (): number => room.events('approvals').length;
    expect(asked()).toBe(1);
    room.registry.put('approvals', { place: { kind: 'screen' } });
    await vi.waitFor(() => expect(asked()).toBe(2));
    await vi.waitFor(() => expect(room.facts().permission).toBe('no-place'));
    room.registry.put('approvals', { place: { kind: 'none', reason: 'no-browser' } });
    room.registry.put('approvals', { place: { kind: 'screen' } });
    expect([room.facts().permission, asked()]).toEqual(['no-place', 2]);
  });

  it('is not asked for in a place that was there all the time', async () => {
    const room = start({ answers: 'no-place' });
    room.registry.put('settings', values(true, false));
    await vi.waitFor(() => expect(room.facts().permission).toBe('no-place'));
    expect(room.events('approvals')).toHaveLength(1);
  });

  it('that the disk refused can be asked for again', async () => {
    const room = start({ merge: { ok: true, value: { status: 'commit-failed', reason: 'ENOSPC' } } });
    room.registry.put('settings', values(true, false));
    await vi.waitFor(() => expect(room.facts().permission).toBe('denied'));
    room.actor.send({ type: 'microphone.ask' });
    await vi.waitFor(() => expect(room.events('settings')).toHaveLength(2));
  });

  it('waits for a browser that is starting', async () => {
    const room = start({ place: { kind: 'none', reason: 'starting' } });
    room.registry.put('settings', values(true, false));
    expect([room.facts().permission, room.events('approvals')]).toEqual(['asking', []]);
    room.registry.put('approvals', { place: { kind: 'screen' } });
    await vi.waitFor(() => expect(room.facts().permission).toBe('allowed'));
  });

  it('is taken back when voice is turned off, and a late answer changes nothing', async () => {
    const room = start({ answers: 'later' });
    room.registry.put('settings', values(true, false));
    await vi.waitFor(() => expect(room.events('approvals')).toHaveLength(1));
    room.registry.put('settings', values(false, false));
    expect(room.facts().permission).toBe('needed');
    expect(room.events('approvals').at(-1)).toEqual({ type: 'approval.withdraw', operation: 'MICROPHONE_ACCESS' });
    room.answer('approved');
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([room.events('settings'), room.facts().permission]).toEqual([[], 'needed']);
  });

  it('says nothing while the settings are not read, or restart', () => {
    const room = start();
    room.registry.put('settings', values(true, true, 0));
    room.registry.put('settings', undefined);
    expect(room.facts()).toMatchObject({ isVoiceOn: false, permission: 'needed' });
  });

  it('follows why voice can use no source', () => {
    const room = start();
    room.registry.put('voice', { earFailure: 'no-device' });
    expect(room.facts().earFailure).toBe('no-device');
    room.registry.put('voice', undefined);
    expect(room.facts().earFailure).toBeNull();
  });
});

describe('what was typed on this machine', () => {
  it.each([
    ['allow', true],
    ['forget', false],
  ] as const)('%s is carried out once', async (task, isAllowed) => {
    const room = start({ left: { do: task, installId } });
    await vi.waitFor(() => expect(room.removed).toHaveBeenCalled());
    expect(room.events('settings')).toEqual([merged(isAllowed)]);
    await vi.waitFor(() => expect(room.facts().permission).toBe(isAllowed ? 'allowed' : 'needed'));
  });

  it.each<[string, MicrophoneOrder | 'invalid']>([
    ['for another machine', { do: 'allow', installId: 'b'.repeat(32) }],
    ['that no person wrote', 'invalid'],
  ])('%s is only removed', async (_, left) => {
    const room = start({ left });
    await vi.waitFor(() => expect(room.removed).toHaveBeenCalled());
    expect(room.events('settings')).toEqual([]);
  });

  it.each<[string, AskOutcome<unknown>]>([
    ['the disk refused', { ok: true, value: { status: 'commit-failed', reason: 'ENOSPC' } }],
    ['a job holds', { ok: true, value: { status: 'busy' } }],
    ['do not answer', { ok: false, reason: 'timeout' }],
  ])('stays for the next look if the settings: %s', async (_, merge) => {
    const room = start({ left: { do: 'allow', installId }, merge });
    await vi.waitFor(() => expect(room.events('settings').length).toBeGreaterThan(0));
    const before = room.events('settings').length;
    room.actor.send({ type: 'microphone.probe' });
    await vi.waitFor(() => expect(room.events('settings').length).toBeGreaterThan(before));
    expect(room.removed).not.toHaveBeenCalled();
  });
});
