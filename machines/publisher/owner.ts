import { shortInstall } from '../kit/status-topic.ts';
import { ownField } from '../kit/own-field.ts';

/** What the broker has retained about the machines under a panel id. */
export interface OwnerView {
  /** Install id of this machine. */
  readonly installId: string;
  /** Payload of the retained owner topic; null for none. */
  readonly owner: string | null;
  /** Status payloads by the first eight digits of the machine's install id. */
  readonly statuses: Readonly<Record<string, string>>;
}

/**
 * `claim` the free panel id; continue, since it is `ours`; `take-over` from a machine that is offline (new hardware
 * under the old id keeps its entities); or it is a `duplicate`, whose other machine is online now.
 */
export type OwnerVerdict = 'claim' | 'ours' | 'take-over' | 'duplicate';

/** Decides who publishes under the panel id. */
export function decideOwner(view: OwnerView): OwnerVerdict {
  if (view.owner === null || view.owner === '') return 'claim';
  if (view.owner === view.installId) return 'ours';
  return ownField(view.statuses, shortInstall(view.owner)) === 'online' ? 'duplicate' : 'take-over';
}

/** Advice to the owner while another machine publishes under this panel id; `free` is one that no machine has. */
export const duplicateAdvice = (free: string): string =>
  `Another machine is already publishing under this panel id. Give this panel another one, such as ${free}, or switch the other machine off.`;
