import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

import { alsaRecorder } from '#drivers/voice/alsa.ts';
import { anyMicrophone } from '#drivers/voice/device.ts';
import { EAR_BOUNDS } from '#drivers/voice/listening.ts';
import type { EarFact } from '#machines/voice/events.ts';
import { startEar, tone } from '#test/drivers/voice/hearing.ts';

import { until } from '../guest-case.ts';

/** The device file of the loopback's first microphone. */
export const loopback = '/dev/snd/pcmC0D0c';

/** Takes the loopback away from its driver, or gives it back; resolves once that is done. */
export async function loopbackIs(change: 'bind' | 'unbind'): Promise<void> {
  await writeFile(`/sys/bus/platform/drivers/snd_aloop/${change}`, 'snd_aloop.0');
  await until(`the loopback to ${change}`, async () => existsSync(loopback) === (change === 'bind'));
}

const env = { PATH: '/usr/bin:/bin' };
/** What is played into the one device of the loopback is heard at the other. */
const speaker = 'plughw:CARD=Loopback,DEV=1';
const RAW = '-q -t raw -f S16_LE -r 16000 -c 1'.split(' ');
/** An emulated processor starts a program within seconds. */
const bounds = { ...EAR_BOUNDS, openMs: 120_000, stalledMs: 60_000 };

/** The kernel's own devices, as the agent records them where there is no sound server. */
export const recorder = alsaRecorder(env);

/** What the kernel says of the loopback's microphone, in its file of this name. */
export const streamSays = (file: 'hw_params' | 'status'): Promise<string> =>
  readFile(`/proc/asound/Loopback/pcm0c/sub0/${file}`, 'utf8');

/** Whether some process has the microphone open. */
export const isHeld = async (): Promise<boolean> => (await streamSays('status')).trim() !== 'closed';

/** The ear with the loopback's microphone. */
export interface MicrophoneRig extends Pick<ReturnType<typeof startEar>, 'open' | 'tell' | 'pcm' | 'level' | 'kinds'> {
  /** Waits for a fact of this kind, which may have come already. */
  readonly hears: <T extends EarFact['type']>(type: T) => Promise<Extract<EarFact, { readonly type: T }>>;
  readonly end: () => Promise<void>;
}

export function microphoneRig(): MicrophoneRig {
  const ear = startEar({ device: anyMicrophone, env, bounds, recorders: [recorder] });
  return {
    ...ear,
    hears: async <T extends EarFact['type']>(type: T) => {
      const isOne = (fact: EarFact): fact is Extract<EarFact, { readonly type: T }> => fact.type === type;
      await until(type, async () => ear.facts.some(isOne)).catch((error: unknown) => {
        throw new Error(`${String(error)}; the ear said ${JSON.stringify(ear.facts)}`);
      });
      return ear.until(isOne);
    },
    end: async () => {
      ear.stop();
      await ear.settled();
      const crash = ear.crashed();
      if (crash !== undefined) throw new Error('the ear crashed', { cause: crash });
    },
  };
}

/** Something that was started, and is ended with its process. */
export interface Running {
  readonly end: () => Promise<void>;
}

/** Plays a tone of 440 Hz in front of the microphone. */
export function playTone(ms: number): Running {
  const player = spawn('/usr/bin/aplay', ['-D', speaker, ...RAW, '-'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(player, 'exit');
  // It may be ended before it has read all.
  player.stdin.on('error', () => {});
  player.stdin.end(tone(ms));
  return {
    end: async () => {
      player.kill('SIGKILL');
      await ended;
    },
  };
}

/** Another program that records the microphone; it does so once this resolves. */
export async function otherRecorder(): Promise<Running> {
  const other = spawn('/usr/bin/arecord', ['-D', 'plughw:CARD=Loopback', ...RAW, '-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(other, 'exit');
  await once(other.stdout, 'data');
  other.stdout.resume();
  return {
    end: async () => {
      other.kill('SIGKILL');
      await ended;
    },
  };
}
