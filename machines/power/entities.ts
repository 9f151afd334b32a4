import { isFound } from '../kit/capability.ts';
import { rowsOf, telling } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { PowerContext, PowerActor } from './events.ts';

const power = (snapshot: SnapshotView<PowerContext>): PowerContext => snapshot.context;

/** Rebooting as a button. */
export const rows = rowsOf<PowerActor>([
  {
    entityKind: 'button',
    key: 'reboot',
    name: 'Reboot',
    deviceClass: 'restart',
    actor: 'power',
    capability: 'power',
    found: isFound,
    available: (snapshot) => power(snapshot).route !== null,
    protects: 'DEVICE_REBOOT',
    write: () => telling<PowerActor>({ type: 'power.reboot', origin: 'home-assistant' }),
  },
]);
