import type { ReplyEvent } from '../kit/outcome.ts';
import type { CheckOutcome } from './events.ts';
import { derived, type EventOf, type VoiceFacts } from './facts.ts';

type Change = Partial<VoiceFacts>;
type Ended = EventOf<'check.ended'>;

const begun = { phase: 'recording', code: null, health: 'ok', level: -1 } as const;

/** The room is shown it: it records. */
export function checkBegun(facts: VoiceFacts): Change {
  const check = facts.checks + 1;
  return derived(facts, { checks: check, check: { ...begun, check }, checkRequest: null });
}

/** A person ended it before anything was opened. */
export function checkCut(facts: VoiceFacts): Change {
  const check = facts.checks + 1;
  return derived(facts, {
    checks: check,
    check: { ...begun, check, phase: 'failed', code: 'cut' },
    checkRequest: null,
  });
}

/** True if it was recorded, whether or not it could be played: the microphone rests no more. */
export const isRecorded = ({ code }: Pick<Ended, 'code'>): boolean => code === null || code === 'no-player';

/** It is over, and the microphone is closed. A mark that was lost meanwhile is why it was cut short. */
export function checkOver(facts: VoiceFacts, ended: Ended): Change {
  const { health, level } = ended;
  const code = ended.code === 'cut' ? (facts.unmarked ?? 'cut') : ended.code;
  return derived(facts, {
    check: { check: facts.checks, phase: code === null ? 'passed' : 'failed', code, health, level },
    unmarked: null,
    health,
    level: -1,
    ...(isRecorded(ended) && { isParked: false, faults: 0 }),
  });
}

/** The answer to the request of a check that waits for the mark; null without one. */
export const checkAnswer = ({ checkRequest }: VoiceFacts, outcome: CheckOutcome): ReplyEvent<CheckOutcome> | null =>
  checkRequest === null ? null : { type: 'reply', requestId: checkRequest, outcome };
