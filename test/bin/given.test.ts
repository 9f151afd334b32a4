import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { takeGiven } from '#bin/given.ts';
import { givenNotes, outlookOf, readGivenOptions } from '#bin/install/given.ts';
import { openGivenRows } from '#bin/open-files.ts';
import { type Given, givenFile, givenText, mergeGiven, parseGiven } from '#drivers/install/given-file.ts';
import { keyedDigest } from '#drivers/kit/keyed-digest.ts';

const login = { homeAssistant: 'http://192.168.1.20:8123', username: 'wall', password: 'marker-password' };
const given: Given = { settings: { friendly_name: 'Hall', mqtt_password: 'marker-mqtt' }, login };

let folder = '';
const errors: string[] = [];
const hidden: string[] = [];
const log = {
  error: (message: string) => void errors.push(message),
  protect: (value: string) => {
    hidden.push(value);
    return () => {};
  },
};
const leave = (text = givenText(given), mode = 0o600): void => writeFileSync(givenFile(folder), text, { mode });
const lies = (): Given | null =>
  existsSync(givenFile(folder)) ? parseGiven(readFileSync(givenFile(folder), 'utf8')) : null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-given-'));
  errors.length = 0;
  hidden.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('what an installation left for the agent', () => {
  it('is taken piece by piece, and nothing of it stays', () => {
    leave();
    const left = takeGiven(folder, log);
    expect(left).toMatchObject(given);
    expect(hidden).toEqual(['marker-mqtt']);
    left.settingsTaken();
    expect(lies()).toEqual({ settings: {}, login });
    expect(statSync(givenFile(folder)).mode & 0o777).toBe(0o600);
    left.signedIn();
    expect(existsSync(givenFile(folder))).toBe(false);
  });

  it('is gone with its settings where nobody is to be signed in, and waits where these were not saved', () => {
    leave(givenText({ ...given, login: null }));
    takeGiven(folder, log).settingsTaken();
    expect(existsSync(givenFile(folder))).toBe(false);
    leave();
    takeGiven(folder, log).signedIn();
    expect(lies()).toEqual({ ...given, login: null });
  });

  it('is left alone where a newer installation left more meanwhile', () => {
    leave();
    const left = takeGiven(folder, log);
    const newer = givenText({ settings: { friendly_name: 'Kitchen' }, login: null });
    leave(newer);
    left.settingsTaken();
    left.signedIn();
    expect(readFileSync(givenFile(folder), 'utf8')).toBe(newer);
  });

  it.each([
    ['not JSON', 'marker'],
    ['of another version', '{"version":2,"settings":{},"login":null}'],
    ['not of texts', '{"version":1,"settings":{"panel_id":7},"login":null}'],
    ['endless', 'x'.repeat(300_000)],
  ])('that is %s is an error in the log without its text, and nothing else', (_, text) => {
    leave(text);
    const left = takeGiven(folder, log);
    expect(left).toMatchObject({ settings: {}, login: null });
    left.settingsTaken();
    expect(errors).toHaveLength(1);
    expect(errors[0]).not.toContain('marker');
    expect(readFileSync(givenFile(folder), 'utf8')).toBe(text);
  });

  it('is usually nothing', () => {
    expect(takeGiven(folder, log)).toMatchObject({ settings: {}, login: null });
    expect(errors).toEqual([]);
  });

  it.each([
    [0o600, []],
    [0o644, ['needs_you']],
    [0o640, ['needs_you']],
  ])('and has mode %o is told by doctor: %j', (mode, states) => {
    leave(givenText(given), mode);
    const rows = openGivenRows([folder, folder, join(folder, 'nowhere')]);
    expect(rows.map(({ state }) => state)).toEqual(states);
    for (const { fix } of rows) expect(fix?.command).toBe(`chmod 600 ${givenFile(folder)}`);
  });
});

