import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { handOver, handOverLogin, type HomeAssistantLogin, readCredentials } from '#bin/credentials.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const home = 'http://192.168.1.20:8123';
const credentials = { mqtt_password: 'hunter2' };

const run = (outcome: unknown, given: Readonly<Record<string, string>> = credentials) => {
  const registry = fakeRegistry({ settings: { revision: 0 } });
  registry.answer = () => ({ ok: true, value: outcome });
  const lines: string[] = [];
  const log = createLogger({ level: 'info', secretKeys: [], human: false, write: (line) => void lines.push(line) });
  const ending = new AbortController();
  const done = handOver(registry, given, log, ending.signal);
  return { registry, lines, done, end: () => ending.abort() };
};

describe('credentials handed over in files', () => {
  it('are saved once, and not before the settings are loaded', async () => {
    const { registry, lines, done } = run({ status: 'saved' });
    await settle();
    expect(registry.told).toEqual([]);
    registry.put('settings', { revision: 1 });
    await done;
    registry.put('settings', { revision: 2 });
    await settle();
    expect(registry.told).toEqual([{ id: 'settings', event: { type: 'settings.merge', patch: credentials } }]);
    expect(lines).toEqual([]);
  });

  it('that are not saved are an error in the log, by name only', async () => {
    const { registry, lines, done } = run({ status: 'refused' });
    registry.put('settings', { revision: 1 });
    await done;
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('mqtt_password');
    expect(lines[0]).not.toContain('hunter2');
  });

  it('are let go of when the agent ends before the settings are loaded', async () => {
    const { registry, lines, done, end } = run({ status: 'saved' });
    end();
    await done;
    registry.put('settings', { revision: 1 });
    await settle();
    expect([registry.told, lines]).toEqual([[], []]);
  });

  it('that are none wait for nothing', async () => {
    const { registry, done } = run({ status: 'saved' }, {});
    await done;
    expect(registry.told).toEqual([]);
  });
});

describe('files of credentials', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-credentials-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const none = { mqttPassFile: null, haTokenFile: null, haLogin: null };
  const file = (text: string, mode = 0o600, name = 'credential'): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  const ofLogin = (passFile: string) => readCredentials({ ...none, haLogin: { url: home, user: 'wall', passFile } });

  it('bring a password to whoever takes it first', () => {
    const read = ofLogin(file('hunter2 \n'));
    const takeLogin = read.ok ? read.value.takeLogin : () => null;
    expect(JSON.stringify(read)).not.toContain('hunter2');
    expect(takeLogin()).toEqual({ homeAssistant: home, username: 'wall', password: 'hunter2 ' });
    expect(takeLogin()).toBeNull();
  });

  it.each([0o640, 0o604, 0o620, 0o601])('refuse a password that others may get at (mode %o)', (mode) => {
    const path = file('hunter2', mode);
    expect(ofLogin(path)).toEqual({
      ok: false,
      reason: 'unreadable',
      message: `The file of --ha-pass-file can be read by others than its owner. Run: chmod 600 ${path}`,
    });
  });

  it('name the file as a shell takes it', () => {
    expect(ofLogin(file('x', 0o644, "it's $HOME"))).toMatchObject({
      message: expect.stringContaining(`chmod 600 '${folder}/it'\\''s $HOME'`),
    });
  });

  it.each([
    ['empty', ''],
    ['empty but for its end', '\n'],
    ['too long', 'x'.repeat(16_385)],
  ])('refuse a password that is %s', (_, text) => {
    expect(ofLogin(file(text))).toMatchObject({ ok: false, message: expect.stringContaining('--ha-pass-file') });
  });

  it('are read to their bound and no further', () => {
    expect(readCredentials({ ...none, mqttPassFile: '/dev/zero' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('too long'),
    });
  });

  it('name the older options whose files others can read', () => {
    const open = { ...none, mqttPassFile: file('a', 0o644, 'mqtt'), haTokenFile: file('b', 0o600, 'token') };
    expect(readCredentials(open)).toMatchObject({
      ok: true,
      value: { credentials: { mqtt_password: 'a', ha_token: 'b' }, open: ['--mqtt-pass-file'] },
    });
  });
});

describe('a login handed over', () => {
  const login = { homeAssistant: home, username: 'wall', password: 'hunter2' };
  const offer = (offered: HomeAssistantLogin | null) => {
    const registry = fakeRegistry({});
    const ending = new AbortController();
    let taken = 0;
    const takeLogin = () => {
      taken += 1;
      return offered;
    };
    const done = handOverLogin(registry, takeLogin, () => 'http://192.168.1.40:8888', ending.signal);
    return { registry, done, end: () => ending.abort(), taken: () => taken };
  };

  it('goes to the sign-in once, as soon as that runs', async () => {
    const { registry, done, taken } = offer(login);
    await settle();
    expect(taken()).toBe(0);
    registry.put('sign-in', {});
    await settle();
    expect(taken()).toBe(0);
    registry.put('settings', { revision: 1, values: { ha_url: home } });
    await done;
    registry.put('sign-in', {});
    await settle();
    expect(registry.told).toEqual([
      {
        id: 'sign-in',
        event: {
          type: 'sign-in.by-password',
          homeAssistant: home,
          username: 'wall',
          password: 'hunter2',
          panelOrigin: 'http://192.168.1.40:8888',
        },
      },
    ]);
  });

  it('names the address of its Home Assistant where none is set, before it is used', async () => {
    const { registry, done } = offer(login);
    registry.answer = () => ({ ok: true, value: { status: 'saved' } });
    registry.put('sign-in', {});
    registry.put('settings', { revision: 1, values: { ha_url: '' } });
    await done;
    expect(registry.told.map(({ event }) => event)).toEqual([
      expect.objectContaining({ type: 'settings.merge', patch: { ha_url: home } }),
      expect.objectContaining({ type: 'sign-in.by-password', homeAssistant: home }),
    ]);
  });

  it('that is none tells nothing, and neither does one whose agent ends', async () => {
    const nobody = offer(null);
    nobody.registry.put('sign-in', {});
    nobody.registry.put('settings', { revision: 1, values: { ha_url: '' } });
    await nobody.done;
    const ended = offer(login);
    ended.end();
    await ended.done;
    expect([nobody.registry.told, ended.registry.told, ended.taken()]).toEqual([[], [], 0]);
  });
});
