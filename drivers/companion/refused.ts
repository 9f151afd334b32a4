import type { PanelRefused } from '#machines/companion/events.ts';

export type RefusalCode = PanelRefused['code'];

/** One sentence for each reason to go no further, for the person who sets the integration up. */
const sentences: Readonly<Record<RefusalCode, string>> = {
  protocol: 'The integration and this panel speak different versions. Update the older one.',
  malformed: 'This panel does not understand what the integration sent. Update the older one.',
  'unknown-key': 'This panel does not know this Home Assistant. Pair it again.',
  busy: 'The panel is still starting. Try again in a few seconds.',
  'too-many': 'Too many connections wait for this panel. Try again in a few seconds.',
  'too-slow': 'The next message did not arrive in time. Try again.',
  stopping: 'The panel is stopping. Try again in a few seconds.',
  'pairing-busy': 'Another pairing waits at this panel. Answer that one first.',
  'pairing-too-often': 'There were too many attempts to pair. Try again in five minutes.',
  'no-place': 'This panel has no screen to ask on. Run "sconce companion pair" on it.',
  denied: 'It was denied at the panel.',
  expired: 'It was not answered at the panel in time. Pair again.',
};

/** The last message to one that is refused. */
export const refusalOf = (code: RefusalCode, protocol: readonly [number, number]): PanelRefused => ({
  type: 'refused',
  code,
  message: sentences[code],
  protocol: [...protocol],
});
