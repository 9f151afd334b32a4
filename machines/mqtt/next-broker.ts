import { atTarget } from './desired-broker.ts';
import type { DesiredBroker } from './events.ts';
import type { LinkFacts } from './facts.ts';
import { releaseOf } from './release.ts';

/** The facts that decide which broker comes next. */
export type Session = Pick<LinkFacts, 'desired' | 'upcoming' | 'connectedAt' | 'release' | 'binding'>;

/**
 * True if the session's broker is kept whatever is found on the network: one forged packet must not end a session. It
 * is kept until the broker is lost. A broker that is tried without the password gives way to the one that the password
 * is bound to. A broker that has to wait has no session.
 */
function keepsBroker({ desired, upcoming, connectedAt, release, binding }: Session, wished: DesiredBroker): boolean {
  if (connectedAt === null && upcoming === null) return false;
  if (release === 'wait' || desired?.source !== 'found' || wished.source === 'configured') return false;
  return release !== 'ask' || wished.found === null || releaseOf({ ...wished, binding }) !== 'send';
}

/** The broker to use once `wished` is reported. */
export const nextBroker = (session: Session, wished: DesiredBroker): DesiredBroker =>
  session.desired !== null && keepsBroker(session, wished) ? atTarget(wished, session.desired) : wished;
