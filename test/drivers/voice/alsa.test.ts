import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { alsaRecorder } from '#drivers/voice/alsa.ts';
import { anyMicrophone } from '#drivers/voice/device.ts';
import { pulseRecorder } from '#drivers/voice/pulse.ts';

import { isFact } from '../run-driver.ts';
import { anyChoice, patientBounds, startEar, tone } from './hearing.ts';

const SOON = { timeout: 15_000 };

/** A panel without a sound server, and stand-ins for the tools of ALSA. */
let root = '';
let env: Readonly<Record<string, string>> = {};
let ear: ReturnType<typeof startEar>;

function tool(name: string, script: string): void {
  writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'bin', name), 0o755);
}
/** Writes its arguments down and records half a second of a tone, then whatever follows. */
const records = (then: string): void => tool('arecord', `echo "$@" >${root}/args\ncat ${root}/tone\n${then}`);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sconce-alsa-'));
  for (const folder of ['bin', 'proc/asound', 'dev/snd']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'tone'), tone(500));
  writeFileSync(
    join(root, 'proc/asound/cards'),
    ' 0 [PCH ]: HDA-Intel - HDA Intel PCH\n            at 0xf7210000\n 2 [C920 ]: USB-Audio - Webcam\n            usb\n',
  );
  writeFileSync(
    join(root, 'proc/asound/pcm'),
    '00-00: ALC257 : ALC257 : playback 1 : capture 1\n02-01: USB Audio : USB Audio : capture 1\n',
  );
  env = { PATH: `${root}/bin:/usr/bin:/bin`, XDG_RUNTIME_DIR: root, HOME: root };
  tool('pactl', 'echo "Connection refused" >&2\nexit 1');
  ear = startEar({
    device: anyMicrophone,
    env,
    bounds: { ...patientBounds, checkMs: 400 },
    recorders: [pulseRecorder(env), alsaRecorder(env, root)],
  });
});
afterEach(async () => {
  ear.stop();
  await ear.settled();
  expect(ear.crashed()).toBeUndefined();
  rmSync(root, { recursive: true });
});

