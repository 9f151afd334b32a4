import type { ApprovalsContext } from '#machines/approvals/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Operation } from '#machines/operations.ts';

import type { AnsweredAtPanel } from '../kit/admission.ts';
import type { Registry, Timers } from '../kit/registry.ts';
import { until } from '../kit/until.ts';

/** Longest wait for the approvals to say how a request stands. */
const LOOK_MS: Milliseconds = 2000;

export interface WhenAnsweredDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'read'>;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly timers: Timers;
}

/** A request that waits for a person. */
export interface AwaitedRequest {
  readonly id: string;
  readonly operation: Operation;
  readonly peer: string;
}

const sequenceOf = ({ happened }: ApprovalsContext): number => happened.at(-1)?.sequence ?? 0;

/** True if the newest that happened to the operation since then is that a person approved it. */
const wasApproved = ({ happened }: ApprovalsContext, operation: Operation, since: number): boolean =>
  happened.findLast(
    ({ sequence, operation: of, code }) =>
      sequence > since && of === operation && ['approved', 'denied', 'ignored', 'expired', 'withdrawn'].includes(code),
  )?.code === 'approved';

/** Waits until a person answered a request at the panel, at most `boundMs`. */
export async function whenAnswered(
  { registry, elapsed, timers }: WhenAnsweredDeps,
  { id, operation, peer }: AwaitedRequest,
  boundMs: Milliseconds,
  signal: AbortSignal,
): Promise<AnsweredAtPanel> {
  const facts = (): ApprovalsContext | undefined => registry.read('approvals')?.context;
  const began = facts();
  const since = began === undefined ? 0 : sequenceOf(began);
  const end = elapsed() + boundMs;
  for (;;) {
    const before = facts();
    const asked = await registry.ask('approvals', { type: 'approval.look', id, peer, at: elapsed() }, LOOK_MS);
    if (asked.ok && asked.value === 'approved') return 'approved';
    // What the approval itself carries out is over with it.
    if (asked.ok && asked.value !== 'pending') {
      const now = facts();
      return now !== undefined && wasApproved(now, operation, since) ? 'approved' : 'denied';
    }
    const left = end - elapsed();
    if (left <= 0 || signal.aborted) return 'pending';
    const seen = before === undefined ? -1 : sequenceOf(before);
    const changed = await until(registry, 'approvals', ({ context }) => sequenceOf(context) !== seen, left, {
      signal,
      timers,
    });
    if (!changed.ok) return 'pending';
  }
}
