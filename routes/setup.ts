import { z } from 'zod';

import { deviceLink } from '#machines/home-presence/device-link.ts';
import { adviceOf } from '#machines/kit/home-advice.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { type Answer, stages, type Subject } from '#machines/setup/events.ts';
import { progressOf } from '#machines/setup/progress.ts';
import { SetupStep } from '#machines/setup/status.ts';
import { isSameRecipient } from '#machines/kit/recipient.ts';
import { homeAssistantOrigin, homeAssistantRecipient } from '#machines/sign-in/home-assistant-address.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

/** How long an answer may take to be durable, in milliseconds. */
const keepMs = 10_000;
/** How long the probe of an address may take, in milliseconds; the driver gives up after 5 s. */
const lookMs = 8000;
/** Longest address of Home Assistant, in characters (as the setting). */
const urlLength = 2048;

const GuidedSetup = once(() =>
  z
    .object({
      complete: z.boolean().meta({ description: 'True if everything that the panel needs is there, or once was.' }),
      put_off: z.boolean().meta({ description: 'True if a person postponed the rest.' }),
      next: z.enum(stages).nullable().meta({ description: 'The first step that waits for a person; null for none.' }),
      panel: z
        .object({
          id: z.string().meta({ description: 'Panel id in force.' }),
          name: z.string().meta({ description: 'Name in force.' }),
        })
        .meta({ description: 'Who the panel is.' }),
      steps: z.array(SetupStep()).meta({ description: 'In order.' }),
      renderer: z
        .object({
          builtin: z.boolean().meta({ description: 'True if the built-in renderer shows the dashboard.' }),
          package: z.string().meta({ description: 'The setting `dashboard_package`.' }),
        })
        .meta({ description: 'What shows the dashboard.' }),
      discovery: z
        .object({
          outcome: z
            .enum(['idle', 'searching', 'found', 'ambiguous', 'unavailable', 'off'])
            .meta({ description: 'The result of the search on the network; `idle`: a broker is set.' }),
          reason: z.string().nullable().meta({ description: 'Why it is unavailable; otherwise null.' }),
          explanation: z.string().meta({ description: 'The same in a sentence.' }),
        })
        .meta({ description: 'The search for Home Assistant on the network.' }),
      entity: z.string().nullable().meta({
        description: 'An entity of this panel that Home Assistant shows; null while unknown.',
      }),
      device_url: z.string().nullable().meta({
        description:
          'Address of this panel’s device in Home Assistant, or of its MQTT integration; null while unknown.',
      }),
      free_id: z.string().nullable().meta({
        description: 'A free panel id while another machine uses the id of this panel; else null.',
      }),
    })
    .meta({ id: 'GuidedSetup', description: 'The progress of the setup.' }),
);

const explanations = {
  idle: 'A broker is set, so none is searched for.',
  searching: 'The panel is looking for Home Assistant on the network.',
  found: 'One Home Assistant was found on the network.',
  ambiguous: 'More than one Home Assistant was found on the network. Enter the address of yours.',
  unavailable: 'The network cannot be searched. Enter the addresses.',
  off: 'Sconce was started to leave the network alone. Enter the addresses.',
} as const;

const Recorded = once(() =>
  z.object({ ok: z.literal(true).meta({ description: 'It is saved.' }) }).meta({
    id: 'SetupRecorded',
    description: 'The answer was saved durably.',
  }),
);

const answerWords = 'Send answer with the value done or later.';
const answerField = once(() =>
  z
    .enum(['done', 'later'], { error: answerWords })
    .meta({ id: 'SetupWord', description: '`done`: it is as it should be. `later`: it is postponed.' }),
);
const Answered = once(() =>
  z.strictObject({ answer: answerField() }).meta({ id: 'SetupAnswer', description: 'The person’s answer.' }),
);
const Attested = once(() =>
  z
    .strictObject({
      stage: z.enum(stages).optional().meta({ description: 'The step; by default the whole setup.' }),
      answer: answerField(),
    })
    .meta({ id: 'AttestedSetup', description: 'The same for a step, or for the whole setup.' }),
);

/** Saves one answer; returns the result. */
async function keep(deps: RouteDeps, subject: Subject, answer: Answer) {
  const setup = deps.registry.read('setup');
  if (setup === undefined || setup.context.steps.length === 0) return restarting('setup');
  const asked = await deps.registry.ask('setup', { type: 'setup.answer', subject, answer }, keepMs);
  if (!asked.ok) return restarting('setup');
  return asked.value.status === 'kept'
    ? null
    : refuse(
        'commit-failed',
        `Nothing was changed: it could not be written to disk (${asked.value.reason}). Free or repair the disk and try again.`,
      );
}

const recording = once(() => ({ 200: json('Kept.', Recorded(), { example: { ok: true } }) }) as const);
const recordingProblems = ['commit-failed', 'restarting', 'stopping'] as const;

const HomeProbe = once(() =>
  z
    .object({
      ok: z.boolean().meta({ description: 'True if Home Assistant answers there.' }),
      origin: z.string().meta({ description: 'The address as it would be saved; "" if it is invalid.' }),
      error: z
        .enum(['invalid-url', 'unresolvable', 'unreachable', 'not-home-assistant', 'elsewhere', 'local-address'])
        .optional()
        .meta({ description: 'Why not. `elsewhere`: the address redirects to another one, which is not followed.' }),
      message: z.string().meta({ description: 'The same in a sentence, with what to do.' }),
    })
    .meta({ id: 'HomeAssistantProbe', description: 'The result of a probe of Home Assistant.' }),
);

