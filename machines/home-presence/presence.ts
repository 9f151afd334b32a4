import type { Evidence, Judged, PresenceFacts, EntityLookup } from './events.ts';

/**
 * The judgement on the current facts: `lost` becomes `gone` only after a while, since the connection is often back at
 * once.
 */
export type Moment = 'unknown' | 'there' | 'restarting' | 'lost' | 'gone';

/** Codes of a connection on which nothing answers; each comes after a sufficient wait. */
const SILENCE: ReadonlySet<string> = new Set(['silent', 'no-answer', 'timeout', 'ETIMEDOUT']);

const isSilent = ({ failure }: PresenceFacts): boolean => failure !== null && SILENCE.has(failure);

const isSocketLost = ({ socket, failure }: PresenceFacts): boolean =>
  (socket === 'reconnecting' || socket === 'connecting') && (failure !== null || socket === 'reconnecting');

/** The current evidence, in the order of `evidenceCodes`. */
export function evidenceOf(facts: PresenceFacts, lookup: EntityLookup | null): readonly Evidence[] {
  const lost = isSocketLost(facts);
  const holds: Readonly<Record<Evidence, boolean>> = {
    'socket-live': facts.socket === 'live',
    'socket-refused': facts.socket === 'refused',
    'socket-lost': lost && !isSilent(facts),
    'socket-silent': lost && isSilent(facts),
    'session-live': facts.session?.state === 'live',
    'session-lost': facts.session?.state === 'lost',
    'says-stopping': facts.lifecycle === 'stopping',
    'says-starting': facts.lifecycle === 'starting',
    'page-connected': facts.page === 'connected',
    'page-away': facts.page === 'away',
    'sign-in-answered': facts.signedIn && facts.answers === true,
    'sign-in-unanswered': facts.signedIn && facts.answers === false,
    'broker-birth': facts.broker === 'birth',
    'broker-will': facts.broker === 'will',
    // A lookup over a connection that is lost says nothing about now.
    'entities-shown': lookup === 'shown' && !lost,
    'entities-missing': lookup !== null && lookup !== 'shown' && !lost,
  };
  // The record has one field for each code, in their order.
  return Object.entries(holds).flatMap(([code, isSo]) => (isSo ? [code as Evidence] : []));
}

/**
 * Judges the evidence. The panel's own observations take precedence over the broker's messages, and both over an answer
 * that may be old: a live connection is proof, and without one a will is newer than any birth message.
 */
export function momentOf(evidence: readonly Evidence[]): Moment {
  const has = (code: Evidence): boolean => evidence.includes(code);
  const announced = has('says-stopping') || has('says-starting');
  if (has('socket-live') || has('session-live')) return announced ? 'restarting' : 'there';
  if (announced && (has('socket-lost') || has('socket-silent') || has('page-away') || has('session-lost')))
    return 'restarting';
  if (has('page-away') || has('socket-silent')) return 'gone';
  if (has('socket-lost') || has('session-lost')) return 'lost';
  if (has('page-connected')) return 'there';
  if (has('broker-will')) return 'lost';
  // A refusal is an answer, though as old as the sign-in.
  if (has('socket-refused') || has('broker-birth') || has('entities-shown')) return 'there';
  if (has('sign-in-unanswered')) return 'lost';
  return has('sign-in-answered') ? 'there' : 'unknown';
}

/** True while Home Assistant answers on a connection. */
export const isLive = ({ socket, session }: Pick<PresenceFacts, 'socket' | 'session'>): boolean =>
  socket === 'live' || session?.state === 'live';

/**
 * The state to show after `before`: a recent loss keeps it, and a restart that took too long stays `gone` until Home
 * Assistant answers.
 */
export function stateAfter(before: Judged['state'], moment: Moment, isAnswering: boolean): Judged['state'] {
  if (moment === 'lost') return before;
  return moment === 'restarting' && before === 'gone' && !isAnswering ? 'gone' : moment;
}
