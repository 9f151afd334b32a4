import { z } from 'zod';
import {
  CompanionDocument,
  companionDocument,
  companionExample,
  KeyId,
  Moved,
  moveExample,
  SurfaceCode,
} from '#machines/companion/document.ts';
import { MOVE_WITHIN_MS, type MoveOutcome } from '#machines/companion/move.ts';
import { refuse } from '#machines/kit/result.ts';
import { bytes, json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { attachment } from '#routes/kit/download.ts';
import type { Family } from '#routes/kit/family.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

/** How long a changed list of keys may take to be durable, in milliseconds: the store's own bound and a margin. */
const keepMs = 8_000;

/** The integration in the build, and the name under which it is saved. */
const INTEGRATION = { asset: 'companion.zip', name: 'sconce.zip' } as const;

const nothingMoved = { list: null, applied: null, stays: [], notes: [] } as const;

type MoveProblem =
  | Exclude<Extract<MoveOutcome, { readonly status: 'refused' }>['code'], 'not-known-yet' | 'not-saved' | 'denied'>
  | 'restarting'
  | 'commit-failed'
  | 'move-denied';

/** The refusal of a move; the topics are what would stay at the broker. */
function notMoved({
  code,
  message,
  topics,
}: Extract<MoveOutcome, { readonly status: 'refused' }>): Refusal<MoveProblem> {
  if (code === 'not-known-yet') return restarting('companion');
  if (code === 'not-saved') return refuse('commit-failed', message);
  if (code === 'denied') return refuse('move-denied', message);
  return refuse(code, topics.length === 0 ? message : `${message} What would stay: ${topics.join(', ')}.`);
}

const notPaired = refuse(
  'not-paired',
  'Nothing was changed: no Home Assistant with this key is paired. `GET /api/v1/companion` lists those that are.',
);

/** The paired Home Assistant with that key. */
const pairedIn = ({ registry }: RouteDeps, keyId: string) =>
  registry.read('companion')?.context.clients?.find((one) => one.keyId === keyId);

interface SentMove {
  readonly body: { readonly to: 'mqtt' | 'native'; readonly dry_run?: boolean | undefined };
}
interface SentRevocation {
  readonly body: { readonly key_id: string };
}

/** Who is paired with this panel, and the integration itself. */
export const companionRoutes: Family = ({ declare, deps }) => {
  const at = '/api/v1/companion';
  const tag = 'companion';
  declare(
    {
      operationId: 'getCompanion',
      method: 'get',
      path: at,
      tag,
      summary: 'Which Home Assistants are paired',
      description: 'Keys are never told; their ids tell them apart.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      awaitsParts: true,
      answers: () => ({ 200: json('Those that are paired.', CompanionDocument(), { example: companionExample }) }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const facts = deps.registry.read('companion')?.context;
      return facts === undefined || facts.clients === null
        ? restarting('companion')
        : answer(200, companionDocument(facts));
    },
  );
  declare(
    {
      operationId: 'revokeCompanion',
      method: 'post',
      path: `${at}/revoke`,
      tag,
      summary: 'End a pairing',
      description:
        'The key does not count any more, and the connection of its Home Assistant ends. It can be paired again.',
      guard: 'write',
      protects: ({ body }: SentRevocation) => ({
        operation: 'TRANSPORT_RELEASE',
        what: pairedIn(deps, body.key_id)?.name ?? '',
      }),
      operations: ['TRANSPORT_RELEASE'],
      check: ({ body }: SentRevocation): Refusal<'not-paired'> | null =>
        pairedIn(deps, body.key_id) === undefined && deps.registry.read('companion') !== undefined ? notPaired : null,
      maxBodyBytes: 1024,
      admit: unlessStopping(deps),
      body: () => ({
        description: 'Whose pairing ends.',
        schema: z.strictObject({ key_id: KeyId().meta({ description: 'Id of the key.' }) }),
        refusal: { code: 'invalid-body' },
        example: { key_id: '0011223344556677' },
      }),
      answers: () => ({
        200: json('It is ended, durably.', z.object({ ok: z.literal(true) }), { example: { ok: true } }),
      }),
      problems: ['not-paired', 'commit-failed', 'restarting', 'stopping'],
    },
    async ({ body, answer }) => {
      const asked = await deps.registry.ask('companion', { type: 'companion.revoke', keyId: body.key_id }, keepMs);
      if (!asked.ok) return restarting('companion');
      const outcome = asked.value;
      if (outcome.status === 'done') return answer(200, { ok: true });
      if (outcome.status === 'unknown') return notPaired;
      return outcome.code === 'not-read-yet' || outcome.code === 'stopping'
        ? restarting('companion')
        : refuse(
            'commit-failed',
            `Nothing was changed: it could not be written to disk (${outcome.code}). Free or repair the disk and try again.`,
          );
    },
  );
  declare(
    {
      operationId: 'moveCompanion',
      method: 'post',
      path: `${at}/move`,
      tag,
      summary: 'Move the entities to the integration, or back to the broker',
      description:
        'Home Assistant first keeps what its owner chose for the entities (names, areas, labels), and says which automations and scripts name the device. Then the entities are withdrawn where they are and offered on the other way, with these choices. With `dry_run` only the first happens. It takes up to 75 s; `GET /api/v1/companion` tells the step. A refused move changes nothing.',
      guard: 'write',
      protects: ({ body }: SentMove) =>
        body.dry_run === true
          ? null
          : {
              operation: 'TRANSPORT_RELEASE',
              what: body.to === 'native' ? 'Through the integration' : 'Through the broker',
            },
      operations: ['TRANSPORT_RELEASE'],
      maxBodyBytes: 1024,
      admit: unlessStopping(deps),
      body: () => ({
        description: 'Where they go.',
        schema: z.strictObject({
          to: SurfaceCode().meta({ description: '`native`: to the integration. `mqtt`: to the broker.' }),
          dry_run: z.boolean().optional().meta({ description: 'True to be told what would happen.' }),
          leave: z.boolean().optional().meta({
            description: 'True if a person agrees that what cannot be withdrawn from the broker stays there.',
          }),
        }),
        refusal: { code: 'invalid-body' },
        example: { to: 'native', dry_run: true },
      }),
      answers: () => ({ 200: json('What happened, or would happen.', Moved(), { example: moveExample }) }),
      problems: [
        'moving',
        'no-session',
        'not-prepared',
        'not-released',
        'broker-away',
        'broker-silent',
        'publisher-busy',
        'no-broker',
        'move-denied',
        'commit-failed',
        'restarting',
        'stopping',
      ],
    },
    async ({ body: { to, dry_run: dryRun = false, leave = false }, answer }) => {
      const asked = await deps.registry.ask('companion', { type: 'companion.move', to, dryRun, leave }, MOVE_WITHIN_MS);
      if (!asked.ok) return restarting('companion');
      const outcome = asked.value;
      switch (outcome.status) {
        case 'unchanged':
          return answer(200, { ok: true, ...outcome, to, ...nothingMoved });
        case 'preview':
          return answer(200, { ok: true, ...nothingMoved, ...outcome });
        case 'moved':
          return answer(200, { ok: true, ...outcome });
        case 'refused':
          return notMoved(outcome);
      }
    },
  );
  declare(
    {
      operationId: 'getIntegration',
      method: 'get',
      path: `${at}/integration.zip`,
      tag,
      summary: 'The integration, to be unpacked in Home Assistant',
      description:
        'Unpack it in the configuration folder of Home Assistant, then restart Home Assistant and add the integration “Sconce” there. `sconce companion install FOLDER` does the first on the machine of Home Assistant.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: bytes('The archive.', 'application/zip', {
          headers: { 'Content-Disposition': 'An attachment with the name of the file.' },
        }),
      }),
      problems: ['not-here'],
    },
    ({ answer }) => {
      const asset = deps.assets.get(INTEGRATION.asset);
      return asset === undefined
        ? refuse('not-here', 'This copy of Sconce was not built, so it has no integration. Build it (npm run build).')
        : answer(200, asset.body(), { 'Content-Disposition': attachment(INTEGRATION.name) });
    },
  );
};
