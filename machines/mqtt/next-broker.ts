import { atTarget } from './desired-broker.ts';
import type { DesiredBroker } from './events.ts';
import type { LinkFacts } from './facts.ts';
import { releaseOf } from './release.ts';

/** What of the link's facts decides which broker it works on next. */
export type Session = Pick<LinkFacts, 'desired' | 'upcoming' | 'connectedAt' | 'release' | 'binding'>;

/**
 * True if the broker of the session is kept, whatever is found on the network meanwhile: one packet of anybody there
 * must not end it. It is while the session lives, and until the broker is lost. Without the password it was only on
 * trial: there the broker that the password is bound to goes before it. One that has to wait now has no session.
 */
function keepsBroker({ desired, upcoming, connectedAt, release, binding }: Session, wished: DesiredBroker): boolean {
  if (connectedAt === null && upcoming === null) return false;
  if (release === 'wait' || desired?.source !== 'found' || wished.source === 'configured') return false;
  return release !== 'ask' || wished.found === null || releaseOf({ ...wished, binding }) !== 'send';
}

/** What the link works on once `wished` is reported. */
export const nextBroker = (session: Session, wished: DesiredBroker): DesiredBroker =>
  session.desired !== null && keepsBroker(session, wished) ? atTarget(wished, session.desired) : wished;
