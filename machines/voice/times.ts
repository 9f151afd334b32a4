import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { StageTimes } from './events.ts';

const stage = (what: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `${what}; null if it did not come.` });

/** Times of the stages of a turn, as the documents have them. */
export const Times = once(() =>
  z
    .object({
      opened: stage('The microphone delivered'),
      started: stage('Home Assistant listened'),
      speech_ended: stage('Speech ended'),
      understood: stage('It was turned into text'),
      decided: stage('The answer was decided'),
      answered: stage('The address of the spoken answer was known'),
      sounded: stage('First sound of the answer'),
      ended: stage('The turn was over'),
    })
    .meta({ id: 'VoiceTimes', description: 'Milliseconds from the trigger to each stage.' }),
);

const whole = (ms: Milliseconds | null): number | null => (ms === null ? null : Math.round(ms));

/** The times as the documents have them, in whole milliseconds. */
export const timesOf = (times: StageTimes): z.infer<ReturnType<typeof Times>> => ({
  opened: whole(times.opened),
  started: whole(times.started),
  speech_ended: whole(times.speechEnded),
  understood: whole(times.understood),
  decided: whole(times.decided),
  answered: whole(times.answered),
  sounded: whole(times.sounded),
  ended: whole(times.ended),
});
