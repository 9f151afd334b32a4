import { voiceEar, type EarOptions } from '#drivers/voice/ear.ts';
import { EAR_BOUNDS, type EarBounds, type EarRules } from '#drivers/voice/listening.ts';
import type { EarChannel } from '#drivers/voice/turn.ts';
import { addSound, levelOfPeak, noSound } from '#machines/kit/sound-samples.ts';
import { judgeCheck, judgeHealth } from '#machines/voice/ear-health.ts';
import { chooseSource } from '#machines/voice/ear-source.ts';
import type { EarChoice, EarCommand, EarFact } from '#machines/voice/events.ts';

import { isFact, runDriver } from '../run-driver.ts';

/** The decisions as the agent wires them. */
const earRules: EarRules = { choose: chooseSource, judgeHealth, judgeCheck };

export const anyChoice: EarChoice = { audioSource: 'voice_recognition', source: '', gainDb: 0 };

/** A busy machine is no stalled microphone; reports come more often than they do in the agent. */
export const patientBounds: EarBounds = { ...EAR_BOUNDS, openMs: 8000, stalledMs: 8000, reportMs: 250 };

/** Keeps what the ear writes into the channel. */
function listeningChannel() {
  const calls: string[] = [];
  const written: Buffer[] = [];
  let overdue = (): void => {};
  const channel: EarChannel = {
    begin: (turn, whenOverdue) => {
      calls.push(`begin ${turn}`);
      overdue = whenOverdue;
    },
    write: (turn, pcm) => {
      if (calls.at(-1) !== `write ${turn}`) calls.push(`write ${turn}`);
      written.push(Buffer.from(pcm));
    },
    finish: (turn) => void calls.push(`finish ${turn}`),
    drop: (turn) => void calls.push(`drop ${turn}`),
  };
  return {
    channel,
    calls,
    pcm: () => Buffer.concat(written),
    /** Peak of what was written, in percent. */
    level: () => levelOfPeak(addSound(noSound, Buffer.concat(written)).peak),
    overdue: () => overdue(),
  };
}

export function startEar(options: Pick<EarOptions, 'device'> & Partial<EarOptions>) {
  const listening = listeningChannel();
  const running = runDriver<EarCommand, EarFact>(
    voiceEar({
      channel: listening.channel,
      rules: earRules,
      elapsed: () => performance.now(),
      bounds: patientBounds,
      ...options,
    }),
  );
  return {
    ...running,
    ...listening,
    open: (turn: number, part: Partial<EarChoice> & { readonly chime?: boolean } = {}): void => {
      const { chime = false, ...choice } = part;
      running.tell({ type: 'ear.open', turn, choice: { ...anyChoice, ...choice }, chime });
    },
    opened: (turn: number) => running.until(isFact('ear.opened', (fact) => fact.turn === turn)),
    failed: (turn: number) => running.until(isFact('ear.failed', (fact) => fact.turn === turn)),
    closed: (turn: number) => running.until(isFact('ear.closed', (fact) => fact.turn === turn)),
    checked: (check: number) => running.until(isFact('check.ended', (fact) => fact.check === check)),
    sources: (from = 0) => running.until(isFact('ear.sources'), from),
    /** The facts without those of each second. */
    kinds: () => running.facts.filter(({ type }) => type !== 'ear.measured').map(({ type }) => type),
  };
}

/** A tone of 440 Hz at half of full scale. */
export function tone(ms: number): Buffer {
  const pcm = Buffer.alloc(Math.round(ms * 16) * 2);
  for (let at = 0; at < pcm.length / 2; at += 1)
    pcm.writeInt16LE(Math.round(16_384 * Math.sin((2 * Math.PI * 440 * at) / 16_000)), at * 2);
  return pcm;
}
