import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { isOpenToOthers } from '#bin/credential-file.ts';
import { handOver, handOverLogin, type HomeAssistantLogin, readCredentials } from '#bin/credentials.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const home = 'http://192.168.1.20:8123';
const credentials = { mqtt_password: 'hunter2' };
const taken = { status: 'provisioned', applied: ['mqtt_password'], kept: [], unaddressed: [] };

function run(outcome: unknown, given: Readonly<Record<string, string>> = credentials) {
  const registry = fakeRegistry({ settings: { revision: 0 } });
  registry.answer = () => ({ ok: true, value: outcome });
  const lines: string[] = [];
  const log = createLogger({ level: 'info', secretKeys: [], human: false, write: (line) => void lines.push(line) });
  const ending = new AbortController();
  const done = handOver(registry, given, log, ending.signal);
  return { registry, lines, done, end: () => ending.abort() };
}

describe('what is given', () => {
  it('goes to the settings once, and not before these are loaded', async () => {
    const { registry, lines, done } = run(taken);
    await settle();
    expect(registry.told).toEqual([]);
    registry.put('settings', { revision: 1 });
    expect(await done).toBe(true);
    registry.put('settings', { revision: 2 });
    await settle();
    expect(registry.told).toEqual([{ id: 'settings', event: { type: 'settings.provision', values: credentials } }]);
    expect(lines.join('')).not.toContain('hunter2');
  });

  it('and is kept out by what was set on the panel is in the log, by name only', async () => {
    const { registry, lines, done } = run({
      status: 'provisioned',
      applied: [],
      kept: ['mqtt_password'],
      unaddressed: [],
    });
    registry.put('settings', { revision: 1 });
    expect(await done).toBe(true);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'Kept what was set on the panel.',
      settings: ['mqtt_password'],
    });
    expect(lines[0]).not.toContain('hunter2');
  });

  it('and is not saved is an error in the log, by name only', async () => {
    const { registry, lines, done } = run({ status: 'refused', reasons: {} });
    registry.put('settings', { revision: 1 });
    expect(await done).toBe(false);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('mqtt_password');
    expect(lines[0]).not.toContain('hunter2');
  });

  it('is let go of when the agent ends before the settings are loaded', async () => {
    const { registry, lines, done, end } = run(taken);
    end();
    expect(await done).toBe(false);
    registry.put('settings', { revision: 1 });
    await settle();
    expect([registry.told, lines]).toEqual([[], []]);
  });

  it('waits for the operation that holds the settings, and is saved then', async () => {
    const { registry, lines, done } = run(taken);
    registry.put('maintenance', { running: { kind: 'restore' } });
    registry.answer = () => ({ ok: true, value: { status: 'busy' } });
    registry.put('settings', { revision: 1 });
    await settle();
    expect([registry.told.length, lines]).toEqual([1, []]);
    registry.answer = () => ({ ok: true, value: taken });
    registry.put('maintenance', { running: null });
    expect(await done).toBe(true);
    expect(registry.told.map(({ event }) => event.type)).toEqual(['settings.provision', 'settings.provision']);
  });

  it('and is nothing waits for nothing', async () => {
    const { registry, done } = run(taken, {});
    expect(await done).toBe(true);
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
  const bytes = (...content: number[]): string => {
    const path = file('');
    writeFileSync(path, Buffer.from(content));
    return path;
  };
  const circle = (): string => {
    const path = join(folder, 'circle');
    rmSync(path, { force: true });
    symlinkSync(path, path);
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

  it.each([
    ['secret', 'secret'],
    ['secret\n', 'secret'],
    ['secret\r\n', 'secret'],
    [' se cret ', ' se cret '],
    ['pässwört\n', 'pässwört'],
  ])('are read without the one end of their line: %j', (text, password) => {
    expect(readCredentials({ ...none, mqttPassFile: file(text) })).toMatchObject({
      value: { credentials: { mqtt_password: password }, open: [] },
    });
  });

  it.each([0o640, 0o604, 0o620, 0o601])('refuse a password that others may get at (mode %o)', (mode) => {
    const path = file('hunter2', mode);
    expect(ofLogin(path)).toEqual({
      ok: false,
      reason: 'unreadable',
      message: `Users other than its owner can read the file of --ha-pass-file. Run: chmod 600 ${path}`,
    });
  });

  it('name the file as a shell takes it', () => {
    expect(ofLogin(file('x', 0o644, "it's $HOME"))).toMatchObject({
      message: expect.stringContaining(`chmod 600 '${folder}/it'\\''s $HOME'`),
    });
  });

  it.each([
    ['empty', () => file(''), 'is empty'],
    ['empty but for its end', () => file('\n'), 'is empty'],
    ['too long', () => file('x'.repeat(16_385)), 'too long'],
    ['of 10 MB', () => file('x'.repeat(10 * 1024 * 1024)), 'too long'],
    ['a folder', () => (mkdirSync(join(folder, 'folder'), { recursive: true }), join(folder, 'folder')), 'a folder'],
    ['a device without an end', () => '/dev/zero', 'not an ordinary file'],
    ['blank', () => file(' \t\n'), 'is empty'],
    ['of two lines', () => file('secret\nhunter2\n'), 'more than one line'],
    ['of a line and an empty one', () => file('secret\n\n'), 'more than one line'],
    ['binary', () => file('se\0cret'), 'not plain text'],
    ['in another encoding', () => bytes(0x70, 0xe4, 0x73, 0x73), 'not plain text'],
    ['not there', () => join(folder, 'nowhere'), 'is not there. Check its path.'],
    ['below a file', () => join(file('x'), 'below'), 'is not there. Check its path.'],
    ['behind a circle of links', () => circle(), 'cannot be read (ELOOP). Check its path.'],
    [
      'a pipe that nobody writes to',
      () => {
        rmSync(join(folder, 'fifo'), { force: true });
        execFileSync('mkfifo', ['-m', '600', join(folder, 'fifo')]);
        return join(folder, 'fifo');
      },
      'not an ordinary file',
    ],
  ])('that are %s are refused for each option, at once and by its name', (_, make, why) => {
    const path = make();
    for (const [read, option] of [
      [ofLogin(path), '--ha-pass-file'],
      [readCredentials({ ...none, mqttPassFile: path }), '--mqtt-pass-file'],
      [readCredentials({ ...none, haTokenFile: path }), '--ha-token-file'],
    ] as const) {
      expect(read).toMatchObject({ ok: false, message: expect.stringContaining(option) });
      expect(read.ok ? '' : read.message).toContain(why);
    }
  });

  it('that this user may not read are refused with what to do', ({ skip }) => {
    if (process.getuid?.() === 0) skip('skipped: root may read every file');
    expect(ofLogin(file('x', 0))).toMatchObject({
      message:
        'The file of --ha-pass-file may not be read by this user. Run this as its owner, or let this user read it.',
    });
  });

  it('that no setting takes are refused by field and reason, never by value', () => {
    const read = readCredentials({ ...none, mqttPassFile: file('marker'.repeat(1000)) });
    expect(read).toMatchObject({
      message: expect.stringMatching(/--mqtt-pass-file .*: Password of the broker must be text/),
    });
    expect(JSON.stringify(read)).not.toContain('marker');
  });

  it('name the older options whose files others can read', () => {
    const open = { ...none, mqttPassFile: file('a', 0o644, 'mqtt'), haTokenFile: file('b', 0o600, 'token') };
    expect(readCredentials(open)).toMatchObject({
      ok: true,
      value: { credentials: { mqtt_password: 'a', ha_token: 'b' }, open: ['--mqtt-pass-file'] },
    });
  });

  // LoadCredential= of a service with a user: root's file, and the mask of its access list where the group's mode is.
  const service = { CREDENTIALS_DIRECTORY: '/run/credentials/sconce.service' };
  it.each([
    ['/run/credentials/sconce.service/ha-pass', 0o440, service, false],
    ['/run/credentials/sconce.service/ha-pass', 0o400, service, false],
    ['/run/credentials/sconce.service/ha-pass', 0o444, service, true],
    ['/run/credentials/sconce.service/ha-pass', 0o460, service, true],
    ['/run/credentials/sconce.service/../other/ha-pass', 0o440, service, true],
    ['/run/credentials/other.service/ha-pass', 0o440, service, true],
    ['/run/credentials/sconce.service/ha-pass', 0o440, {}, true],
    ['/run/credentials/sconce.service/ha-pass', 0o440, { CREDENTIALS_DIRECTORY: '' }, true],
    ['/home/anna/ha-pass', 0o600, {}, false],
  ])('%s with mode %o is open to others where systemd says %j: %s', (path, mode, env, isOpen) => {
    expect(isOpenToOthers(path, mode, env)).toBe(isOpen);
  });
});

describe('a login handed over', () => {
  const login = { homeAssistant: home, username: 'wall', password: 'hunter2' };
  const offer = (offered: HomeAssistantLogin | null) => {
    const registry = fakeRegistry({});
    const ending = new AbortController();
    let takes = 0;
    let signedIn = 0;
    const takeLogin = () => {
      takes += 1;
      return offered;
    };
    const done = handOverLogin(
      registry,
      takeLogin,
      () => 'http://192.168.1.40:8888',
      ending.signal,
      () => void (signedIn += 1),
    );
    return { registry, done, end: () => ending.abort(), taken: () => takes, signedIn: () => signedIn };
  };

  it('goes to the sign-in once, as soon as that runs', async () => {
    const { registry, done, taken: takes } = offer(login);
    await settle();
    expect(takes()).toBe(0);
    registry.put('sign-in', { phase: 'needed' });
    await done;
    registry.put('sign-in', { phase: 'needed' });
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

  it('is told of once somebody is signed in, and not before', async () => {
    const { registry, done, signedIn } = offer(login);
    registry.put('sign-in', { phase: 'needed' });
    await done;
    await settle();
    expect(signedIn()).toBe(0);
    registry.put('sign-in', { phase: 'signed-in' });
    await settle();
    registry.put('sign-in', { phase: 'refused' });
    registry.put('sign-in', { phase: 'signed-in' });
    await settle();
    expect(signedIn()).toBe(1);
  });

  it('that is none tells nothing, and neither does one whose agent ends', async () => {
    const nobody = offer(null);
    nobody.registry.put('sign-in', { phase: 'signed-in' });
    await nobody.done;
    const ended = offer(login);
    ended.end();
    await ended.done;
    expect([nobody.registry.told, ended.registry.told, ended.taken(), nobody.signedIn()]).toEqual([[], [], 0, 0]);
  });
});
