import type { MoveCode, MoveList, Surface } from './move.ts';

const sentences: Readonly<Record<MoveCode, string>> = {
  moving: 'The panel is moving its entities already. Wait until that is done.',
  'not-known-yet': 'The panel is still starting. Try again in a few seconds.',
  'no-session':
    'No Home Assistant is connected. Pair the Sconce integration with this panel, and wait until it is connected.',
  'not-prepared':
    'Home Assistant could not save the names, areas and labels that you chose there. Nothing was changed.',
  'not-released': 'Home Assistant did not release the entities of this panel. Nothing was changed.',
  'broker-away':
    'The broker is not connected, so the entities cannot be withdrawn from it. Nothing was changed. Connect the broker, or leave them there.',
  'broker-silent':
    'The broker did not confirm that the entities are withdrawn. Nothing was changed. Try again, or leave them there.',
  'publisher-busy': 'The entities cannot be withdrawn from the broker right now. Nothing was changed. Try again.',
  'no-broker': 'No broker is set.',
  'not-saved': 'The disk refused to store the move. Nothing was changed.',
  denied: 'The move was not approved at the panel. Nothing was changed.',
  stopping: 'The panel is stopping. Nothing was changed.',
};

export const sentenceOf = (code: MoveCode): string => sentences[code];

interface Noted {
  readonly to: Surface;
  readonly list: MoveList | null;
  readonly hasSession: boolean;
  readonly topics: readonly string[];
}

const plural = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/** What a person must know of a move: what goes along, what has to be pointed to the new device, and what stays. */
export function notesOf({ to, list, hasSession, topics }: Noted): readonly string[] {
  const users = list === null ? 0 : list.automations.length + list.scripts.length;
  return [
    ...(to === 'mqtt' && !hasSession
      ? ['No Home Assistant is connected: its integration shows the entities as unavailable until you remove it there.']
      : []),
    ...(hasSession && list === null
      ? ['Home Assistant could not say what you chose there: names, areas and labels may have to be set again.']
      : []),
    ...(users > 0
      ? [
          `${plural(users, 'automation or script names', 'automations and scripts name')} this device in Home ` +
            'Assistant, and must be pointed to the new one.',
        ]
      : []),
    ...(topics.length > 0
      ? [`${plural(topics.length, 'topic stays', 'topics stay')} at the broker: ${topics.join(', ')}.`]
      : []),
  ];
}
