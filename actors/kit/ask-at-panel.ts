import { randomBytes } from 'node:crypto';

import type { AskedAtPanel } from '#machines/approvals/events.ts';
import { questionText } from '#machines/kit/shown-text.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Operation } from '#machines/operations.ts';

import type { Registry } from './registry.ts';

/** A question of a part of the panel itself. */
export interface PanelQuestion {
  readonly operation: Operation;
  /** What exactly is asked for; "" for nothing. */
  readonly what: string;
  /** Shown large, to be compared with another screen; null for none. */
  readonly code: string | null;
  /** Milliseconds of the monotonic clock. */
  readonly at: Milliseconds;
}

/** Longest wait for a person, and a margin for the answer (contract, "Limits": ten minutes). */
const PERSON_MS: Milliseconds = 10 * 60_000 + 5000;

/** Asks a person in front of the panel, in every mode; `no-place` also while the approvals do not run or are full. */
export async function askAtPanel(registry: Pick<Registry, 'ask'>, question: PanelQuestion): Promise<AskedAtPanel> {
  const request = { ...question, candidate: randomBytes(16).toString('hex'), what: questionText(question.what) };
  const asked = await registry.ask('approvals', { type: 'approval.ask', request }, PERSON_MS);
  if (asked.ok) return asked.value;
  return asked.reason === 'timeout' ? 'expired' : 'no-place';
}