describe('two installations before the agent took anything', () => {
  const token = { ha_token: 'token' };
  it.each<[string, Given | null, Given, Given]>([
    ['one alone', null, given, given],
    [
      'the newer value counts',
      given,
      { settings: { friendly_name: 'Kitchen' }, login: null },
      { settings: { ...given.settings, friendly_name: 'Kitchen' }, login },
    ],
    [
      'a token takes the place of a password',
      { settings: {}, login },
      { settings: token, login: null },
      { settings: token, login: null },
    ],
    [
      'a password takes the place of a token',
      { settings: token, login: null },
      { settings: {}, login },
      { settings: {}, login },
    ],
    [
      'neither loses the other’s',
      { settings: token, login: null },
      { settings: { friendly_name: 'Hall' }, login: null },
      { settings: { ...token, friendly_name: 'Hall' }, login: null },
    ],
  ])('%s', (_, left, now, merged) => expect(mergeGiven(left, now)).toEqual(merged));
});

describe('what an installation says of it before anything is done', () => {
  const key = 'a key';
  const document = (values: object, secrets: object = {}, last: Readonly<Record<string, string>> = {}): void => {
    const marks = Object.fromEntries(
      Object.entries(last).map(([name, value]) => [name, keyedDigest(key, name, value)]),
    );
    const sections = { settings: { revision: 2, values, expose: {}, given: { key, marks } }, secrets };
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ version: 1, sections }));
  };
  const settings = { friendly_name: 'Hall', mqtt_password: 'marker-mqtt' };
  const plain: Given = { settings, login: null };

  it('on a new panel is that it is added', () => {
    const outlook = { state: 'to-add', kept: [], unaddressed: [], signedIn: false, madeId: 'hall' };
    expect(outlookOf(given, folder, folder)).toEqual(outlook);
    const read = { given: { ...given, settings: { ...given.settings, ha_url: 'http://h:8123' } }, open: [] };
    expect(givenNotes(read, { kept: [], signedIn: false, madeId: 'hall' })).toEqual([
      'Given to this panel: name Hall, panel id hall, Home Assistant at http://h:8123.',
    ]);
  });

  it('that the panel took all of it before is that it is there', () => {
    document({ friendly_name: 'Hall' }, { mqtt_password: 'marker-mqtt' }, settings);
    const outlook = { state: 'there', kept: [], unaddressed: [], signedIn: false, madeId: null };
    expect(outlookOf(plain, folder, folder)).toEqual(outlook);
    expect(outlookOf(given, folder, folder).state, 'nobody is signed in').toBe('to-add');
    expect(outlookOf({ ...plain, settings: { ...settings, friendly_name: 'Kitchen' } }, folder, folder)).toEqual({
      ...outlook,
      state: 'to-add',
    });
  });

  it('that it waits for the agent already is that it is there', () => {
    leave();
    expect(outlookOf(plain, folder, folder).state).toBe('there');
  });

  it('that somebody set on the panel is named, and so is a sign-in', () => {
    document({ friendly_name: 'Mine' }, { ha_oauth: 'x' }, settings);
    const outlook = outlookOf(given, folder, folder);
    expect(outlook).toMatchObject({ kept: ['Name', 'Password of the broker'], signedIn: true });
    const notes = givenNotes({ given, open: ['--mqtt-pass-file'] }, outlook).join('\n');
    expect(notes).toContain('Name, Password of the broker');
    expect(notes).toContain('signed in to Home Assistant already');
    expect(notes).toContain('chmod 600');
    expect(notes).not.toMatch(/marker|Mine/);
  });

  it('takes no settings of bin/run, which are copied only then, for those of the panel', () => {
    document({ friendly_name: 'Hall' }, { mqtt_password: 'marker-mqtt' }, settings);
    expect(outlookOf(plain, folder, join(folder, 'panel')).state).toBe('to-add');
  });

  it('reads the secrets of the options, and nothing where none is given', () => {
    const file = join(folder, 'pass');
    writeFileSync(file, 'marker-mqtt\n', { mode: 0o644 });
    const options = { settings: { friendly_name: 'Hall' }, mqttPassFile: file, haTokenFile: null, haLogin: null };
    expect(readGivenOptions(options)).toEqual({
      ok: true,
      value: { given: plain, open: ['--mqtt-pass-file'] },
    });
    expect(readGivenOptions({ ...options, settings: {}, mqttPassFile: null })).toMatchObject({
      value: { given: null, open: [] },
    });
    const haLogin = { url: login.homeAssistant, user: 'wall', passFile: file };
    expect(readGivenOptions({ ...options, haLogin })).toMatchObject({
      ok: false,
      message: expect.stringContaining(`chmod 600 ${file}`),
    });
  });
});
