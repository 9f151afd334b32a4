import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { EventObject } from 'xstate';
import type { ApprovalsContext } from '#machines/approvals/events.ts';
import type { PairingAnswered, PairingQuestion } from '#machines/companion/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { askAtPanel } from '../kit/ask-at-panel.ts';
import type { Registry } from '../kit/registry.ts';
import { until } from '../kit/until.ts';

const OPERATION = 'COMPANION_PAIR';

/** Longest wait for a browser that is starting, before it counts as no place to ask. */
const PLACE_MS: Milliseconds = 30_000;

const isPlaceKnown = ({ context: { place } }: { readonly context: ApprovalsContext }): boolean =>
  place.kind !== 'none' || place.reason !== 'starting';

/** Asks a person in a terminal of the panel; `no-place` if none answers there. */
export type TerminalAsk = (
  question: { readonly digits: string; readonly name: string },
  signal: AbortSignal,
) => Promise<PairingAnswered['answer']>;

export interface QuestionDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'read' | 'tell'>;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  /** Where the panel has no screen to ask on. */
  readonly terminal: TerminalAsk;
}

/**
 * Asks at the panel whether a Home Assistant may be paired; its digits are the code to compare. A panel without a
 * screen asks in a terminal instead.
 */
export const pairingQuestion = ({ registry, elapsed, terminal }: QuestionDeps): PairingQuestion =>
  fromDriver<EventObject, { readonly digits: string; readonly name: string }, PairingAnswered>(
    ({ input, send, guard, signal }) => {
      let isOpen = false;
      const ask = async (): Promise<PairingAnswered['answer']> => {
        await until(registry, 'approvals', isPlaceKnown, PLACE_MS, { signal });
        if (signal.aborted) return 'expired';
        isOpen = true;
        const { digits: code, name: what } = input;
        const answer = await askAtPanel(registry, { operation: OPERATION, what, code, at: elapsed() });
        isOpen = false;
        const isWithoutScreen = registry.read('approvals')?.context.place.kind === 'none';
        return answer === 'no-place' && isWithoutScreen ? terminal(input, signal) : answer;
      };
      guard(async () => send({ type: 'question.answered', answer: await ask() }))();
      return () => {
        if (isOpen) registry.tell('approvals', { type: 'approval.withdraw', operation: OPERATION });
      };
    },
  );
