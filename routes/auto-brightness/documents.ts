import { z } from 'zod';
import { AutoBrightnessDocument, LightHistory, LightSources } from '#machines/auto-brightness/document.ts';
import type { Preview } from '#machines/auto-brightness/events.ts';
import { BOUNDS } from '#machines/auto-brightness/settings.ts';
import { chosenOf, historyOf, sourcesOf } from '#machines/auto-brightness/view.ts';
import { once } from '#machines/kit/once.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import type { Refusal } from '#routes/kit/problem.ts';
import { chart, decision, sensors } from './examples.ts';
import { readChart, readRoom, readSensors, valuesOf, whyNotRunning } from './requests.ts';

/** Longest wait for Home Assistant, in milliseconds: to connect, and for its answer. */
const SOURCES_MS = 22_000;
/** How much of a search counts, in characters. */
const SEARCH_LENGTH = 100;
const MOST_SOURCES = 200;

const within = (name: keyof typeof BOUNDS) => z.int().min(BOUNDS[name].min).max(BOUNDS[name].max).optional();

/** The unsaved values of a preview, as the settings bound them. */
const HistoryQuery = once(() =>
  z.strictObject({
    hours: z.int().min(1).max(168).default(168).meta({ description: 'How far to go back.' }),
    sensitivity: within('responsePercent').meta({
      description: 'As if `auto_brightness_response_percent` were this.',
    }),
    minimum_percent: within('minimumPercent').meta({
      description: 'As if `auto_brightness_minimum_percent` were this; below the maximum.',
    }),
    maximum_percent: within('maximumPercent').meta({
      description: 'As if `auto_brightness_maximum_percent` were this.',
    }),
  }),
);
type HistoryQuery = z.infer<ReturnType<typeof HistoryQuery>>;

const SourcesQuery = once(() =>
  z.strictObject({
    q: z
      .string()
      .default('')
      .meta({ description: `A part of the id or the name; ${SEARCH_LENGTH} characters count.` }),
    limit: z
      .int()
      .default(100)
      .meta({ description: `How many; held inside 1 to ${MOST_SOURCES}.` }),
  }),
);

/** The values to preview; those that are absent are as saved. */
const previewOf = (query: HistoryQuery): Preview => ({
  ...(query.sensitivity === undefined ? {} : { responsePercent: query.sensitivity }),
  ...(query.minimum_percent === undefined ? {} : { minimumPercent: query.minimum_percent }),
  ...(query.maximum_percent === undefined ? {} : { maximumPercent: query.maximum_percent }),
});

/** The refusal of a darkest level that is not below the brightest; null if it is. */
function crossed(deps: RouteDeps, query: HistoryQuery): Refusal<'invalid-query'> | null {
  const { minimumPercent, maximumPercent } = { ...chosenOf(valuesOf(deps) ?? {}), ...previewOf(query) };
  if (minimumPercent < maximumPercent) return null;
  const field = query.minimum_percent === undefined ? 'maximum_percent' : 'minimum_percent';
  const message =
    field === 'minimum_percent'
      ? `The field "minimum_percent" must be below the maximum of ${maximumPercent}. Send a lower one, or a higher maximum_percent.`
      : `The field "maximum_percent" must be above the minimum of ${minimumPercent}. Send a higher one, or a lower minimum_percent.`;
  return { ok: false, reason: 'invalid-query', message, reasons: { [field]: message } };
}

/** The brightness that follows the room: the decision, its history, and the sensors to choose from. */
export const autoBrightnessDocuments: Family = ({ declare, deps }) => {
  const at = '/api/v1/auto-brightness';
  const common = { method: 'get', tag: 'panel', protects: null, maxBodyBytes: 0 } as const;
  declare(
    {
      ...common,
      operationId: 'getAutoBrightness',
      path: at,
      summary: 'The brightness that follows the light of the room',
      description: 'The level, what it was decided from, and why, as of now.',
      guard: 'ordinary',
      answers: () => ({ 200: json('The decision.', AutoBrightnessDocument(), { example: decision }) }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const room = readRoom(deps);
      return room.ok ? answer(200, room.doc) : room;
    },
  );
  declare(
    {
      ...common,
      operationId: 'getLightHistory',
      path: `${at}/history`,
      summary: 'The light of the last week, and the levels for it',
      description:
        'What was measured, what was expected, and the level that these settings would have given; the query previews values that are not saved. One chart is drawn at a time.',
      guard: 'active',
      query: HistoryQuery,
      answers: () => ({ 200: json('The chart.', LightHistory(), { example: chart }) }),
      problems: ['invalid-query', 'not-running', 'no-source', 'chart-busy', 'restarting'],
    },
    async ({ query, answer }) => {
      const why = whyNotRunning(deps) ?? crossed(deps, query);
      if (why !== null) return why;
      const drawn = await readChart(deps, query.hours, previewOf(query));
      return drawn.ok ? answer(200, historyOf(drawn.value, query.hours)) : drawn;
    },
  );
  declare(
    {
      ...common,
      operationId: 'getLightSources',
      path: `${at}/sources`,
      summary: 'The light sensors of Home Assistant',
      description:
        'Asks Home Assistant, over a temporary connection if none is open; it is asked at most twice a minute. Works while automatic brightness is off.',
      guard: 'active',
      query: SourcesQuery,
      answers: () => ({ 200: json('The sensors.', LightSources(), { example: sensors }) }),
      problems: [],
    },
    async ({ query, answer }) => {
      const limit = Math.min(MOST_SOURCES, Math.max(1, query.limit));
      return answer(200, sourcesOf(await readSensors(deps, SOURCES_MS), query.q.slice(0, SEARCH_LENGTH), limit));
    },
  );
};
