import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { findProgram } from '#drivers/kit/find-program.ts';
import { readProc } from '#drivers/kit/read-proc.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { EarFailure } from '#machines/voice/events.ts';

import { type AlsaCard, parseCards } from './alsa-cards.ts';
import { type ProgramEnd, runProgram, wholeSamples } from './capture.ts';
import { playerOf } from './player.ts';
import type { Recorder, RecordingHooks, Recording } from './recorder.ts';

/** Blocks of 20 ms, and half a second of buffer for a busy panel; in microseconds. */
const ARECORD = ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', '16000', '-c', '1', '-F', '20000', '-B', '500000'] as const;

/**
 * What arecord's end means: it names the errno of the failed call. An unplugged card is ENODEV, or EBADFD to a read
 * that waits (seen with Linux 7.2 and alsa-utils 1.2.8).
 */
function failureOf({ isMissing, errors }: ProgramEnd): EarFailure {
  if (isMissing) return 'no-recorder';
  if (/Device or resource busy/u.test(errors)) return 'busy';
  if (/Permission denied|Operation not permitted/u.test(errors)) return 'refused';
  return /No such (?:device|file or directory)|File descriptor in bad state/u.test(errors) ? 'no-device' : 'ended';
}

function record({ id, device }: Pick<AlsaCard, 'id' | 'device'>, env: ToolEnv, hooks: RecordingHooks): Recording {
  const place = device === 0 ? `plughw:CARD=${id}` : `plughw:CARD=${id},DEV=${device}`;
  let isClosed = false;
  let hasBegun = false;
  const recorder = runProgram('arecord', ['-D', place, ...ARECORD], {
    env,
    onData: wholeSamples((pcm) => {
      // A device of the kernel is never exchanged for another one.
      if (!hasBegun) hooks.onSure();
      hasBegun = true;
      hooks.onData(pcm);
    }),
  });
  return {
    close: () => {
      isClosed = true;
      recorder.kill();
    },
    gone: recorder.gone.then((end) => (isClosed ? null : failureOf(end))),
  };
}

async function cardsBelow(root: string): Promise<readonly AlsaCard[]> {
  const read = root === '/' ? readProc : (path: string) => readFile(path, 'utf8');
  try {
    return parseCards(await read(join(root, 'proc/asound/cards')), await read(join(root, 'proc/asound/pcm')));
  } catch {
    // A kernel without sound has neither file.
    return [];
  }
}

/** The kernel's own devices, for a panel without a sound server. Each has one user at a time. */
export const alsaRecorder = (env: ToolEnv, root = '/'): Recorder => ({
  system: 'alsa',
  list: async () => {
    const cards = await cardsBelow(root);
    if (cards.length === 0) return 'no-device';
    if ((await findProgram(['arecord'], env)) === null) return 'no-recorder';
    return cards.map(({ id, title }, place) => ({
      name: id,
      title,
      kind: 'microphone',
      isDefault: place === 0,
      isMuted: false,
    }));
  },
  refusal: async ({ name }) => {
    const card = (await cardsBelow(root)).find(({ id }) => id === name);
    if (card === undefined) return 'no-device';
    try {
      await access(join(root, `dev/snd/pcmC${card.number}D${card.device}c`), constants.R_OK | constants.W_OK);
      return null;
    } catch (error) {
      return errorCode(error) === 'EACCES' ? 'refused' : null;
    }
  },
  record: ({ name }, hooks) => {
    let recording: Recording | null = null;
    let isClosed = false;
    const start = async (): Promise<EarFailure | null> => {
      const card = (await cardsBelow(root)).find(({ id }) => id === name);
      if (isClosed) return null;
      if (card === undefined) return 'no-device';
      recording = record(card, env, hooks);
      const failure = await recording.gone;
      // A driver may report other errors while its device is being unplugged.
      const isLost = failure === 'ended' && !(await cardsBelow(root)).some(({ id }) => id === name);
      return isLost ? 'no-device' : failure;
    };
    return {
      close: () => {
        isClosed = true;
        recording?.close();
      },
      gone: start(),
    };
  },
  play: playerOf(['aplay', 'paplay'], env),
});
