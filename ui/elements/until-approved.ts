import type { AskedBeside, FollowApproval } from './approval.ts';
import { loadBeside } from './load-script.ts';
import type { Refused, Sent } from './send.ts';

declare global {
  interface Window {
    /** Set by the script `approval`. */
    sconceFollowApproval?: FollowApproval;
  }
}

/** Requests that wait, by path and body: sent again meanwhile, they share one answer. */
const waiting = new Map<string, Promise<Sent>>();

export const waitingFor = (request: string): Promise<Sent> | undefined => waiting.get(request);

/** Loads what waits: most visits send nothing that must be approved. Without it the panel's words say what to do. */
async function follow(first: Refused, beside: AskedBeside, repeat: () => Promise<Sent>): Promise<Sent> {
  // Nothing is under way yet.
  beside.line();
  if (window.sconceFollowApproval === undefined) await loadBeside('approval');
  return window.sconceFollowApproval?.(first, beside, repeat) ?? first;
}

/** Waits for the answer of a person at the panel, then repeats the request once if it was approved. */
export function untilApproved(
  request: string,
  first: Refused,
  beside: AskedBeside,
  repeat: () => Promise<Sent>,
): Promise<Sent> {
  const followed = follow(first, beside, repeat).finally(() => waiting.delete(request));
  waiting.set(request, followed);
  return followed;
}
