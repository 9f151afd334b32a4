import { amplify, bytesOfSound } from '#machines/kit/sound-samples.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { EarCommand, EarFailure } from '#machines/voice/events.ts';

import { chime as chimeSound } from './chime.ts';
import { type EarWork, listen } from './listening.ts';
import type { Recorder } from './recorder.ts';
import type { TurnChannel } from './turn-channel.ts';

/** The part of the channel that the ear uses. */
export type EarChannel = Pick<TurnChannel, 'begin' | 'write' | 'finish' | 'drop'>;

export interface OpenTurn {
  readonly turn: number;
  readonly release: () => void;
  readonly finish: () => void;
  /** Ends it, and drops what was not sent. */
  readonly close: () => void;
  /** Resolves when the process is gone and `ear.closed` was sent; never rejects, but for a crash. */
  readonly done: Promise<void>;
}

/** Sound that waits until it may leave the panel, at most so many bytes; the oldest is forgotten. */
function createHeld(mostBytes: number) {
  const held: Buffer[] = [];
  let bytes = 0;
  return {
    add: (pcm: Buffer): void => {
      held.push(pcm);
      bytes += pcm.length;
    },
    trim: (): void => {
      while (bytes > mostBytes) bytes -= held.shift()?.length ?? bytes;
    },
    take: (): readonly Buffer[] => {
      bytes = 0;
      return held.splice(0);
    },
  };
}

/** Listens for one turn, once `after` is over: records, keeps, and from its release on writes into the channel. */
export function openTurn(
  { turn, choice, chime }: Extract<EarCommand, { readonly type: 'ear.open' }>,
  channel: EarChannel,
  work: EarWork,
  after: Promise<void>,
): OpenTurn {
  const { bounds, elapsed, guard, send } = work;
  const held = createHeld(bytesOfSound(bounds.heldMs));
  const over = new AbortController();
  let state: 'listening' | 'finished' | 'dropped' = 'listening';
  let isReleased = false;
  let isSure = false;
  let isOpen = false;
  let hasBegun = false;
  let hasFinished = false;
  /** What is heard until then is the chime; by the monotonic clock. */
  let quietUntil: Milliseconds = -Infinity;
  let chimed: Promise<void> = Promise.resolve();

  const drop = (): void => {
    held.take();
    if (state === 'dropped') return;
    state = 'dropped';
    if (hasBegun) channel.drop(turn);
  };
  const close = (): void => {
    drop();
    over.abort();
  };
  const breakOff = (code: EarFailure): void => {
    if (state === 'dropped') return;
    close();
    send({ type: 'ear.failed', turn, code, at: elapsed() });
  };
  const fail = (code: EarFailure): void => {
    if (state === 'listening') breakOff(code);
  };
  const pass = (): void => {
    if (state === 'dropped' || !isReleased || !isSure || hasFinished) return;
    if (!hasBegun) {
      hasBegun = true;
      channel.begin(
        turn,
        // Also after its end: what was said would never arrive, and Home Assistant would wait for it.
        guard(() => breakOff('backlog')),
      );
    }
    for (const pcm of held.take()) channel.write(turn, pcm);
    if (state !== 'finished') return;
    hasFinished = true;
    channel.finish(turn);
  };
  const play = async (recorder: Recorder): Promise<void> => {
    quietUntil = Infinity;
    const wasPlayed = await recorder.play(chimeSound(), over.signal);
    quietUntil = wasPlayed ? elapsed() + bounds.echoMs : -Infinity;
    if (!over.signal.aborted) send({ type: 'ear.chimed', turn, at: elapsed() });
  };
  const opened = (): void => {
    if (isOpen || !isSure) return;
    isOpen = true;
    send({ type: 'ear.opened', turn, at: elapsed() });
  };

  const run = async (): Promise<void> => {
    await after;
    if (!over.signal.aborted) {
      const listening = listen(
        choice,
        {
          onFound: (recorder) => {
            if (chime) chimed = play(recorder);
          },
          onData: (pcm) => {
            if (elapsed() < quietUntil) pcm.fill(0);
            else amplify(pcm, choice.gainDb);
            held.add(pcm);
            pass();
            held.trim();
          },
          onSure: () => {
            isSure = true;
            opened();
            pass();
          },
        },
        work,
      );
      over.signal.addEventListener('abort', listening.close, { once: true });
      const failure = await listening.gone;
      if (failure !== null) fail(failure);
      await chimed;
    }
    send({ type: 'ear.closed', turn, at: elapsed() });
  };
  return {
    turn,
    release: () => {
      isReleased = true;
      pass();
    },
    finish: () => {
      if (state !== 'listening') return;
      state = 'finished';
      // What was recorded from an unknown source is not sent.
      if (!isSure) held.take();
      isSure = true;
      over.abort();
      pass();
    },
    close,
    done: run(),
  };
}