/** The guided setup: its progress, and the owner's answers. */
export const setupRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getSetup',
      method: 'get',
      path: '/api/v1/setup',
      tag: 'configuration',
      summary: 'The progress of the setup',
      description: 'Judged from facts: a panel that works is set up, however that was done.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The setup.', GuidedSetup()),
      }),
      problems: ['restarting'],
    },
    async ({ answer }) => {
      const setup = deps.registry.read('setup')?.context;
      const identity = deps.registry.read('identity')?.context;
      if (setup === undefined || setup.steps.length === 0) return restarting('setup');
      if (identity === undefined || identity.panelId === '') return restarting('identity');
      const { complete, putOff, next } = progressOf(setup);
      const finder = (deps.registry.read('finder') ?? deps.registry.off('finder'))?.context;
      const outcome = finder?.outcome ?? 'searching';
      const values = deps.registry.read('settings')?.context.values ?? {};
      const program = String(values['dashboard_package'] ?? 'builtin');
      return answer(200, {
        complete,
        put_off: putOff,
        next,
        panel: { id: identity.panelId, name: identity.friendlyName },
        steps: setup.steps,
        renderer: { builtin: program === 'builtin', package: program },
        discovery: { outcome, reason: finder?.failure ?? null, explanation: explanations[outcome] },
        entity: setup.foundEntity?.entityId ?? null,
        device_url: deviceLink(
          String(values['ha_url'] ?? ''),
          setup.foundEntity,
          deps.registry.read('companion')?.context.surface ?? 'mqtt',
        ),
        free_id: deps.registry.read('publisher')?.context.freeId ?? null,
      });
    },
  );
  const steps = [
    ['answerIdentity', 'identity', 'identity', 'the name of the panel'],
    ['answerHomeDashboard', 'home-dashboard', 'home_dashboard', 'the home dashboard'],
    ['answerEntityFilter', 'entity-filter', 'entity_filter', 'the entity filter'],
  ] as const;
  for (const [operationId, path, subject, what] of steps) {
    declare(
      {
        operationId,
        method: 'post',
        path: `/api/v1/setup/${path}`,
        tag: 'configuration',
        summary: `Record that ${what} is as it should be`,
        description: 'Records the answer only: `POST /api/v1/config` writes the value itself.',
        guard: 'write',
        protects: null,
        maxBodyBytes: 1024,
        admit: unlessStopping(deps),
        body: () => ({
          description: 'The person’s answer.',
          schema: Answered(),
          refusal: { code: 'invalid-body' },
          example: { answer: 'done' },
        }),
        answers: () => recording(),
        problems: recordingProblems,
      },
      async ({ body, answer }) => (await keep(deps, subject, body.answer)) ?? answer(200, { ok: true }),
    );
  }
  declare(
    {
      operationId: 'attestSetup',
      method: 'post',
      path: '/api/v1/setup/attest',
      tag: 'configuration',
      summary: 'Postpone a step or the whole setup, or resume it',
      description: 'A step that works stays done whatever the answer. Without a stage it is about the whole setup.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 1024,
      admit: unlessStopping(deps),
      body: () => ({
        description: 'The step and the person’s answer.',
        schema: Attested(),
        refusal: { code: 'invalid-body' },
        example: { stage: 'broker', answer: 'later' },
      }),
      answers: () => recording(),
      problems: recordingProblems,
    },
    async ({ body, answer }) => (await keep(deps, body.stage ?? 'setup', body.answer)) ?? answer(200, { ok: true }),
  );
  declare(
    {
      operationId: 'probeHomeAssistant',
      method: 'get',
      path: '/api/v1/config/probe-home-assistant',
      tag: 'configuration',
      summary: 'Check if Home Assistant answers at an address',
      description:
        'Asks once, without a credential and without following a redirect; at most 5 s. An address of the panel itself or of its own link (loopback, link-local) is not connected to (`local-address`), unless it is the one in the settings. A new request ends the current one, which gets 409 `probe-replaced`.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      query: () =>
        z.strictObject({
          url: z.string().max(urlLength).meta({ description: 'As the setting `ha_url` takes it.' }),
        }),
      answers: () => ({
        200: json('The result.', HomeProbe(), {
          example: { ok: true, origin: 'http://192.168.1.10:8123', message: 'Home Assistant answers there.' },
        }),
      }),
      problems: ['probe-replaced', 'restarting'],
    },
    async ({ query, answer }) => {
      const address = homeAssistantOrigin(query.url);
      if (!address.ok)
        return answer(200, {
          ok: false,
          origin: '',
          error: 'invalid-url',
          message: `The address ${address.message}.`,
        });
      const origin = address.value;
      const saved = String(deps.registry.read('settings')?.context.values['ha_url'] ?? '');
      const target = {
        origin,
        isSaved: isSameRecipient(homeAssistantRecipient(origin), homeAssistantRecipient(saved)),
      };
      const asked = await deps.registry.ask('home-probe', { type: 'probe.begin', target }, lookMs);
      if (!asked.ok) return restarting('home-probe');
      const outcome = asked.value;
      switch (outcome.status) {
        case 'answered':
          return answer(200, { ok: true, origin, message: adviceOf(outcome) });
        case 'failed':
          return answer(200, { ok: false, origin, error: outcome.error, message: adviceOf(outcome, origin) });
        case 'replaced':
          return refuse('probe-replaced', 'Another address is being checked now. Check this one again.');
      }
    },
  );
};