describe('a panel without a sound server', () => {
  it('lists the cards that can record', async () => {
    ear.tell({ type: 'ear.probe', choice: anyChoice });
    expect(await ear.sources()).toMatchObject({
      system: 'alsa',
      chosen: 'PCH',
      failure: null,
      sources: [
        { name: 'PCH', title: 'HDA Intel PCH', isDefault: true },
        { name: 'C920', title: 'Webcam', isDefault: false },
      ],
    });
  });

  it('records the chosen card, by its name and its first device', async () => {
    records('exec sleep 600');
    ear.open(1, { source: 'C920' });
    ear.tell({ type: 'ear.release', turn: 1 });
    await vi.waitFor(() => expect(ear.pcm().equals(tone(500))).toBe(true), SOON);
    expect(readFileSync(join(root, 'args'), 'utf8')).toBe(
      '-D plughw:CARD=C920,DEV=1 -q -t raw -f S16_LE -r 16000 -c 1 -F 20000 -B 500000\n',
    );
    ear.tell({ type: 'ear.close', turn: 1 });
    await ear.closed(1);
  });

  it.each([
    ['arecord: main:831: audio open error: Device or resource busy', 'busy'],
    ['arecord: main:831: audio open error: Permission denied', 'refused'],
    ['arecord: main:831: audio open error: No such file or directory', 'no-device'],
    ['arecord: pcm_read:2221: read error: No such device', 'no-device'],
    ['arecord: pcm_read:2221: read error: File descriptor in bad state', 'no-device'],
    ['arecord: pcm_read:2221: read error: Input/output error', 'ended'],
    ['', 'ended'],
  ])('whose recorder ends with %j: %s', async (errors, code) => {
    tool('arecord', `echo "${errors}" >&2\nexit 1`);
    ear.open(1);
    expect(await ear.failed(1)).toMatchObject({ code });
    await ear.closed(1);
    expect(ear.kinds()).toEqual(['ear.failed', 'ear.closed']);
  });

  it('whose card is gone when its recorder ends: no-device', async () => {
    tool('arecord', `echo "pcm_read:2221: read error: Input/output error" >&2\n: >${root}/proc/asound/pcm\nexit 1`);
    ear.open(1);
    expect(await ear.failed(1)).toMatchObject({ code: 'no-device' });
    await ear.closed(1);
  });

  it('reports a recorder that ends after a while, even well', async () => {
    records('exit 0');
    ear.open(1);
    expect(await ear.failed(1)).toMatchObject({ code: 'ended' });
    await ear.closed(1);
    expect(ear.kinds()).toEqual(['ear.opened', 'ear.failed', 'ear.closed']);
  });

  it('without arecord has no recorder', async () => {
    const bare = startEar({
      device: anyMicrophone,
      recorders: [pulseRecorder({ PATH: '/nonexistent' }), alsaRecorder({ PATH: '/nonexistent' }, root)],
    });
    // The tools' folders of the system are always searched; a program is looked for in them as well.
    if (!existsSync('/usr/sbin/arecord') && !existsSync('/sbin/arecord')) {
      bare.tell({ type: 'ear.probe', choice: anyChoice });
      expect(await bare.sources()).toMatchObject({ system: 'none', chosen: null, failure: 'no-recorder' });
    }
    bare.stop();
  });

  it.each(['', '--- no soundcards ---\n'])('and without a card (%j) has no device', async (cards) => {
    writeFileSync(join(root, 'proc/asound/cards'), cards);
    ear.tell({ type: 'ear.probe', choice: anyChoice });
    expect(await ear.sources()).toMatchObject({ system: 'none', sources: [], chosen: null, failure: 'no-device' });
  });

  it('does not take another card than the one that its profile names', async () => {
    const named = startEar({
      device: { kind: 'system', source: 'Builtin' },
      recorders: [alsaRecorder(env, root)],
    });
    named.open(1);
    expect(await named.failed(1)).toMatchObject({ code: 'no-device' });
    named.stop();
  });
});

describe('a check', () => {
  it('plays what was recorded, from memory, with whatever player there is', async () => {
    records('exec sleep 600');
    tool('aplay', 'exit 1');
    tool('paplay', `cat >${root}/played`);
    ear.tell({ type: 'ear.check', check: 1, choice: anyChoice });
    expect(await ear.checked(1)).toMatchObject({ code: null, level: 50 });
    expect(readFileSync(join(root, 'played'))).toEqual(tone(500).subarray(0, 12_800));
  });

  it('says so if nothing plays', async () => {
    records('exec sleep 600');
    for (const name of ['aplay', 'paplay']) tool(name, 'exit 1');
    ear.tell({ type: 'ear.check', check: 1, choice: anyChoice });
    expect(await ear.checked(1)).toMatchObject({ code: 'no-player', level: 50 });
  });

  it('ends its player when it is cut', async () => {
    records('exec sleep 600');
    tool('aplay', `echo $$ >${root}/pid\nexec sleep 600`);
    ear.tell({ type: 'ear.check', check: 1, choice: anyChoice });
    await ear.until(isFact('check.playing'));
    await vi.waitFor(() => expect(readFileSync(join(root, 'pid'), 'utf8')).not.toBe(''), SOON);
    const pid = readFileSync(join(root, 'pid'), 'utf8').trim();
    ear.tell({ type: 'ear.end-check', check: 1 });
    expect(await ear.checked(1)).toMatchObject({ code: 'cut' });
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });
});

describe('a chime that cannot be played', () => {
  it('is over at once, and silences nothing', async () => {
    records(`while cat ${root}/tone; do sleep 0.1; done`);
    for (const name of ['aplay', 'paplay']) tool(name, 'exit 1');
    ear.open(1, { chime: true });
    ear.tell({ type: 'ear.release', turn: 1 });
    await ear.until(isFact('ear.chimed'));
    await vi.waitFor(() => expect(ear.level()).toBe(50), SOON);
    ear.tell({ type: 'ear.close', turn: 1 });
    await ear.closed(1);
  });
});
