import { z } from 'zod';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import {
  MicrophoneDocument,
  microphoneDocument,
  PipelinesDocument,
  pipelinesDocument,
  type VoiceFacts,
} from '#machines/voice/document.ts';
import { type TriggerRefusal, triggerRefusals } from '#machines/voice/events.ts';
import { refusalOf } from '#machines/voice/refusal-of.ts';
import { refusedWords, type VoiceProblem } from '#machines/voice/refused.ts';
import { faultWords } from '#machines/voice/words.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';

/** Longest wait for the decision whether a turn begins; and whether a check does, whose mark takes up to 5 s. */
const DECIDED_MS: Milliseconds = 5_000;
const SHOWN_MS: Milliseconds = 7_000;

const Accepted = once(() =>
  z
    .object({ accepted: z.literal(true).meta({ description: 'It begins.' }) })
    .meta({ id: 'VoiceAccepted', description: 'What was asked for begins.' }),
);
const accepted = () => json('Accepted.', Accepted(), { example: { accepted: true } });

const problemOf = <R extends TriggerRefusal>(reason: R): `voice-${R}` => `voice-${reason}`;

/** The refusal of a trigger, with its cause in `reason` (5.10). */
const notNow = <R extends TriggerRefusal>(reason: R): Refusal<`voice-${R}`> => ({
  ...refuse(problemOf(reason), refusedWords(reason)),
  cause: reason,
});

const refusals = triggerRefusals.map(problemOf);

/** The facts of voice; the refusal of a panel without a microphone, or while a part restarts. */
function voiceFacts({
  registry,
}: RouteDeps): { readonly ok: true; readonly facts: VoiceFacts } | Refusal<'microphone-absent' | 'restarting'> {
  if (!registry.ids().includes('voice'))
    return refuse('microphone-absent', 'The profile of this panel says that it has no microphone.');
  const voice = registry.read('voice') ?? registry.off('voice');
  const microphone = registry.read('microphone');
  const settings = registry.read('settings');
  if (voice === undefined) return restarting('voice');
  if (microphone === undefined) return restarting('microphone');
  if (settings === undefined) return restarting('settings');
  return { ok: true, facts: { voice, microphone: microphone.context, values: settings.context.values } };
}

/** What the page is drawn from; null on a panel without a microphone. */
export function voicePageOf(deps: RouteDeps):
  | {
      readonly ok: true;
      readonly voice: { readonly microphone: MicrophoneDocument; readonly pipelines: PipelinesDocument | null } | null;
    }
  | Refusal<'restarting'> {
  const found = voiceFacts(deps);
  if (!found.ok) return found.reason === 'microphone-absent' ? { ok: true, voice: null } : restarting('voice');
  const pipelines = pipelinesDocument(found.facts);
  const microphone = microphoneDocument(found.facts);
  return { ok: true, voice: { microphone, pipelines: 'missing' in pipelines ? null : pipelines } };
}

type Unavailable = Refusal<VoiceProblem | 'microphone-absent' | 'restarting'>;

/** Why voice gave no answer: off, it does not run; otherwise it is being restarted. */
function silent({ registry }: RouteDeps, { voice, microphone }: VoiceFacts): Unavailable {
  const refusal = refusalOf(voice, microphone);
  return registry.read('voice') === undefined && refusal !== null ? notNow(refusal) : restarting('voice');
}

/** Begins a turn; null once it is accepted. */
async function beginTurn(deps: RouteDeps): Promise<Unavailable | null> {
  const found = voiceFacts(deps);
  if (!found.ok) return found;
  const trigger = { type: 'voice.trigger' as const, source: 'test' as const, pipelineId: null, at: deps.elapsed() };
  const asked = await deps.registry.ask('voice', trigger, DECIDED_MS);
  if (!asked.ok) return silent(deps, found.facts);
  return asked.value.status === 'refused' ? notNow(asked.value.reason) : null;
}

/** Begins a check, once the room is shown it; null then. */
async function beginCheck(deps: RouteDeps): Promise<Unavailable | Refusal<'voice-indication'> | null> {
  const found = voiceFacts(deps);
  if (!found.ok) return found;
  const asked = await deps.registry.ask('voice', { type: 'voice.check', at: deps.elapsed() }, SHOWN_MS);
  if (!asked.ok) return silent(deps, found.facts);
  const { value } = asked;
  if (value.status === 'accepted') return null;
  if (value.reason !== 'indication') return notNow(value.reason);
  const { summary, action } = faultWords(value.code);
  return { ...refuse('voice-indication', `${summary} ${action}`), cause: value.code };
}

const example: MicrophoneDocument = {
  state: 'idle',
  enabled: true,
  permission: 'allowed',
  refusal: null,
  fault: null,
  health: 'ok',
  level: -1,
  system: 'pulse',
  sources: [{ name: 'alsa_input.usb', title: 'USB microphone', kind: 'microphone', default: true, muted: false }],
  chosen: 'alsa_input.usb',
  failure: null,
  choice: { audio_source: 'voice_recognition', source: '', gain_db: 0 },
  check: null,
  last: null,
};

const words = {
  get: 'The same as the POST, for clients of panel-assistant; a page of another site is refused.',
  post: 'Begins a turn as the button on the screen does, with a chime. The answer says that it begins; how it went is in `last` of the microphone and in the status.',
} as const;

