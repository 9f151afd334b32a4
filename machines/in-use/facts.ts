import type { ReplyEvent } from '../kit/outcome.ts';
import { type Surroundings, type Wanted, wantedFor } from './decide.ts';
import {
  type HolderFacts,
  type HoldOutcome,
  type InUseContext,
  type InUseEvent,
  type InUseHolder,
  inUseHolders,
  type MarkCommand,
  type SurroundingsCommand,
} from './events.ts';

/** Full context of the machine. */
export interface InUseFacts extends InUseContext, Surroundings {
  /** What the mark of the last picture stands for. */
  readonly marked: readonly InUseHolder[];
  /** What the mark and the LED were told last. */
  readonly wanted: Wanted;
  /** Requests that wait for an answer. */
  readonly waiting: readonly { readonly requestId: string; readonly holder: InUseHolder }[];
  /** True once it was asked to stop. */
  readonly ending: boolean;
}

/** Most requests that wait; each user of what is in use has one. */
const WAITING_LIMIT = 16;

const notShown: HolderFacts = { shown: 'none', refusal: null };

/** What others see while nothing is in use. */
export const unused: InUseContext = {
  holders: [],
  each: { camera: notShown, microphone: notShown },
  confirmedAt: null,
};

export const initialFacts: InUseFacts = {
  ...unused,
  // Until the surroundings are known; they are reported at the start.
  place: { kind: 'none', reason: 'starting' },
  lit: true,
  led: null,
  marked: [],
  wanted: { mark: [], led: false },
  waiting: [],
  ending: false,
};

type Of<T extends InUseEvent['type']> = Extract<InUseEvent, { readonly type: T }>;

/** The facts with one more holder and one more request that waits. */
export const taken = (
  { holders, waiting }: InUseFacts,
  { holder, requestId }: Of<'in-use.hold'>,
): Partial<InUseFacts> => ({
  holders: inUseHolders.filter((one) => one === holder || holders.includes(one)),
  waiting: [...waiting, { requestId, holder }].slice(-WAITING_LIMIT),
});

/** The facts without that holder. */
export function left({ holders }: InUseFacts, holder: InUseHolder): Partial<InUseFacts> {
  const others = holders.filter((one) => one !== holder);
  return { holders: others, ...(others.length === 0 ? { confirmedAt: null } : {}) };
}

/** The facts after a picture. */
export const afterPicture = (fact: Of<'mark.confirmed' | 'mark.unconfirmed' | 'mark.hidden'>): Partial<InUseFacts> =>
  fact.type === 'mark.confirmed' ? { marked: fact.of, confirmedAt: fact.at } : { marked: [] };

/** The facts after a change of the LED. */
export const afterLed = ({ led, at }: Of<'led.changed'>): Partial<InUseFacts> => ({
  led,
  ...(led?.shown === true ? { confirmedAt: at } : {}),
});

/** The facts with a change of what the room is shown of one holder. */
export const withShown = (
  { each }: InUseFacts,
  holder: InUseHolder,
  shown: HolderFacts['shown'],
  refusal: HolderFacts['refusal'] = null,
): Partial<InUseFacts> => ({ each: { ...each, [holder]: { shown, refusal } } });

/** What is wanted now; nothing without a holder. */
export const wantedNow = (facts: InUseFacts): Wanted => wantedFor(facts, facts.holders, facts.wanted);

const isSame = (a: readonly InUseHolder[], b: readonly InUseHolder[]): boolean => a.join() === b.join();

/** Commands that lead from what was wanted to what is wanted; null for no change. */
export const commandsFor = (
  before: Wanted,
  now: Wanted,
): { readonly mark: MarkCommand | null; readonly led: SurroundingsCommand | null } => ({
  mark: isSame(before.mark, now.mark)
    ? null
    : now.mark.length > 0
      ? { type: 'mark.show', of: now.mark }
      : { type: 'mark.hide' },
  led: before.led === now.led ? null : { type: now.led ? 'led.hold' : 'led.release' },
});

/** What a mark that changed is still known to show: what it showed before and after. */
export const stillMarked = ({ marked, wanted: before }: InUseFacts, now: Wanted): readonly InUseHolder[] =>
  marked.filter((one) => before.mark.includes(one) && now.mark.includes(one));

/** An answer to each request of that holder that waits. */
export function answers({ waiting, each }: InUseFacts, holder: InUseHolder): readonly ReplyEvent<HoldOutcome>[] {
  const { shown, refusal } = each[holder];
  const outcome: HoldOutcome =
    shown === 'none' ? { status: 'refused', reason: refusal ?? 'unconfirmed' } : { status: 'shown', by: shown };
  return waiting.filter((one) => one.holder === holder).map(({ requestId }) => ({ type: 'reply', requestId, outcome }));
}
