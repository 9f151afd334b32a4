import type { ReplyEvent } from '../kit/outcome.ts';
import { type Surroundings, type Wanted, wantedFor } from './decide.ts';
import type { HoldOutcome, InUseContext, InUseEvent, MarkCommand, SurroundingsCommand } from './events.ts';

/** Full context of the machine. */
export interface InUseFacts extends InUseContext, Surroundings {
  /** True if the last picture had the mark. */
  readonly marked: boolean;
  /** What the mark and the LED were told last. */
  readonly wanted: Wanted;
  /** Requests that wait for an answer. */
  readonly waiting: readonly string[];
  /** True once it was asked to stop. */
  readonly ending: boolean;
}

/** Most requests that wait; each user of what is in use has one. */
const WAITING_LIMIT = 16;

const nothingWanted: Wanted = { mark: false, led: false };

/** What others see while nothing is in use. */
export const unused: InUseContext = { holders: [], shown: 'none', refusal: null, confirmedAt: null };

export const initialFacts: InUseFacts = {
  ...unused,
  // Until the surroundings are known; they are reported at the start.
  place: { kind: 'none', reason: 'starting' },
  lit: true,
  led: null,
  marked: false,
  wanted: nothingWanted,
  waiting: [],
  ending: false,
};

type Of<T extends InUseEvent['type']> = Extract<InUseEvent, { readonly type: T }>;

/** The facts with one more holder and one more request that waits. */
export const taken = (
  { holders, waiting }: InUseFacts,
  { holder, requestId }: Of<'in-use.hold'>,
): Partial<InUseFacts> => ({
  holders: holders.includes(holder) ? holders : [...holders, holder],
  waiting: [...waiting, requestId].slice(-WAITING_LIMIT),
});

/** The facts without that holder. */
export const left = ({ holders }: InUseFacts, { holder }: Of<'in-use.release'>): Partial<InUseFacts> => ({
  holders: holders.filter((one) => one !== holder),
});

/** The facts after a picture. */
export const afterPicture = (fact: Of<'mark.confirmed' | 'mark.unconfirmed' | 'mark.hidden'>): Partial<InUseFacts> =>
  fact.type === 'mark.confirmed' ? { marked: true, confirmedAt: fact.at } : { marked: false };

/** The facts after a change of the LED. */
export const afterLed = ({ led, at }: Of<'led.changed'>): Partial<InUseFacts> => ({
  led,
  ...(led?.shown === true ? { confirmedAt: at } : {}),
});

/** What is wanted now; nothing without a holder. */
export const wantedNow = (facts: InUseFacts): Wanted =>
  facts.holders.length === 0 ? nothingWanted : wantedFor(facts, facts.wanted);

/** Commands that lead from what was wanted to what is wanted; null for no change. */
export const commandsFor = (
  before: Wanted,
  now: Wanted,
): { readonly mark: MarkCommand | null; readonly led: SurroundingsCommand | null } => ({
  mark: before.mark === now.mark ? null : now.mark ? { type: 'mark.show', of: ['camera'] } : { type: 'mark.hide' },
  led: before.led === now.led ? null : { type: now.led ? 'led.hold' : 'led.release' },
});

/** An answer to each request that waits. */
export const answers = ({ waiting }: InUseFacts, outcome: HoldOutcome): readonly ReplyEvent<HoldOutcome>[] =>
  waiting.map((requestId) => ({ type: 'reply', requestId, outcome }));
