import { rowsOf } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { buttonEvents, type InputContext, type InputActor } from './events.ts';

const input = (snapshot: SnapshotView<InputContext>): InputContext => snapshot.context;

/** One event entity for all hardware buttons, with the button's name as an attribute. */
export const rows = rowsOf<InputActor>([
  {
    entityKind: 'event',
    key: 'button',
    name: 'Button',
    deviceClass: 'button',
    icon: 'mdi:gesture-tap-button',
    actor: 'input',
    capability: 'buttons',
    available: (snapshot) => input(snapshot).named.some(({ here }) => here),
    eventTypes: buttonEvents,
    read: (snapshot) =>
      input(snapshot).buttons.occurrences.map(({ sequence, event, button }) => ({
        sequence,
        type: event,
        attributes: { button },
      })),
  },
]);
