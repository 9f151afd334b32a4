import { bytesOfSound } from '#machines/kit/sound-samples.ts';
import type { EarCommand, EarFact, EarFailure, EarHealth } from '#machines/voice/events.ts';

import { type EarWork, listen } from './listening.ts';
import { createMeter } from './meter.ts';
import type { Recorder } from './recorder.ts';

export interface OpenCheck {
  readonly check: number;
  readonly close: () => void;
  /** Resolves when `check.ended` was sent; never rejects, but for a crash. */
  readonly done: Promise<void>;
}

type CheckCode = Extract<EarFact, { readonly type: 'check.ended' }>['code'];

/** The health that a failure shows; null if it shows none. */
function healthOf(failure: EarFailure): EarHealth | null {
  if (failure === 'no-device' || failure === 'refused' || failure === 'stalled') return failure;
  return failure === 'source-unknown' || failure === 'no-echo-cancelled' ? 'no-device' : null;
}

/**
 * Records for three seconds and plays that at the panel, once `after` is over. The recording is in memory only, and
 * overwritten at the end.
 */
export function openCheck(
  { check, choice }: Extract<EarCommand, { readonly type: 'ear.check' }>,
  work: EarWork,
  after: Promise<void>,
): OpenCheck {
  const { bounds, elapsed, rules, send } = work;
  const over = new AbortController();
  const enough = new AbortController();
  const pcm = Buffer.alloc(bytesOfSound(bounds.checkMs));
  let length = 0;
  let isSure = false;
  let recorder: Recorder | null = null;
  const meter = createMeter(elapsed);

  const run = async (): Promise<void> => {
    await after;
    const listening = listen(
      choice,
      {
        onFound: (found) => {
          recorder = found;
        },
        onData: (heard) => {
          if (!isSure) return;
          if (length === 0) meter.restart();
          meter.take(heard);
          heard.copy(pcm, length);
          length = Math.min(pcm.length, length + heard.length);
          if (length === pcm.length) enough.abort();
        },
        onSure: () => {
          isSure = true;
          send({ type: 'check.recording', check });
        },
      },
      work,
    );
    const ends = AbortSignal.any([over.signal, enough.signal]);
    ends.addEventListener('abort', listening.close, { once: true });
    if (ends.aborted) listening.close();
    const failure = await listening.gone;
    const { health, level } = meter.measure(listening.isMuted(), rules.judgeCheck);
    const end = (code: CheckCode): void =>
      send({
        type: 'check.ended',
        check,
        code,
        health: (failure === null ? null : healthOf(failure)) ?? health,
        level,
      });
    if (failure !== null) return end(failure);
    if (over.signal.aborted || recorder === null) return end('cut');
    send({ type: 'check.playing', check });
    const wasPlayed = await recorder.play(pcm, over.signal);
    return end(over.signal.aborted ? 'cut' : wasPlayed ? null : 'no-player');
  };
  return {
    check,
    close: () => over.abort(),
    done: run().finally(() => pcm.fill(0)),
  };
}
