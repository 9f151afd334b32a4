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
function keepsBroker({ desired, upcoming, connectedAt, release, binding }: Session, wanted: DesiredBroker): boolean {
  if (connectedAt === null && upcoming === null) return false;
  if (release === 'wait' || desired?.source !== 'found' || wanted.source === 'configured') return false;
  return release !== 'ask' || wanted.found === null || releaseOf({ ...wanted, binding }) !== 'send';
}

/** The broker to use once `wanted` is reported. */
export const nextBroker = (session: Session, wanted: DesiredBroker): DesiredBroker =>
  session.desired !== null && keepsBroker(session, wanted) ? atTarget(wanted, session.desired) : wanted;
