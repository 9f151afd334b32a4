import type { EntityRow } from '../kit/entity.ts';
import { ok } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { PowerContext, PowerEvent } from './events.ts';

// The row reads only the actor it names, and that actor's context is a PowerContext.
const power = (snapshot: SnapshotView): PowerContext => snapshot.context as PowerContext;

/** Rebooting as a button. */
export const rows: readonly EntityRow[] = [
  {
    platform: 'button',
    key: 'reboot',
    name: 'Reboot',
    deviceClass: 'restart',
    actor: 'power',
    capability: 'power',
    available: (snapshot) => power(snapshot).route !== null,
    write: () => {
      const event: PowerEvent = { type: 'power.reboot', origin: 'home-assistant' };
      return ok(event);
    },
  },
];
