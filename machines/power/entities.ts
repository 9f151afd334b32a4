import { isFound } from '../kit/capability.ts';
import { type CommandEnd, rowsOf, telling } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { PowerContext, PowerActor } from './events.ts';
import { objectionToReboot } from './objection.ts';

const power = (snapshot: SnapshotView<PowerContext>): PowerContext => snapshot.context;

/** How a reboot ended that the part took; null until the machine has begun it or refused. */
function endOfReboot({ lastReboot, verdict }: PowerContext, before: PowerContext): CommandEnd | null {
  if (lastReboot === null || lastReboot === before.lastReboot || lastReboot.outcome === 'asked') return null;
  if (lastReboot.outcome === 'begun') return { refused: null };
  const message = verdict.state === 'working' ? 'This machine refused to reboot.' : verdict.detail;
  return { refused: { reason: 'failed', message } };
}

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
    objection: (snapshot) => objectionToReboot(power(snapshot)),
    ends: (now, before) => endOfReboot(power(now), power(before)),
    write: (origin) => telling<PowerActor>({ type: 'power.reboot', origin }),
  },
]);
