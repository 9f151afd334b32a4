import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { StageTimes } from './events.ts';

const stage = (what: string) =>
  z
    .number()
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

/** The times as the documents have them. */
export const timesOf = ({ speechEnded, ...times }: StageTimes): z.infer<ReturnType<typeof Times>> => ({
  ...times,
  speech_ended: speechEnded,
});