/** Voice: pipelines, the microphone, and what begins and ends a turn. No route returns sound or words. */
export const voiceRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getVoicePipelines',
      method: 'get',
      path: '/api/v1/voice/pipelines',
      tag: 'voice',
      summary: 'The Assist pipelines of Home Assistant',
      description: 'As Home Assistant lists them for the panel; those without speech-to-text cannot be used.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      awaitsParts: true,
      answers: () => ({
        200: json('The pipelines.', PipelinesDocument(), {
          example: {
            pipelines: [{ id: '01hzy', name: 'Home', hears: true, speaks: true }],
            preferred: '01hzy',
            press: null,
          },
        }),
      }),
      problems: ['not-configured', 'unavailable', 'microphone-absent', 'restarting'],
    },
    ({ answer }) => {
      const found = voiceFacts(deps);
      if (!found.ok) return found;
      const document = pipelinesDocument(found.facts);
      if (!('missing' in document)) return answer(200, document);
      const { missing } = document;
      const code = missing === 'unavailable' ? 'unavailable' : 'not-configured';
      return { ...refuse(code, refusedWords(missing)), cause: missing };
    },
  );
  for (const method of ['get', 'post'] as const) {
    declare(
      {
        operationId: method === 'get' ? 'testVoiceByGet' : 'testVoice',
        method,
        path: '/api/v1/voice/test',
        tag: 'voice',
        summary: 'Begin a turn at the panel',
        description: words[method],
        guard: method === 'get' ? 'active' : 'write',
        protects: null,
        maxBodyBytes: method === 'get' ? 0 : 1024,
        answers: () => ({ 202: accepted() }),
        problems: [...refusals, 'microphone-absent', 'restarting'],
      },
      async ({ answer }) => (await beginTurn(deps)) ?? answer(202, { accepted: true }),
    );
  }
  declare(
    {
      operationId: 'getVoiceMicrophone',
      method: 'get',
      path: '/api/v1/voice/microphone',
      tag: 'voice',
      summary: 'The microphone, and whether it can be used',
      description: 'Opens nothing: the level is that of the last second while a turn or a check has it open.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      awaitsParts: true,
      answers: () => ({ 200: json('The microphone.', MicrophoneDocument(), { example }) }),
      problems: ['microphone-absent', 'restarting'],
    },
    ({ answer }) => {
      const found = voiceFacts(deps);
      return found.ok ? answer(200, microphoneDocument(found.facts)) : found;
    },
  );
  declare(
    {
      operationId: 'checkVoiceMicrophone',
      method: 'post',
      path: '/api/v1/voice/microphone',
      tag: 'voice',
      summary: 'Check the microphone',
      description:
        'Records three seconds, plays them at the panel and forgets them; they are in no answer. It begins, and is answered, once the screen shows that the microphone is in use, which takes up to 5 s. `check` of the microphone tells its phase.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 1024,
      answers: () => ({ 202: accepted() }),
      problems: [...refusals, 'voice-indication', 'microphone-absent', 'restarting'],
    },
    async ({ answer }) => (await beginCheck(deps)) ?? answer(202, { accepted: true }),
  );
  declare(
    {
      operationId: 'cancelVoice',
      method: 'post',
      path: '/api/v1/voice/cancel',
      tag: 'voice',
      summary: 'End the turn',
      description:
        'Ends the running turn or check at once, and the answer that is being spoken; without one it does nothing.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 1024,
      answers: () => ({ 202: accepted() }),
      problems: [...refusals, 'microphone-absent', 'restarting'],
    },
    ({ answer }) => {
      const found = voiceFacts(deps);
      if (!found.ok) return found;
      if (deps.registry.tell('voice', { type: 'voice.cancel', at: deps.elapsed() }) === 'delivered')
        return answer(202, { accepted: true });
      const refusal = refusalOf(found.facts.voice, found.facts.microphone);
      return refusal === 'off' || refusal === 'not-allowed' || refusal === 'no-microphone'
        ? notNow(refusal)
        : restarting('voice');
    },
  );
  declare(
    {
      operationId: 'askForMicrophone',
      method: 'post',
      path: '/api/v1/voice/permission',
      tag: 'voice',
      summary: 'Ask at the panel to allow the microphone',
      description:
        'Puts the question on the screen of the panel again, once voice is turned on; a person there answers it. `permission` of the microphone tells the result.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 1024,
      answers: () => ({
        200: json('It is allowed already.', z.object({ permission: z.literal('allowed') }), {
          example: { permission: 'allowed' },
        }),
        202: accepted(),
      }),
      problems: [...refusals, 'microphone-no-place', 'microphone-absent', 'restarting'],
    },
    ({ answer }) => {
      const found = voiceFacts(deps);
      if (!found.ok) return found;
      const { permission, isVoiceOn } = found.facts.microphone;
      if (permission === 'allowed') return answer(200, { permission });
      if (!isVoiceOn) return notNow('off');
      // Without a microphone no person is asked.
      if (refusalOf(found.facts.voice, found.facts.microphone) === 'no-microphone') return notNow('no-microphone');
      if (permission === 'no-place')
        return refuse('microphone-no-place', 'This panel has no screen to ask on. Run sconce microphone allow on it.');
      return deps.registry.tell('microphone', { type: 'microphone.ask' }) === 'absent'
        ? restarting('microphone')
        : answer(202, { accepted: true });
    },
  );
};
