import { setTimeout as pause } from 'node:timers/promises';

import type { AnnouncementRefusal } from '#machines/announcer/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { PlayOutcome, Sound } from './player-program.ts';
import type { Loudspeaker } from './sound-system.ts';

export type Played = AnnouncementRefusal | null;
export type Probed = Awaited<ReturnType<Loudspeaker['probe']>>;

/** What a play lacks; null for nothing. */
export const missing = ({ players, sound }: Probed): AnnouncementRefusal | null =>
  players.length === 0 ? 'no-player' : sound === null ? null : 'no-sound';

/**
 * Interval between probes of the sound system during a play, in milliseconds: without one, mpv waits silently. The
 * answer of a turn is short, and a person waits for its end.
 */
export const WATCH_MS = { announcement: 2000, answer: 700 } as const;
/** Consecutive probes that must fail, since a single one may only have been slow; and the wait for the next one. */
const MISSES = 2;
const MISSED_MS = 300;

/** Calls `gone` once the sound system has disappeared; ends with `over`. */
async function watchSound(
  speaker: Loudspeaker,
  everyMs: Milliseconds,
  over: AbortSignal,
  gone: () => void,
): Promise<void> {
  for (let misses = 0; misses < MISSES;) {
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    await pause(misses === 0 ? everyMs : MISSED_MS, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return;
    // oxlint-disable-next-line no-await-in-loop -- as above
    misses = (await speaker.sound(over)) === null ? 0 : misses + 1;
  }
  if (!over.aborted) gone();
}

/** What is played, and how often the sound system is probed meanwhile. */
export interface Playing {
  readonly sound: Sound;
  readonly everyMs: Milliseconds;
}

/** Plays with one player until it ends or the sound system disappears. */
async function playWatched(
  speaker: Loudspeaker,
  player: string,
  { sound, everyMs }: Playing,
  signal: AbortSignal,
): Promise<PlayOutcome | 'no-sound'> {
  const over = new AbortController();
  const gone = new AbortController();
  const watched = watchSound(speaker, everyMs, over.signal, () => gone.abort());
  const outcome = await speaker.play(player, sound, AbortSignal.any([signal, gone.signal]));
  over.abort();
  await watched;
  return gone.signal.aborted ? 'no-sound' : outcome;
}

/**
 * Tries one player after another. If all fail, a last probe tells a missing player or sound system from a bad sound.
 */
export async function playByTrying(
  speaker: Loudspeaker,
  players: readonly string[],
  playing: Playing,
  probe: () => Promise<Probed>,
  signal: AbortSignal,
): Promise<Played> {
  for (const player of players) {
    // oxlint-disable-next-line no-await-in-loop -- one player after another
    const outcome = await playWatched(speaker, player, playing, signal);
    if (outcome === 'finished' || signal.aborted) return null;
    if (outcome === 'play-timeout') return outcome;
    // The next player would wait for a sound system that has just vanished; the failure and one probe are two signs.
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (outcome === 'no-sound' || (await speaker.sound(signal)) !== null) {
      // For the verdict. It runs every tool, and a person waits for the end of the play; a failure is found again.
      probe().catch(() => {});
      return 'no-sound';
    }
  }
  return missing(await probe()) ?? 'not-playable';
}
