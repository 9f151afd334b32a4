import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';

import { mqttSpec } from '#actors/mqtt.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { passwordMark } from '#drivers/mqtt/password-mark.ts';
import type { BrokerCommand, BrokerFact, ConnectionInput } from '#machines/mqtt/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';

const INSTALL = 'a'.repeat(32);
const PASSWORD = 'correct-horse';
const HOME = { name: 'home.local', address: '10.0.0.2', port: 1883 };
const section = (password: string | null, binding: object) => ({
  version: 1,
  password: password === null ? null : passwordMark(password, INSTALL),
  binding,
});
const found = (host: string) => ({ outcome: 'found', host, name: 'home.local' });

/** One run of the link over what the disk holds; each connection that gets a password is accepted. */
const start = (disk: { broker: unknown }, password: string | null, handedOver: string | null = null) => {
  const { settings } = settledFacts();
  let current = password;
  let revision = 1;
  let refuses = false;
  const settingsNow = () => ({
    ...(settings as object),
    revision,
    values: { mqtt_broker: '', mqtt_user: 'panel' },
    secrets: { mqtt_password: current !== null },
  });
  const registry = fakeRegistry({
    settings: settingsNow(),
    identity: { panelId: 'hall', installId: INSTALL },
  });
  registry.answer = (_, event) => {
    if (event.type === 'store.read') return { ok: true, value: { ok: true, value: disk.broker } };
    if (refuses) return { ok: true, value: { ok: false, reason: 'EROFS' } };
    // Of a commit, which names the section and its value.
    disk.broker = 'value' in event ? event.value : disk.broker;
    return { ok: true, value: { ok: true } };
  };
  const attempts: string[] = [];
  const marks: (string | null)[] = [];
  const connection = fromDriver<BrokerCommand, ConnectionInput, BrokerFact>(({ input, send }) => {
    attempts.push(`${input.host} ${input.passwordSet ? 'password' : '-'}`);
    marks.push(input.passwordMark);
    if (input.passwordSet) send({ type: 'broker.connected', generation: input.generation, protocol: 5, at: 1 });
  });
  const spec = mqttSpec({
    registry,
    readPassword: async () => current,
    markPassword: passwordMark,
    handedOver,
    connection,
  });
  const actor = createActor(spec.logic).start();
  const pass = () => vi.advanceTimersByTimeAsync(0);
  return {
    actor,
    attempts,
    marks,
    pass,
    find: async (facts: object) => {
      registry.put('finder', facts);
      await pass();
    },
    save: async (next: string | null) => {
      current = next;
      revision += 1;
      registry.put('settings', settingsNow());
      await pass();
    },
    wearOut: () => void (refuses = true),
    stop: async () => {
      actor.stop();
      await pass();
    },
  };
};

describe('which broker a password is for', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is kept without the password, and counts after a restart', async () => {
    const disk = { broker: null };
    const first = start(disk, null);
    await first.find(found('10.0.0.2'));
    expect(disk.broker).toEqual(section(null, { kind: 'unconfirmed' }));
    await first.save(PASSWORD);
    expect(disk.broker).toEqual(section(PASSWORD, { kind: 'bound', broker: HOME }));
    expect(JSON.stringify(disk)).not.toContain(PASSWORD);
    expect(first.attempts).toEqual(['10.0.0.2 -', '10.0.0.2 password']);
    // Each attempt is released for the password that was looked at, and sends no other.
    expect(first.marks).toEqual([null, passwordMark(PASSWORD, INSTALL)]);
    await first.stop();
    const second = start(disk, PASSWORD);
    await second.find(found('10.0.0.3'));
    expect(second.attempts).toEqual(['10.0.0.3 -']);
    expect(second.marks).toEqual([null]);
    await second.stop();
  });

  it('is the first that accepts it on a panel that had one before, and is not asked again', async () => {
    const disk = { broker: null };
    const first = start(disk, PASSWORD);
    await first.pass();
    expect(disk.broker).toEqual(section(PASSWORD, { kind: 'open', by: 'upgrade' }));
    await first.find(found('10.0.0.2'));
    expect(first.actor.getSnapshot()).toMatchObject({ context: { boundAt: 1 } });
    expect(disk.broker).toEqual(section(PASSWORD, { kind: 'bound', broker: HOME }));
    await first.stop();
  });

  it('is the first that accepts one from a file, and a restart with the same file binds nothing anew', async () => {
    const disk = { broker: section(null, { kind: 'unconfirmed' }) };
    const first = start(disk, null, PASSWORD);
    await first.pass();
    await first.save(PASSWORD);
    expect(disk.broker).toEqual(section(PASSWORD, { kind: 'open', by: 'file' }));
    await first.find(found('10.0.0.2'));
    expect(disk.broker).toEqual(section(PASSWORD, { kind: 'bound', broker: HOME }));
    await first.stop();
    const second = start(disk, PASSWORD, PASSWORD);
    await second.find(found('10.0.0.3'));
    expect([second.attempts, disk.broker]).toEqual([
      ['10.0.0.3 -'],
      section(PASSWORD, { kind: 'bound', broker: HOME }),
    ]);
    await second.stop();
  });

  it('is none where it waits for a word, and the same in a file does not change that', async () => {
    const disk = { broker: section(PASSWORD, { kind: 'unconfirmed' }) };
    const run = start(disk, PASSWORD, PASSWORD);
    await run.find(found('10.0.0.2'));
    expect(run.actor.getSnapshot()).toMatchObject({ value: 'unconfirmed' });
    await run.save('other-horse');
    await run.save(PASSWORD);
    expect(disk.broker).toEqual(section(PASSWORD, { kind: 'bound', broker: HOME }));
    await run.stop();
  });

  it('is none after it was changed while nobody looked, or where the section cannot be read', async () => {
    for (const broker of [section('older-horse', { kind: 'bound', broker: HOME }), { version: 9 }]) {
      const run = start({ broker }, PASSWORD);
      // oxlint-disable-next-line no-await-in-loop -- one run after another
      await run.find(found('10.0.0.2'));
      expect(run.actor.getSnapshot()).toMatchObject({ value: 'unconfirmed' });
      expect(run.attempts).toEqual([]);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await run.stop();
    }
  });

  it('is what the disk has: a word that it does not take changes nothing', async () => {
    const disk = { broker: section(PASSWORD, { kind: 'unconfirmed' }) };
    const run = start(disk, PASSWORD);
    await run.find(found('10.0.0.2'));
    run.wearOut();
    const confirm = async () => {
      run.actor.send({ type: 'mqtt.confirm', requestId: 'r', broker: HOME });
      await run.pass();
    };
    await confirm();
    expect(run.actor.getSnapshot()).toMatchObject({ value: 'unconfirmed' });
    expect(run.attempts).toEqual([]);
    await run.stop();
  });
});
