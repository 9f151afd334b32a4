import { z } from 'zod';
import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import { sleepReasons } from './events.ts';
import { restingFacts } from './off.ts';
import { sentenceOf } from './sentence.ts';

const AutoSleepStatus = once(() =>
  z
    .object({
      phase: z.enum(['off', 'unavailable', 'holding', 'sleeping', 'inhibited']).meta({
        description: 'Whether the screen is kept lit, may go dark, or is left as it is for want of sensors.',
      }),
      reason: z.enum(sleepReasons).meta({ description: 'Why so; the hours count also while auto-sleep is off.' }),
      detail: z.string().meta({ description: 'The decision and its reasons, one sentence.' }),
    })
    .meta({ id: 'AutoSleep', description: 'Whether the screen sleeps while the room is empty, and why so.' }),
);

export const status = statusSection({
  reads: ['auto-sleep'],
  uses: ['now'],
  shape: () => ({ auto_sleep: AutoSleepStatus() }),
  view: ({ view, now }) => {
    const facts = view('auto-sleep')?.context ?? restingFacts;
    const { phase, reason } = facts.view;
    return { auto_sleep: { phase, reason, detail: sentenceOf(facts, now) } };
  },
});
