import { createActor, type EventObject } from 'xstate';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { identitySpec } from '#actors/identity.ts';
import { RECALL_PAUSE_MS } from '#actors/kit/stored-section.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { IdentityContext, IdentityFact } from '#machines/identity/events.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const fingerprint = 'a'.repeat(64);
const fresh = 'beef'.repeat(8);
const settings = (values: Record<string, string>, revision = 1) => ({ values, revision });

let running: { readonly stop: () => void } | undefined;
afterEach(() => {
  running?.stop();
  vi.useRealTimers();
});

async function start(
  disk: { record: unknown; failure: string | null; silent?: boolean },
  options: { settings?: unknown; crash?: boolean } = {},
) {
  const registry = fakeRegistry({ settings: options.settings ?? settings({}) });
  registry.answer = (_, event) => {
    if (disk.silent === true) return { ok: false, reason: 'timeout' };
    if (event.type === 'store.read') return { ok: true, value: { ok: true, value: disk.record } };
    if (disk.failure !== null) return { ok: true, value: { ok: false, reason: disk.failure } };
    if ('section' in event && event.section === 'identity' && 'value' in event) disk.record = event.value;
    return { ok: true, value: { ok: true } };
  };
  const machineFacts = fromDriver<EventObject, undefined, IdentityFact>(({ send }) => {
    if (options.crash === true) throw new Error('broken');
    send({
      type: 'machine.observed',
      facts: {
        hostName: 'debian',
        system: 'Debian GNU/Linux 13',
        vendor: '',
        product: '',
        fingerprint,
        fingerprints: [fingerprint],
      },
      fresh,
    });
  });
  const clock = createClock();
  const spec = identitySpec({ registry, machineFacts, version: '0.1.0', build: '0badcafe' });
  const actor = createActor(spec.logic, { input: spec.input?.(), clock: clock.clock });
  actor.subscribe({ error: () => {} });
  actor.start();
  running = actor;
  await settle();
  return {
    actor,
    clock,
    registry,
    value: (): unknown => actor.getSnapshot().value,
    facts: (): IdentityContext => actor.getSnapshot().context,
  };
}

describe('the identity actor', () => {
  it('generates once, saves it, and finds it again', async () => {
    const disk = { record: null as unknown, failure: null };
    const first = await start(disk);
    expect(first.value()).toBe('ready');
    expect(first.facts()).toMatchObject({
      panelId: 'debian_beef',
      installId: fresh,
      friendlyName: 'Panel beef',
      version: '0.1.0',
      build: '0badcafe',
    });
    expect(disk.record).toEqual({
      installId: fresh,
      fingerprint,
      fingerprints: [fingerprint],
      autoPanelId: 'debian_beef',
    });
    first.actor.stop();
    disk.record = { installId: '1'.repeat(32), fingerprint, fingerprints: [fingerprint], autoPanelId: 'kept' };
    const again = await start(disk);
    expect(again.facts()).toMatchObject({ panelId: 'kept', installId: '1'.repeat(32) });
  });

  it('waits for the settings and follows the names the owner gives', async () => {
    const { value, facts, registry } = await start({ record: null, failure: null }, { settings: settings({}, 0) });
    expect(value()).toBe('gathering');
    // The settings may wait for the install id themselves.
    expect([facts().installId, facts().panelId]).toEqual([fresh, '']);
    registry.put('settings', settings({ panel_id: 'hall', friendly_name: 'The hall' }));
    await settle();
    expect(value()).toBe('ready');
    expect(facts()).toMatchObject({ panelId: 'hall', friendlyName: 'The hall' });
    registry.put('settings', undefined);
    expect(facts().panelId).toBe('hall');
    registry.put('settings', settings({ panel_id: '' }, 2));
    expect(facts().panelId).toBe('debian_beef');
  });

  it('works under an identity that could not be saved, and saves it when the disk does', async () => {
    const disk: { record: unknown; failure: string | null } = { record: null, failure: 'ENOSPC' };
    const { value, facts, clock } = await start(disk);
    expect(value()).toBe('unsaved');
    expect(facts().panelId).toBe('debian_beef');
    disk.failure = null;
    clock.pass(60_000, 1000);
    await settle();
    expect(value()).toBe('ready');
    expect(disk.record).toMatchObject({ installId: fresh });
  });

  it('asks a silent store again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const disk = { record: null as unknown, failure: null, silent: true };
    const { value } = await start(disk);
    expect(value()).toBe('gathering');
    disk.silent = false;
    await vi.advanceTimersByTimeAsync(RECALL_PAUSE_MS);
    expect(value()).toBe('ready');
  });

  it('fails when a part of it crashes', async () => {
    const broken = await start({ record: null, failure: null }, { crash: true });
    expect(broken.actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'identity-part' },
    });
  });
});
