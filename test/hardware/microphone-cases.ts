import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

import { scanMicrophones } from '#drivers/microphone/linux.ts';
import { anyChoice, tone } from '#test/drivers/voice/hearing.ts';

import { asNobody } from './devices/as-nobody.ts';
import { isHeld, type MicrophoneRig, microphoneRig, otherRecorder, playTone, streamSays } from './devices/microphone-rig.ts';
import { type GuestCase, NotHere, say, until } from './guest-case.ts';

const driver = '/sys/bus/platform/drivers/snd_aloop';
const device = 'snd_aloop.0';
const node = '/dev/snd/pcmC0D0c';

const plug = (how: 'bind' | 'unbind'): Promise<void> => writeFile(`${driver}/${how}`, device);

function need(...files: readonly string[]): void {
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw new NotHere(`no ${missing}`);
}

/** An ear that a case has for itself; afterwards no process has the microphone open. */
const withRig =
  (run: (rig: MicrophoneRig) => Promise<string>): (() => Promise<string>) =>
  async () => {
    need(node, '/usr/bin/arecord');
    const rig = microphoneRig();
    try {
      return await run(rig);
    } finally {
      await rig.end();
      assert.equal(await isHeld(), false, 'a process holds the microphone');
    }
  };

/** Opens a turn and lets its sound leave the panel. */
async function listen(rig: MicrophoneRig): Promise<void> {
  rig.open(1);
  rig.tell({ type: 'ear.release', turn: 1 });
  await rig.hears('ear.opened');
}

async function fails(rig: MicrophoneRig, code: string): Promise<string> {
  const failed = await rig.hears('ear.failed');
  await rig.hears('ear.closed');
  assert.equal(failed.code, code);
  return code;
}

const heard = withRig(async (rig) => {
  const player = playTone(20_000);
  try {
    await listen(rig);
    // Sample by sample: neither rate nor level is changed on the way.
    await until('the tone', async () => rig.pcm().includes(tone(200)));
    say('note', (await streamSays('hw_params')).replaceAll('\n', ' '));
    rig.tell({ type: 'ear.finish', turn: 1 });
    await rig.hears('ear.closed');
    assert.equal(rig.level(), 50);
    assert.deepEqual(rig.kinds(), ['ear.opened', 'ear.closed']);
    return `${rig.pcm().length} bytes`;
  } finally {
    await player.end();
  }
});

const occupied = withRig(async (rig) => {
  const other = await otherRecorder();
  try {
    rig.open(1);
    return await fails(rig, 'busy');
  } finally {
    await other.end();
  }
});

const unbound = withRig(async (rig) => {
  await listen(rig);
  try {
    await plug('unbind');
    const code = await fails(rig, 'no-device');
    rig.tell({ type: 'ear.probe', choice: anyChoice });
    assert.equal((await rig.hears('ear.sources')).failure, 'no-device');
    assert.deepEqual(await scanMicrophones(), { found: 'none', detail: 'not_enumerated' });
    return code;
  } finally {
    await plug('bind');
    await until('the microphone again', async () => existsSync(node));
  }
});

const backAgain = withRig(async (rig) => {
  await listen(rig);
  return 'after it was bound again';
});

const forbidden = withRig(async (rig) => {
  await asNobody(async () => {
    assert.deepEqual(await scanMicrophones(), { found: 'devices', count: 2, refused: 2 });
    rig.open(1);
    await fails(rig, 'refused');
  });
  return 'refused';
});

/** The kernel's loopback as a microphone, through the scan, the ear and arecord. */
export const microphoneCases: readonly GuestCase[] = [
  { title: 'the microphone hears what is played before it', run: heard },
  { title: 'the microphone that another program uses is busy', run: occupied },
  { title: 'the microphone that is unbound in a turn is no device', run: unbound },
  { title: 'the microphone that was bound again is heard', run: backAgain },
  { title: 'the microphone of another user is forbidden', run: forbidden },
];
