import { z } from 'zod';
import { statusSection, textLines } from '../subsystem.ts';
import type { CompanionContext } from '../companion/events.ts';
import { publisherView } from './phase.ts';
import { judgePublisher } from './verdict.ts';

/** The same of the session, where the entities go over the native connection. */
const overSession = ({ sessions, announced }: Pick<CompanionContext, 'sessions' | 'announced'>) => ({
  phase: sessions.length > 0 ? ('live' as const) : ('waiting' as const),
  seen: sessions.length > 0,
  announced: announced.map(({ key, entityKind }) => ({ key, platform: entityKind })),
  refused: {},
  ghosts: 0,
  due: 0,
  detail:
    sessions.length > 0
      ? `Home Assistant has the ${announced.length} entities of this panel through its Sconce integration.`
      : 'Home Assistant gets the entities as soon as its Sconce integration is connected.',
});

export const status = statusSection({
  reads: ['publisher', 'companion'],
  shape: () => ({
    platform: z
      .object({
        phase: z
          .enum(['waiting', 'claiming', 'duplicate', 'announcing', 'live', 'withdrawn'])
          .meta({ description: '`duplicate`: another machine uses this panel id. `withdrawn`: for a reset.' }),
        seen: z.boolean().meta({ description: 'Whether Home Assistant announced itself in this connection.' }),
        announced: z
          .array(
            z.object({
              key: z.string().meta({ description: 'Key of the entity.' }),
              platform: z.string().meta({ description: 'Kind of entity, such as `light`.' }),
            }),
          )
          .meta({ description: 'The announced entities.' }),
        refused: z
          .record(z.string(), z.string())
          .meta({ description: 'Entities that were left out: the reason by key.' }),
        ghosts: z.int().meta({
          description: 'Entities of earlier versions or panel ids, remembered until they are certainly removed.',
        }),
        due: z.int().meta({ description: 'Those of them that have not been removed yet.' }),
        detail: z.string().meta({ description: 'One sentence.' }),
      })
      .nullable()
      .meta({ description: 'What is published to Home Assistant; null while its part restarts.' }),
  }),
  view: ({ read, view }) => {
    const native = read('companion');
    if (native?.surface === 'native') return { platform: overSession(native) };
    const snapshot = view('publisher');
    const publisher = snapshot && publisherView(snapshot);
    return {
      platform:
        publisher === undefined
          ? null
          : {
              phase: publisher.phase,
              seen: publisher.homeAssistantDetected,
              announced: publisher.announced.map(({ key, entityKind }) => ({ key, platform: entityKind })),
              refused: { ...publisher.refused },
              ghosts: publisher.orphans,
              due: publisher.due,
              detail: judgePublisher(publisher).detail,
            },
    };
  },
});

export const warnings = [
  textLines({
    key: 'publisher',
    after: 'companion',
    reads: ['publisher'],
    lines: ({ read }) => {
      const refused = Object.keys(read('publisher')?.refused ?? {});
      return refused.length === 0
        ? []
        : [`Left out for Home Assistant because their description was not valid: ${refused.join(', ')}.`];
    },
  }),
];
