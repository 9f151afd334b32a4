import { z } from 'zod';
import { AutoSleepDocument, SleepHistory, SleepPrerequisite, SleepSources } from '#machines/auto-sleep/document.ts';
import { historyOf, prerequisiteOf, sourcesOf } from '#machines/auto-sleep/view.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';
import { decision, prerequisite, replay, sensors } from './examples.ts';
import { readPrerequisite, readSleep, readSources, whyNotRunning } from './requests.ts';

/** Longest wait for recorded states, in milliseconds: connecting, and what Home Assistant answers. */
const HISTORY_MS = 100_000;

const HistoryQuery = once(() =>
  z.strictObject({
    hours: z.int().min(1).max(48).default(6).meta({ description: 'How far to go back.' }),
  }),
);

const noSources = refuse(
  'no-sources',
  'No sensors of Home Assistant are known. Set auto_sleep_source to home_assistant, and give the panel an area there.',
);

/** The screen that sleeps while the room is empty: the decision, its sensors and their last hours. */
export const autoSleepDocuments: Family = ({ declare, deps }) => {
  const at = '/api/v1/auto-sleep';
  const common = { method: 'get', tag: 'panel', protects: null, maxBodyBytes: 0 } as const;
  declare(
    {
      ...common,
      operationId: 'getAutoSleep',
      path: at,
      summary: 'Whether the screen sleeps while the room is empty',
      description: 'The decision, what it was decided from, and the last switches of the screen, as of now.',
      guard: 'ordinary',
      answers: () => ({ 200: json('The decision.', AutoSleepDocument(), { example: decision }) }),
      problems: ['restarting'],
    },
    async ({ answer }) => {
      const sleep = await readSleep(deps);
      return sleep.ok ? answer(200, sleep.doc) : sleep;
    },
  );
  declare(
    {
      ...common,
      operationId: 'getAutoSleepPrerequisite',
      path: `${at}/prerequisite`,
      summary: 'Whether sensors of Home Assistant can be the source',
      description:
        'Asks Home Assistant for the panel’s area, over a temporary connection if none is open. Works while auto-sleep is off. A failure is an answer with its phase, and may be tried again.',
      guard: 'active',
      answers: () => ({ 200: json('The area.', SleepPrerequisite(), { example: prerequisite }) }),
      problems: [],
    },
    async ({ answer }) => answer(200, prerequisiteOf(await readPrerequisite(deps))),
  );
  declare(
    {
      ...common,
      operationId: 'getAutoSleepHistory',
      path: `${at}/history`,
      summary: 'The last hours of the sensors, and what follows from them',
      description:
        'Replays the recorded states of the sensors that count through the same decisions, one replay at a time and one a minute. If nothing newer can be read, `detail` says why, and the last complete view is shown.',
      guard: 'active',
      query: HistoryQuery,
      answers: () => ({ 200: json('The replay.', SleepHistory(), { example: replay }) }),
      problems: ['invalid-query', 'not-running', 'restarting'],
    },
    async ({ query: { hours }, answer }) => {
      const asked = await deps.registry.ask('auto-sleep', { type: 'auto-sleep.replay', hours }, HISTORY_MS);
      if (!asked.ok || !asked.value.ok) return whyNotRunning(deps) ?? restarting('auto-sleep');
      return answer(200, historyOf(asked.value.value, hours));
    },
  );
  declare(
    {
      ...common,
      operationId: 'getAutoSleepSources',
      path: `${at}/sources`,
      summary: 'The presence sensors of the panel’s area',
      description: 'As they are known now; nothing is asked. The keys are those that `POST` takes.',
      guard: 'ordinary',
      answers: () => ({ 200: json('The sensors.', SleepSources(), { example: sensors }) }),
      problems: ['not-running', 'no-sources', 'restarting'],
    },
    async ({ answer }) => {
      const why = whyNotRunning(deps);
      if (why !== null) return why;
      const sources = await readSources(deps);
      return sources === null ? noSources : answer(200, sourcesOf(sources));
    },
  );
};
