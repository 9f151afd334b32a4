import { z } from 'zod';

import { once } from '../kit/once.ts';
import { statusSection, textLines } from '../subsystem.ts';
import type { CompanionContext } from './events.ts';
import { judgeCompanion } from './verdict.ts';

const count = () => z.int().min(0);

/** The native connection in the status document: never a key, an address, an id or a name. */
const CompanionStatus = once(() =>
  z
    .object({
      surface: z
        .enum(['mqtt', 'native'])
        .nullable()
        .meta({ description: 'How the entities reach Home Assistant; null until the settings are known.' }),
      state: z
        .enum(['off', 'waiting', 'pairing', 'connected'])
        .meta({ description: '`off`: none is paired. `waiting`: none of those that are paired is connected.' }),
      paired: count().meta({ description: 'How many Home Assistants are paired.' }),
      sessions: count().meta({ description: 'How many of them are connected.' }),
      connected_at: z.int().nullable().meta({
        description: 'Since when the newest is connected. Milliseconds since the Unix epoch; null without one.',
      }),
      life: z
        .enum(['starting', 'running', 'stopping', 'held', 'lost'])
        .nullable()
        .meta({ description: 'What the one that is followed says of itself; `held` for 30 s after a reload began.' }),
      entities: count().meta({ description: 'Entities in the catalogue that was sent last.' }),
      refused_connections: count().meta({ description: 'Connections without a key that counts, since the start.' }),
      refused_commands: count().meta({ description: 'Commands that were not carried out, since the start.' }),
      failure: z
        .string()
        .nullable()
        .meta({ description: 'Stable code of the disk’s last refusal to store a key; null if there was none.' }),
      detail: z.string().meta({ description: 'One sentence.' }),
    })
    .meta({ id: 'CompanionStatus', description: 'The connection of the Sconce integration in Home Assistant.' }),
);

/** The state in one word. */
function stateOf({
  clients,
  sessions,
  pairing,
}: Pick<CompanionContext, 'clients' | 'sessions' | 'pairing'>): 'off' | 'waiting' | 'pairing' | 'connected' {
  if (pairing !== null) return 'pairing';
  if (sessions.length > 0) return 'connected';
  return clients === null || clients.length === 0 ? 'off' : 'waiting';
}

export const status = statusSection({
  reads: ['companion'],
  shape: () => ({
    companion: CompanionStatus().nullable().meta({ description: 'Null while its part restarts.' }),
  }),
  view: ({ read }) => {
    const facts = read('companion');
    return {
      companion:
        facts === undefined
          ? null
          : {
              surface: facts.surface,
              state: stateOf(facts),
              paired: facts.clients?.length ?? 0,
              sessions: facts.sessions.length,
              connected_at: facts.sessions.at(-1)?.openedAt ?? null,
              life: facts.life,
              entities: facts.announced.length,
              refused_connections: facts.refused.connections,
              refused_commands: facts.refused.commands,
              failure: facts.failure,
              detail: judgeCompanion(facts).detail,
            },
    };
  },
});

export const warnings = [
  textLines({
    key: 'companion',
    after: 'home-assistant',
    reads: ['companion'],
    lines: ({ read }) => {
      const code = read('companion')?.failure ?? null;
      return code === null ? [] : [`The disk refused the key of a pairing (${code}). Pair Home Assistant again.`];
    },
  }),
];
