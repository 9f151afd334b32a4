import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { CompanionContext } from './events.ts';

const epoch = 'Milliseconds since the Unix epoch.';
export const KeyId = once(() =>
  z.string().regex(/^[0-9a-f]{16}$/, { error: 'The id of a key has 16 lower-case hexadecimal digits.' }),
);
/** A way to Home Assistant. */
export const SurfaceCode = () => z.enum(['mqtt', 'native']);

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

/** Who is paired, and what is under way. */
export const CompanionDocument = once(() =>
  z
    .object({
      surface: SurfaceCode().nullable().meta({
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
      moving: z
        .object({
          to: SurfaceCode().meta({ description: 'Where the entities go.' }),
          step: z
            .enum(['prepare', 'withdraw', 'release', 'commit', 'apply'])
            .meta({ description: 'What is being done.' }),
        })
        .nullable()
        .meta({ description: 'The move under way; null without one.' }),
      stays: z
        .array(z.string())
        .meta({ description: 'Discovery topics that the last move left at the broker; a broker keeps them.' }),
    })
    .meta({ id: 'Companion', description: 'The connection of the Sconce integration in Home Assistant.' }),
);
export type CompanionDocument = z.output<ReturnType<typeof CompanionDocument>>;

/** The document of these facts. */
export function companionDocument({
  surface,
  pairing,
  clients,
  sessions,
  moving,
  stays,
}: CompanionContext): CompanionDocument {
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
    moving: moving === null ? null : { to: moving.to, step: moving.step },
    stays: [...stays],
  };
}

const names = (description: string) => z.array(z.string()).meta({ description });

/** A move of the entities, or what it would do. */
export const Moved = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'Nothing failed.' }),
      status: z.enum(['unchanged', 'preview', 'moved']).meta({
        description:
          '`unchanged`: they are there already. `preview`: the answer to `dry_run`; nothing was changed. `moved`: they are there now.',
      }),
      to: SurfaceCode().meta({ description: 'Where the entities go.' }),
      list: z
        .object({
          entities: z.int().min(0).meta({ description: 'Entities whose name, area and labels are kept.' }),
          automations: names('Automations that name the device, at most 20.'),
          scripts: names('Scripts that name the device, at most 20.'),
        })
        .nullable()
        .meta({ description: 'What Home Assistant says; null if it was not asked, or did not answer.' }),
      applied: z
        .boolean()
        .nullable()
        .meta({ description: 'True if Home Assistant confirmed that these choices are in force; null before a move.' }),
      stays: names('Discovery topics that stay at the broker.'),
      notes: names('What a person has to know, in plain words.'),
    })
    .meta({ id: 'CompanionMove', description: 'A move of the entities, or what it would do.' }),
);
export type Moved = z.output<ReturnType<typeof Moved>>;

/** For the document of the interface. */
export const moveExample = {
  ok: true,
  status: 'preview',
  to: 'native',
  list: { entities: 4, automations: ['Wake the hall'], scripts: [] },
  applied: null,
  stays: [],
  notes: ['1 automation or script names this device in Home Assistant, and must be pointed to the new one.'],
} satisfies Moved;

/** The same. */
export const companionExample: CompanionDocument = {
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
  stays: [],
};
