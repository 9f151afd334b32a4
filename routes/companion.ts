import { z } from 'zod';
import type { CompanionContext } from '#machines/companion/events.ts';
import { once } from '#machines/kit/once.ts';
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

const epoch = 'Milliseconds since the Unix epoch.';
const KeyId = once(() =>
  z.string().regex(/^[0-9a-f]{16}$/, { error: 'The id of a key has 16 lower-case hexadecimal digits.' }),
);
const surface = () => z.enum(['mqtt', 'native']);

const PairedHome = once(() =>
  z
    .object({
      key_id: KeyId().meta({ description: 'Id of its key, to revoke it. The key itself leaves the panel nowhere.' }),
      name: z.string().meta({ description: 'What this Home Assistant calls itself.' }),
      version: z.string().nullable().meta({ description: 'Its version; null while it is not connected.' }),
      paired_at: z.int().meta({ description: `When it was paired. ${epoch}` }),
      used_at: z
        .int()
        .nullable()
        .meta({
          description: `When its last connection began or ended; null if it was never connected. ${epoch}`,
        }),
      connected: z.boolean().meta({ description: 'True while it is connected.' }),
      phase: z
        .enum(['starting', 'running', 'stopping'])
        .nullable()
        .meta({ description: 'What it says of itself; null while it is not connected.' }),
    })
    .meta({ id: 'PairedHomeAssistant', description: 'A Home Assistant that is paired with this panel.' }),
);

const CompanionDocument = once(() =>
  z
    .object({
      surface: surface().nullable().meta({
        description:
          'How the entities reach Home Assistant: `mqtt` through the broker, `native` through the integration; null until the settings are known.',
      }),
      pairing: z
        .object({
          state: z.enum(['none', 'asking', 'confirmed']).meta({
            description:
              '`asking`: the digits wait for a person. `confirmed`: Home Assistant has accepted them, and the answer at the panel is missing.',
          }),
        })
        .meta({ description: 'The pairing under way.' }),
      clients: z.array(PairedHome()).meta({ description: 'Those that are paired, the first one first.' }),
      moving: z.null().meta({ description: 'No move is under way.' }),
    })
    .meta({ id: 'Companion', description: 'The connection of the Sconce integration in Home Assistant.' }),
);
export type CompanionDocument = z.output<ReturnType<typeof CompanionDocument>>;

/** The document of these facts. */
export function companionDocument({ surface, pairing, clients, sessions }: CompanionContext): CompanionDocument {
  return {
    surface,
    pairing: { state: pairing === null ? 'none' : pairing.isConfirmed ? 'confirmed' : 'asking' },
    clients: (clients ?? []).map(({ keyId, clientId, name, pairedAt, usedAt }) => {
      const session = sessions.findLast(({ client }) => client.clientId === clientId);
      return {
        key_id: keyId,
        name,
        version: session?.client.version ?? null,
        paired_at: pairedAt,
        used_at: usedAt,
        connected: session !== undefined,
        phase: session?.phase ?? null,
      };
    }),
    moving: null,
  };
}

const example: CompanionDocument = {
  surface: 'native',
  pairing: { state: 'none' },
  clients: [
    {
      key_id: '0011223344556677',
      name: 'Home',
      version: '2026.11.0',
      paired_at: 1_790_000_000_000,
      used_at: 1_790_000_600_000,
      connected: true,
      phase: 'running',
    },
  ],
  moving: null,
};

const notPaired = refuse(
  'not-paired',
  'Nothing was changed: no Home Assistant with this key is paired. `GET /api/v1/companion` lists those that are.',
);

/** The paired Home Assistant with that key. */
const pairedIn = ({ registry }: RouteDeps, keyId: string) =>
  registry.read('companion')?.context.clients?.find((one) => one.keyId === keyId);

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
      answers: () => ({ 200: json('Those that are paired.', CompanionDocument(), { example }) }),
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
