import { z } from 'zod';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';
import { whyNotRunning } from './requests.ts';

const bodyBytes = 1024;
/** Longest wait for the disk, in milliseconds. */
const KEEP_MS = 10_000;

const key = (name: string, what: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/, {
      error: `The field "${name}" must have 64 hexadecimal digits. Take it from /api/v1/auto-sleep/sources.`,
    })
    .meta({ description: what });

const Include = once(() =>
  z
    .strictObject({
      area_key: key('area_key', 'The area for which the sensors were listed.'),
      source_key: key('source_key', 'The sensor.'),
      included: z.boolean().meta({ description: 'Whether it counts.' }),
    })
    .meta({ id: 'IncludePresenceSource', description: 'Whether one sensor counts.' }),
);

const Included = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It is saved.' }),
      included: z.boolean().meta({ description: 'Whether it counts now.' }),
    })
    .meta({ id: 'PresenceSourceIncluded', description: 'What is saved.' }),
);

/** Changes of the sensors that the screen sleeps by. */
export const autoSleepChanges: Family = ({ declare, deps }) => {
  declare(
    {
      method: 'post',
      tag: 'panel',
      guard: 'write',
      protects: null,
      operationId: 'includePresenceSource',
      path: '/api/v1/auto-sleep/source',
      summary: 'Let a presence sensor count, or leave it out',
      description: 'Saved durably, for this area. What was learned with other sensors no longer counts.',
      maxBodyBytes: bodyBytes,
      body: () => ({
        description: 'The sensor, by the keys of the list.',
        schema: Include(),
        refusal: { code: 'invalid-body' },
        example: { area_key: '5f'.repeat(32), source_key: 'a0'.repeat(32), included: false },
      }),
      answers: () => ({ 200: json('Saved.', Included(), { example: { ok: true, included: false } }) }),
      problems: ['not-running', 'sources-stale', 'not-kept', 'restarting'],
    },
    async ({ body: { area_key: areaKey, source_key: sourceKey, included }, answer }) => {
      const event = { type: 'auto-sleep.include', areaKey, sourceKey, included } as const;
      const asked = await deps.registry.ask('auto-sleep', event, KEEP_MS);
      if (!asked.ok) return whyNotRunning(deps) ?? restarting('auto-sleep');
      const outcome = asked.value;
      if (outcome.ok) return answer(200, { ok: true, included: outcome.value.included });
      return outcome.reason === 'stale'
        ? refuse(
            'sources-stale',
            'The area or its sensors changed since they were listed, or are not known now. Nothing was saved; list them again.',
          )
        : refuse('not-kept', 'The disk refused to save it. Free or repair the disk, then try again.');
    },
  );
};
