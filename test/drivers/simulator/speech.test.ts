import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runTool } from '#drivers/kit/run-tool.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { speechDriver } from '#drivers/simulator/speech.ts';
import type { SayFact, SayOutcome, SayRequest } from '#machines/simulator/events.ts';

import { isFact, runDriver } from '../run-driver.ts';
import { wavFile } from './wav-file.ts';

const hasFlite = (await runTool('flite', ['-lv'], process.env, new AbortController().signal)).ok;

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sconce-speech-test-'));
  mkdirSync(join(root, 'work'));
  mkdirSync(join(root, 'bin'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Says one file after another; only the programs of `path` are found. */
function speaking(path = join(root, 'bin')) {
  const device = new SimulatedDevice();
  const driver = runDriver<SayRequest, SayFact>(
    speechDriver({ device, env: { PATH: path }, folder: join(root, 'work') }),
  );
  let sent = 0;
  const say = async (content: string | Buffer): Promise<SayOutcome> => {
    sent += 1;
    const [requestId, file] = [String(sent), join(root, `sent-${sent}`)];
    writeFileSync(file, content);
    driver.tell({ type: 'simulator.say', requestId, file });
    const fact = await driver.until(
      isFact<SayFact, 'simulator.said'>('simulator.said', (one) => one.requestId === requestId),
    );
    return fact.outcome;
  };
  const words = (text: unknown): Promise<SayOutcome> => say(JSON.stringify({ text }));
  return { device, driver, say, words, left: () => readdirSync(join(root, 'work')) };
}

/** A program that notes its arguments and what it was to speak, and does `then`. */
const program = (name: string, then: string): void =>
  writeFileSync(
    join(root, 'bin', name),
    `#!/bin/sh\necho "$@" >'${join(root, name)}.args'\nwhile [ "$1" != -f ]; do shift; done\ncat "$2" >'${join(root, name)}.text'\nshift 3\n${then}\n`,
    { mode: 0o755 },
  );
const noted = (name: string): string => readFileSync(join(root, name), 'utf8');

describe('speech for the simulated microphone', () => {
  it.skipIf(!hasFlite)('is spoken by flite, heard once and kept nowhere', async () => {
    const { device, driver, left, words } = speaking(process.env['PATH']);
    const outcome = await words('turn off the light in the kitchen');
    const heard = Buffer.from(device.microphone.take(1_000_000));
    expect(outcome).toEqual({ ok: true, value: { ms: Math.round(heard.length / 32) } });
    expect(heard.length).toBeGreaterThan(32_000);
    const loudest = Array.from({ length: heard.length / 2 }, (_, at) => Math.abs(heard.readInt16LE(at * 2)));
    expect(Math.max(...loudest)).toBeGreaterThan(5000);
    expect(left()).toEqual([]);
    driver.stop();
  });

  it('passes the text in a file of its own, also where it looks like an option', async () => {
    const samples = join(root, 'spoken.wav');
    writeFileSync(samples, wavFile([1, 2, 3, 4], { rate: 32_000 }));
    program('flite', `cat '${samples}' >"$1"`);
    const { device, left, words } = speaking(`${join(root, 'bin')}:/bin:/usr/bin`);
    expect(await words('  -o /etc/marker $(marker)\n')).toEqual({ ok: true, value: { ms: 0 } });
    expect([...device.microphone.take(99)]).toEqual([1, 0, 3, 0]);
    expect(noted('flite.args')).not.toContain('marker');
    expect(noted('flite.text')).toBe('-o /etc/marker $(marker)\n');
    expect(left()).toEqual([]);
  });

  it('is spoken by espeak-ng where flite fails', async () => {
    const samples = join(root, 'spoken.wav');
    writeFileSync(samples, wavFile([7, 8]));
    program('flite', 'exit 1');
    program('espeak-ng', `cat '${samples}' >"$1"`);
    const { device, words } = speaking(`${join(root, 'bin')}:/bin:/usr/bin`);
    expect(await words('hello')).toMatchObject({ ok: true });
    expect([...device.microphone.take(99)]).toEqual([7, 0, 8, 0]);
  });

  it.each([
    ['says nothing', 'exit 1'],
    ['writes something else', 'echo hello >"$1"'],
    ['writes nothing', ':'],
  ])('has failed if the only program %s', async (_, then) => {
    program('flite', then);
    program('espeak-ng', 'exit 1');
    const { device, left, words } = speaking(`${join(root, 'bin')}:/bin:/usr/bin`);
    expect(await words('hello')).toMatchObject({ ok: false, reason: 'speech-failed' });
    expect([device.microphone.take(9).length, left()]).toEqual([0, []]);
  });

  it('names the command where no program is installed', async () => {
    const { words, left } = speaking();
    const outcome = await words('hello');
    expect(outcome).toMatchObject({ ok: false, reason: 'no-speech-program' });
    expect(outcome.ok ? '' : outcome.message).toContain('sudo apt install flite');
    expect(left()).toEqual([]);
  });

  it.each([
    ['', 'bad-value'],
    ['{}', 'bad-value'],
    ['{"text":7}', 'bad-value'],
    ['{"text":" \\u0000 "}', 'bad-value'],
    [JSON.stringify({ text: 'a'.repeat(201) }), 'bad-value'],
    ['turn on the light', 'bad-value'],
    ['RIFF....WAVE', 'bad-sound'],
  ])('is neither in %j: %s', async (content, reason) => {
    expect(await speaking().say(content)).toMatchObject({ ok: false, reason });
  });

  it('is the sound itself, one after another', async () => {
    const { device, say } = speaking();
    const outcomes = await Promise.all([say(wavFile([1, 2])), say(wavFile([3, 4], { rate: 24_000 }))]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    expect([...device.microphone.take(99)]).toEqual([1, 0, 2, 0, 3, 0]);
  });

  it('could not be read', async () => {
    const { driver } = speaking();
    driver.tell({ type: 'simulator.say', requestId: 'x', file: join(root, 'missing') });
    const fact = await driver.until(isFact<SayFact, 'simulator.said'>('simulator.said'));
    expect(fact.outcome).toMatchObject({ ok: false, reason: 'speech-failed' });
    expect(existsSync(join(root, 'missing'))).toBe(false);
  });
});
