import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { parseCommand } from '#bin/arguments.ts';
import { answerMicrophone, type Said } from '#bin/microphone.ts';
import type { MicrophoneTask } from '#bin/microphone-arguments.ts';
import { lockFolder } from '#drivers/store/lock.ts';
import { asUser } from '../drivers/as-user.ts';

const moduleAs = fileURLToPath(new URL('microphone-as.ts', import.meta.url));
const installId = 'a'.repeat(32);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-microphone-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A stopped panel whose document has these settings. */
function stopped(values: object, consents: object = {}, identity: object = { installId }): void {
  const sections = { identity, settings: { revision: 1, values }, consents };
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ version: 1, sections }));
}

const call = (task: MicrophoneTask): Promise<Said> =>
  answerMicrophone(task, { folder, command: 'sconce microphone', named: '' });
const left = (): unknown => JSON.parse(readFileSync(join(folder, 'microphone.json'), 'utf8'));

describe('the words of the command line', () => {
  it.each<[string, MicrophoneTask]>([
    ['microphone', 'show'],
    ['microphone allow', 'allow'],
    ['microphone --data /tmp/x forget', 'forget'],
  ])('%s', (line, task) => {
    expect(parseCommand(line.split(' '))).toMatchObject({ ok: true, value: { verb: 'microphone', options: { task } } });
  });

  it.each([
    ['microphone alow', /did you mean allow/i],
    ['microphone allow now', /nothing more/],
    ['microphone --data=', /must name a folder/],
    ['microphone --loud', /--loud/],
  ])('%s is refused', (line, words) => {
    expect(parseCommand(line.split(' '))).toMatchObject({ ok: false, message: expect.stringMatching(words) });
  });
});

describe('a panel that is not running', () => {
  it.each<[string, object, object, RegExp, RegExp]>([
    ['was never asked', {}, {}, /is not allowed/, /is off/],
    [
      'was allowed',
      { voice_enabled: true, microphone_access: true },
      { microphone_access: installId },
      /is allowed/,
      /is on/,
    ],
    [
      'has the consent of another machine',
      { voice_enabled: true, microphone_access: true },
      { microphone_access: 'b'.repeat(32) },
      /is not allowed/,
      /is on/,
    ],
  ])('%s', async (_, values, consents, permission, voice) => {
    stopped(values, consents);
    const { status, lines } = await call('show');
    expect([status, lines[0], lines[1]]).toEqual([0, expect.stringMatching(permission), expect.stringMatching(voice)]);
  });

  it.each(['allow', 'forget'] as const)('is left what was typed: %s', async (task) => {
    stopped({});
    expect(await call(task)).toEqual({
      status: 0,
      lines: ['The panel is not running; this takes effect when it starts.'],
    });
    expect(left()).toEqual({ do: task, installId });
    expect((await call('show')).lines.at(-1)).toMatch(/next start/);
  });

  it('that was never started has nothing to allow it for', async () => {
    expect(await call('allow')).toMatchObject({ status: 1, lines: [expect.stringMatching(/Start it once/)] });
    writeFileSync(join(folder, 'state.json'), '{');
    expect(await call('allow')).toMatchObject({ status: 1, lines: [expect.stringMatching(/cannot be read/)] });
    stopped({}, {}, {});
    expect(await call('allow')).toMatchObject({ status: 1, lines: [expect.stringMatching(/no identity/)] });
    expect(existsSync(join(folder, 'microphone.json'))).toBe(false);
  });

  it('of another user is out of reach', async () => {
    stopped({});
    chmodSync(folder, 0o000);
    const said = await asUser(moduleAs, 'allowAt', folder);
    chmodSync(folder, 0o700);
    expect(said).toMatchObject({ status: 1, lines: [expect.stringMatching(/Try: sudo sconce microphone allow$/)] });
    expect(existsSync(join(folder, 'microphone.json'))).toBe(false);
  });
});

describe('a panel that has just been started', () => {
  it.each<[string, () => void]>([
    ['nothing', () => {}],
    ['no identity', () => stopped({}, {}, {})],
  ])('and has stored %s yet is waited for', async (_, store) => {
    const locked = await lockFolder(folder);
    store();
    const steps = [
      () => stopped({ microphone_access: true }, { microphone_access: installId }),
      () => rmSync(join(folder, 'microphone.json')),
    ];
    const said = await answerMicrophone('allow', {
      folder,
      command: 'sconce microphone',
      named: '',
      wait: async () => steps.shift()?.(),
    });
    if (locked.ok) locked.value.release();
    expect(said).toMatchObject({ status: 0, lines: [expect.stringMatching(/is allowed/), expect.anything()] });
    expect(steps).toEqual([]);
  });
});
