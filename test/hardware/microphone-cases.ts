import assert from 'node:assert/strict';
import { closeSync, constants, existsSync, openSync } from 'node:fs';

import { scanMicrophones } from '#drivers/microphone/linux.ts';
import { anyChoice, tone } from '#test/drivers/voice/hearing.ts';

import { asNobody } from './devices/as-nobody.ts';
import {
  isHeld,
  loopback,
  loopbackIs,
  type MicrophoneRig,
  microphoneRig,
  otherRecorder,
  playTone,
  recorder,
  streamSays,
} from './devices/microphone-rig.ts';
import { opensDuring, straceProgram } from './devices/opens.ts';
import { type GuestCase, NotHere, turn, until } from './guest-case.ts';

/** Both devices of the loopback record. */
const DEVICES = 2;

function need(...files: readonly string[]): void {
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw new NotHere(`no ${missing}`);
}

/** An ear that a case has for itself; afterwards no process has the microphone open. */
const withRig =
  (run: (rig: MicrophoneRig) => Promise<string>): (() => Promise<string>) =>
  async () => {
    need(loopback, '/usr/bin/arecord');
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

async function listed(): Promise<string> {
  need(loopback, straceProgram);
  let found: readonly unknown[] = [];
  const [scanned, after] = await opensDuring(async (mark) => {
    found = [await scanMicrophones(), await recorder.list(new AbortController().signal)];
    await mark();
    // So that what follows is no trace that saw nothing.
    closeSync(openSync(loopback, constants.O_RDWR | constants.O_NONBLOCK));
  });
  const card = { name: 'Loopback', title: 'Loopback', kind: 'microphone', isDefault: true, isMuted: false };
  assert.deepEqual(found, [{ found: 'devices', count: DEVICES, refused: 0 }, [card]]);
  assert.ok(
    scanned.some((line) => line.includes('/proc/asound/pcm')),
    'the trace shows the scan',
  );
  assert.deepEqual(
    scanned.filter((line) => line.includes('/dev/snd')),
    [],
  );
  assert.equal(after.filter((line) => line.includes(loopback)).length, 1, 'the trace shows an open');
  return `${scanned.length} files opened, none a device`;
}

const heard = withRig(async (rig) => {
  const player = playTone(20_000);
  try {
    await listen(rig);
    // Sample by sample: neither rate nor level is changed on the way.
    await until('the tone', async () => rig.pcm().includes(tone(200)));
    const parameters = await streamSays('hw_params');
    for (const asked of ['rate: 16000 ', 'channels: 1\n', 'period_size: 320\n', 'buffer_size: 8000\n'])
      assert.ok(parameters.includes(asked), `${asked} in ${parameters}`);
    rig.tell({ type: 'ear.finish', turn: 1 });
    await rig.hears('ear.closed');
    assert.equal(rig.level(), 50);
    assert.deepEqual(rig.kinds(), ['ear.opened', 'ear.closed']);
    return `${rig.pcm().length} bytes`;
  } finally {
    await player.end();
  }
});

const heldUp = withRig(async (rig) => {
  await listen(rig);
  const owner = Number(/owner_pid *: (\d+)/.exec(await streamSays('status'))?.[1]);
  process.kill(owner, 'SIGSTOP');
  // Longer than its buffer.
  await turn(1000);
  const before = rig.pcm().length;
  process.kill(owner, 'SIGCONT');
  await until('more sound', async () => rig.pcm().length > before + tone(1000).length);
  assert.deepEqual(rig.kinds(), ['ear.opened']);
  return 'after an overrun';
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
    await loopbackIs('unbind');
    const code = await fails(rig, 'no-device');
    rig.tell({ type: 'ear.probe', choice: anyChoice });
    assert.equal((await rig.hears('ear.sources')).failure, 'no-device');
    assert.deepEqual(await scanMicrophones(), { found: 'none', detail: 'not_enumerated' });
    return code;
  } finally {
    await loopbackIs('bind');
  }
});

const backAgain = withRig(async (rig) => {
  await listen(rig);
  return 'after it was bound again';
});

const forbidden = withRig(async (rig) => {
  await asNobody(async () => {
    assert.deepEqual(await scanMicrophones(), { found: 'devices', count: DEVICES, refused: DEVICES });
    rig.open(1);
    await fails(rig, 'refused');
  });
  return 'refused';
});

/** The kernel's loopback as a microphone, through the scan, the ear and arecord. */
export const microphoneCases: readonly GuestCase[] = [
  { title: 'the microphone is listed without an open', run: listed },
  { title: 'the microphone hears what is played before it', run: heard },
  { title: 'the microphone whose recorder was held up is heard on', run: heldUp, onlyInAll: true },
  { title: 'the microphone that another program uses is busy', run: occupied },
  { title: 'the microphone that is unbound in a turn is no device', run: unbound },
  { title: 'the microphone that was bound again is heard', run: backAgain },
  { title: 'the microphone of another user is forbidden', run: forbidden },
];
