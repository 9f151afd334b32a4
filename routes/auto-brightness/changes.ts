import { z } from 'zod';
import { judgeSensor } from '#machines/auto-brightness/judge-sensor.ts';
import { SOURCE_ENTITY } from '#machines/auto-brightness/settings.ts';
import { ENTITY_ID_LENGTH } from '#machines/kit/entity-id.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { operationBusy } from '#routes/kit/operation-busy.ts';
import { requestedFrom } from '#routes/kit/requested-from.ts';
import { noSource, readHome, valuesOf, whyNotRunning } from './requests.ts';

const bodyBytes = 4096;
/** For what needs no body: an empty object is let pass. */
const emptyBytes = 1024;
/** Longest wait for the entity, in milliseconds. */
const ENTITY_MS = 10_000;
/** Longest wait for the disk, in milliseconds. */
const KEEP_MS = 10_000;

const KEY = 'auto_brightness_ha_entity';

const Source = once(() =>
  z
    .strictObject({
      entity_id: z
        .string()
        .max(ENTITY_ID_LENGTH)
        .regex(SOURCE_ENTITY, {
          error:
            'The field "entity_id" must be an entity such as sensor.hall_illuminance. Send "" or null for the panel’s own sensor.',
        })
        .nullable()
        .meta({ description: 'The entity; "" or null for the panel’s own sensor.' }),
    })
    .meta({ id: 'ChooseLightSource', description: 'Where the light is measured.' }),
);

const Chosen = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It is saved.' }),
      entity_id: z.string().nullable().meta({ description: 'The entity; null for the panel’s own sensor.' }),
      current_lux: z.number().min(0).nullable().meta({
        description:
          'What the entity read just now, in lx; null while it has no value, and for the panel’s own sensor.',
      }),
    })
    .meta({ id: 'LightSourceChosen', description: 'The source that is saved.' }),
);

const Done = once(() =>
  z
    .object({ ok: z.literal(true).meta({ description: 'It is done.' }) })
    .meta({ id: 'AutoBrightnessDone', description: 'It is done.' }),
);

/** The Home Assistant that an answer is from: its address, and the credential that it was asked with. */
interface Home {
  readonly url: string;
  readonly account: number;
}

const homeNow = (deps: RouteDeps): Home => ({
  url: String(valuesOf(deps)?.['ha_url'] ?? ''),
  account: deps.registry.read('sign-in')?.context.revision ?? 0,
});

const changed = refuse(
  'source-changed',
  'The address or the account of Home Assistant changed meanwhile. Nothing was saved; choose the sensor again.',
);

type Proof = { readonly ok: true; readonly lux: number | null; readonly home: Home };

/** Reads the entity now: what it measures, and in which Home Assistant. */
async function prove(
  deps: RouteDeps,
  entityId: string,
): Promise<Proof | Refusal<'not-a-light-sensor' | 'source-changed' | 'home-assistant-away' | 'signed-out'>> {
  const home = homeNow(deps);
  const read = await readHome(deps, { kind: 'entity', entityId }, ENTITY_MS);
  const after = homeNow(deps);
  if (after.url !== home.url || after.account !== home.account) return changed;
  if (!read.ok) return read;
  const judged = judgeSensor(entityId, read.reading);
  if (judged.ok) return { ok: true, lux: judged.value, home };
  return { ...judged, reasons: { entity_id: judged.message } };
}

/** Changes of the brightness that follows the room. */
export const autoBrightnessChanges: Family = ({ declare, deps }) => {
  const at = '/api/v1/auto-brightness';
  const common = { method: 'post', tag: 'panel', guard: 'write', protects: null } as const;
  declare(
    {
      ...common,
      operationId: 'chooseLightSource',
      path: `${at}/source`,
      summary: 'Choose where the light is measured',
      description:
        'Reads the entity in Home Assistant within 10 s, and saves it if it measures light in lx. "" or null chooses the panel’s own sensor, which is not read first.',
      maxBodyBytes: bodyBytes,
      body: () => ({
        description: 'The entity.',
        schema: Source(),
        refusal: { code: 'invalid-body' },
        example: { entity_id: 'sensor.hall_illuminance' },
      }),
      answers: () => ({
        200: json('Saved durably, or it was the source before.', Chosen(), {
          example: { ok: true, entity_id: 'sensor.hall_illuminance', current_lux: 119.5 },
        }),
      }),
      problems: [
        'not-a-light-sensor',
        'source-changed',
        'home-assistant-away',
        'signed-out',
        'invalid-config',
        'operation-busy',
        'commit-failed',
        'save-unknown',
        'restarting',
      ],
    },
    async ({ c, body, answer }) => {
      const entityId = body.entity_id ?? '';
      if (valuesOf(deps) === undefined) return restarting('settings');
      const proof = entityId === '' ? { ok: true as const, lux: null, home: null } : await prove(deps, entityId);
      if (!proof.ok) return proof;
      const merge = {
        type: 'settings.merge' as const,
        patch: { [KEY]: entityId },
        from: requestedFrom(c, deps),
        // Another address that is saved between the reading and this refuses it.
        ...(proof.home === null ? {} : { own: { expect: { ha_url: proof.home.url } } }),
      };
      const asked = await deps.registry.ask('settings', merge, KEEP_MS);
      if (!asked.ok)
        return asked.reason === 'absent'
          ? restarting('settings')
          : refuse('save-unknown', 'The save is taking long: it may still have happened. Read again to find out.');
      const outcome = asked.value;
      if (outcome.status === 'refused')
        return 'ha_url' in outcome.reasons
          ? changed
          : { ok: false, reason: 'invalid-config', message: Object.values(outcome.reasons).join(' ') };
      if (outcome.status === 'commit-failed')
        return refuse('commit-failed', `Nothing was changed: the disk refused the save (${outcome.reason}).`);
      if (outcome.status === 'busy' || outcome.status === 'stale') return operationBusy(deps);
      return answer(200, { ok: true, entity_id: entityId || null, current_lux: proof.lux });
    },
  );
  declare(
    {
      ...common,
      operationId: 'forgetLight',
      path: `${at}/reset`,
      summary: 'Forget what was learned of the light',
      description:
        'Of this source and place only. The level then follows the measured light, and learning starts over.',
      maxBodyBytes: emptyBytes,
      answers: () => ({ 200: json('Forgotten, on disk too.', Done(), { example: { ok: true } }) }),
      problems: ['not-running', 'no-source', 'not-kept', 'restarting'],
    },
    async ({ answer }) => {
      const asked = await deps.registry.ask('auto-brightness', { type: 'auto-brightness.forget' }, KEEP_MS);
      if (!asked.ok) return whyNotRunning(deps) ?? restarting('auto-brightness');
      const outcome = asked.value;
      if (outcome.ok) return answer(200, { ok: true });
      return outcome.reason === 'no-source'
        ? noSource
        : refuse('not-kept', 'The disk refused to delete it. Free or repair the disk, then try again.');
    },
  );
  declare(
    {
      ...common,
      operationId: 'resumeAutoBrightness',
      path: `${at}/resume`,
      summary: 'Back to automatic',
      description: 'Ends the preference for a level that a person chose.',
      maxBodyBytes: emptyBytes,
      answers: () => ({
        200: json('Ended; without such a preference nothing changes.', Done(), { example: { ok: true } }),
      }),
      problems: ['not-running', 'restarting'],
    },
    ({ answer }) =>
      deps.registry.tell('auto-brightness', { type: 'auto-brightness.resume' }) === 'absent'
        ? (whyNotRunning(deps) ?? restarting('auto-brightness'))
        : answer(200, { ok: true }),
  );
};
