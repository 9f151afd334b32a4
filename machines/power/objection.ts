import { notHere, type Objection, objectionOfPart, restartingPart } from '../kit/objection.ts';
import type { PowerContext } from './events.ts';

/** Why the machine is not rebooted now; null if it can be. */
export function objectionToReboot({ verdict, busy }: Pick<PowerContext, 'verdict' | 'busy'>): Objection | null {
  if (verdict.state === 'checking') return restartingPart('power');
  return busy ? notHere('A reboot is already in progress. Wait for it.') : objectionOfPart('power', verdict);
}
