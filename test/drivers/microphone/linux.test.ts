import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { captureNames, microphoneScan, scanMicrophones } from '#drivers/microphone/linux.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { MicrophoneDriverCommand, MicrophoneEvent, MicrophoneScan } from '#machines/microphone/events.ts';
import { asUser } from '../as-user.ts';
import { isFact, runDriver } from '../run-driver.ts';

const moduleAt = fileURLToPath(new URL('scan-at.ts', import.meta.url));
const CARD = '00-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1\n';
const HDMI = '00-03: HDMI 0 : HDMI 0 : playback 1\n';
const USB = '01-00: USB Audio : USB Audio : capture 1\n';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sconce-microphone-'));
  await put('bin/arecord', '');
  await chmod(join(root, 'bin/arecord'), 0o755);
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const scan = (env: Readonly<Record<string, string>> = {}): Promise<MicrophoneScan> =>
  scanMicrophones({ root, env: { PATH: join(root, 'bin'), ...env } });

const nothing = { found: 'none', detail: 'not_enumerated' } as const;
const undetermined = { found: 'none', detail: 'undetermined' } as const;
const one = { found: 'devices', count: 1, refused: 0 } as const;

describe('a scan without opening anything', () => {
  it.each<[string, Readonly<Record<string, string>>, MicrophoneScan]>([
    ['a kernel without sound', {}, nothing],
    ['no card', { 'proc/asound/pcm': '' }, nothing],
    ['a card that only plays', { 'proc/asound/pcm': HDMI, 'dev/snd/pcmC0D3p': '' }, nothing],
    ['a card that also records', { 'proc/asound/pcm': CARD + HDMI, 'dev/snd/pcmC0D0c': '' }, one],
    ['a container without the device files', { 'proc/asound/pcm': CARD }, nothing],
    [
      'two cards',
      { 'proc/asound/pcm': CARD + USB, 'dev/snd/pcmC0D0c': '', 'dev/snd/pcmC1D0c': '' },
      { ...one, count: 2 },
    ],
    [
      'a line that is none',
      { 'proc/asound/pcm': `x\n../../00-00: a : b : capture 1\n${USB}`, 'dev/snd/pcmC1D0c': '' },
      one,
    ],
  ])('%s', async (_, files, found) => {
    await Promise.all(Object.entries(files).map(([path, text]) => put(path, text)));
    expect(await scan()).toEqual(found);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[], MicrophoneScan]>([
    ['elsewhere', { PULSE_SERVER: 'tcp:192.0.2.1' }, [], undetermined],
    ['elsewhere, by name alone', { PULSE_SERVER: 'hall' }, [], undetermined],
    ['elsewhere as a second choice', { PULSE_SERVER: '{abc}unix:/run/own tcp:hall' }, [], undetermined],
    [
      'of the session, without a card',
      { XDG_RUNTIME_DIR: '/run/user/1000' },
      ['run/user/1000/pulse/native'],
      undetermined,
    ],
    ['of the session that does not run', { XDG_RUNTIME_DIR: '/run/user/1000' }, [], nothing],
    ['of the system', {}, ['run/pulse/native'], undetermined],
    ['that is named', { PULSE_SERVER: '{abc}unix:/run/own' }, ['run/own'], undetermined],
    ['that is named, where another runs', { PULSE_SERVER: '/run/own' }, ['run/pulse/native'], nothing],
  ])('a sound server %s', async (_, env, sockets, found) => {
    await Promise.all(sockets.map((path) => put(path, '')));
    expect(await scan(env)).toEqual(found);
  });

  it('asks for the recorder that is missing', async () => {
    await put('proc/asound/pcm', USB);
    await put('dev/snd/pcmC1D0c', '');
    await rm(join(root, 'bin/arecord'));
    expect(await scan()).toEqual({ ...one, lacks: 'arecord' });
    await put('run/pulse/native', '');
    expect(await scan()).toEqual({ ...one, lacks: 'parec' });
    await put('bin/parec', '');
    await chmod(join(root, 'bin/parec'), 0o755);
    expect(await scan()).toEqual(one);
  });

  it('counts what may not be opened, unless a server for this user opens it', async () => {
    await put('proc/asound/pcm', CARD + USB);
    await put('dev/snd/pcmC0D0c', '');
    await put('dev/snd/pcmC1D0c', '');
    await chmod(join(root, 'dev/snd/pcmC1D0c'), 0o000);
    const asOther = () => asUser(moduleAt, 'scanAt', root);
    expect(await asOther()).toMatchObject({ count: 2, refused: 1 });
    await put('run/pulse/native', '');
    expect(await asOther()).toMatchObject({ count: 2, refused: 0 });
    await chmod(join(root, 'proc/asound/pcm'), 0o000);
    expect(await asOther()).toEqual(undetermined);
  });

  it('names them as the kernel does', async () => {
    await put('proc/asound/pcm', CARD + HDMI + USB);
    expect(await captureNames(root)).toEqual(['ALC257 Analog', 'USB Audio']);
  });
});

describe('the driver', () => {
  it('scans at the start and when asked to, and sees what was plugged in', async () => {
    const driver = runDriver<MicrophoneDriverCommand, MicrophoneEvent>(
      microphoneScan({ kind: 'system', source: null }, { root, env: {} }),
    );
    const found = (is: MicrophoneScan['found']) =>
      isFact<MicrophoneEvent, 'microphone.enumerated'>('microphone.enumerated', (fact) => fact.scan.found === is);
    await driver.until(found('none'));
    await put('proc/asound/pcm', USB);
    await put('dev/snd/pcmC1D0c', '');
    driver.tell({ type: 'microphone.enumerate' });
    await driver.until(found('devices'));
    driver.stop();
    expect(driver.crashed()).toBeUndefined();
  });

  it('has the microphone of the simulated panel', () => {
    const driver = runDriver<MicrophoneDriverCommand, MicrophoneEvent>(
      microphoneScan({ kind: 'simulated', device: new SimulatedDevice() }),
    );
    driver.tell({ type: 'microphone.enumerate' });
    expect(driver.facts).toMatchObject([{ scan: one }, { scan: one }]);
    driver.stop();
  });
});
