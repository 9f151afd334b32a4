import { readFile } from 'node:fs/promises';

import { ownUser } from '#drivers/kit/own-user.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import type { MixerReading } from '#machines/volume/events.ts';

import type { Mixer, MixerRefusal } from './mixer.ts';
import { missingSound } from './verdicts.ts';

/** The first route that could be read, or the verdict on what is missing. */
export type Found = { readonly mixer: Mixer; readonly reading: MixerReading } | { readonly verdict: Verdict };

/** True if `/proc/asound/cards` lists a card; such lines begin with a number. */
export const listsCard = (text: string): boolean => /^\s*\d+ \[/m.test(text);

/** Tries the routes in order by reading each of them. */
export async function findMixer(
  mixers: readonly Mixer[],
  signal: AbortSignal,
  cardsFile = '/proc/asound/cards',
): Promise<Found> {
  const refusals: MixerRefusal[] = [];
  for (const mixer of mixers) {
    const reading = await mixer.read(signal);
    if (reading.ok) return { mixer, reading: reading.value };
    refusals.push(reading.reason);
    // If a sound system runs without an output, stop here: amixer would only reach its dummy.
    if (reading.reason === 'no-output') break;
  }
  return { verdict: missingSound(refusals, listsCard(await readFile(cardsFile, 'utf8').catch(() => '')), ownUser()) };
}
