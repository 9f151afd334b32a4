import { historyOf } from '../kit/history-event.ts';
import type { EarFailure, VoiceActor, VoiceContext } from './events.ts';

interface Seen {
  readonly turn: number | null;
  readonly outcome: 'done' | 'cancelled' | 'failed' | null;
  readonly code: string | null;
  readonly earFailure: EarFailure | null;
}

const seenOf = ({ last, earFailure }: VoiceContext): Seen => ({
  turn: last?.turn ?? null,
  outcome: last?.outcome ?? null,
  code: last?.code ?? null,
  earFailure,
});

/** History of voice: turns are counted, faults are named; never a word, a pipeline or a sound source. */
export const history = [
  historyOf<VoiceActor>()<Seen, string>({
    actor: 'voice',
    kind: 'voice',
    codes: ['asked'],
    selector: seenOf,
    historyEvents: (before, after, now, entry) => {
      const isTurn = after.turn !== null && after.turn !== before?.turn;
      const isFault = after.earFailure !== null && after.earFailure !== before?.earFailure;
      const code = after.outcome === 'failed' ? (after.code ?? 'failed') : 'asked';
      return [...(isTurn ? entry(now, code) : []), ...(isFault ? entry(now, after.earFailure) : [])];
    },
  }),
];
