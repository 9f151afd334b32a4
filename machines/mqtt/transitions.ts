import { shownFailure } from '../kit/certificate.ts';
import type { EpochMs } from '../kit/units.ts';
import type { Recipient } from '../kit/recipient.ts';
import { bindingOf, targetOf, triedBinding, unconfirmed } from './binding.ts';
import { brokerOf, spokenTo } from './connection.ts';
import type { Binding, BrokerFact, DesiredBroker, PasswordFact, Release } from './events.ts';
import type { LinkFacts } from './facts.ts';
import { nextBroker } from './next-broker.ts';
import { releaseOf } from './release.ts';

type Change = Partial<LinkFacts>;
type Fact<T extends BrokerFact['type']> = Extract<BrokerFact, { readonly type: T }>;
type Failed = { readonly code: string; readonly at: EpochMs };

/**
 * Code of a connection that closed before the broker answered, as some brokers do with a protocol they do not speak.
 */
export const CLOSED_UNANSWERED = 'closed-unanswered';
/** This many in a row point to the protocol; a single one also happens while a broker starts or stops. */
const UNANSWERED_PROOF = 2;

const releaseIn = (desired: DesiredBroker | null, binding: Binding | null): Release =>
  desired === null ? 'send' : releaseOf({ ...desired, binding });

/** An open password is for the only broker that is found: of several, a person has to confirm one. */
function bindingAt({ binding: now }: LinkFacts, broker: DesiredBroker): Pick<LinkFacts, 'binding' | 'release'> {
  const binding = now?.kind === 'open' && broker.source === 'ambiguous' ? unconfirmed : now;
  return { binding, release: releaseIn(broker, binding) };
}

/** Switches to another broker: nothing known of the last one counts. */
const taken = (context: LinkFacts, broker: DesiredBroker, upcoming: DesiredBroker | null): Change => ({
  desired: broker,
  upcoming,
  source: broker.source,
  ...bindingAt(context, broker),
  attempt: 0,
  failingSince: null,
  failure: null,
  refusedCredentials: false,
  onlyLost: false,
  unanswered: 0,
  drops: 0,
  speak: spokenTo(context, broker),
});

/** The desired broker changed, and a new connection is due. */
export function takeBroker(context: LinkFacts, wanted: DesiredBroker): Change {
  const next = nextBroker(context, wanted);
  const upcoming = next.key === wanted.key ? null : wanted;
  return {
    ...taken(context, next, upcoming),
    isAnonymous: next.user === '',
    settingsRevision: wanted.revision,
    isUnneeded: false,
  };
}

/** The entities go over another surface: nothing known of the last broker counts. */
export const forgetBroker = (revision: number): Change => ({
  desired: null,
  upcoming: null,
  source: 'none',
  release: 'send',
  attempt: 0,
  failingSince: null,
  failure: null,
  refusedCredentials: false,
  onlyLost: false,
  unanswered: 0,
  drops: 0,
  settingsRevision: revision,
  isUnneeded: true,
});

/** The found broker or unrelated settings changed, and the session stays. */
export const postpone = ({ desired }: LinkFacts, wanted: DesiredBroker): Change => ({
  upcoming: wanted.key === desired?.key ? null : wanted,
  settingsRevision: wanted.revision,
});

/** The session is over: the broker that is found now counts. */
export const takeUpcoming = (context: LinkFacts): Change =>
  context.upcoming === null ? {} : taken(context, context.upcoming, null);

/** A new password is in force, or the same for another recipient. */
export function notePassword(
  { desired, upcoming }: LinkFacts,
  noted: Extract<PasswordFact, { readonly type: 'password.noted' }>,
): Change {
  const now = bindingOf(noted);
  // If a session is kept although another broker is found, its broker is not the only one.
  const isNotAlone = upcoming !== null || desired?.source === 'ambiguous';
  const binding = now.kind === 'open' && isNotAlone ? unconfirmed : now;
  return {
    binding,
    openMs: noted.openMs,
    passwordRevision: noted.revision,
    release: releaseIn(desired, binding),
  };
}

/** An attempt begins: an open password is reserved for this broker. */
export const beginAttempt = ({ generation, desired, binding, release }: LinkFacts): Change => ({
  generation: generation + 1,
  binding: release === 'send' && desired?.passwordSet === true ? triedBinding(binding, targetOf(desired)) : binding,
});

/** True if no broker has accepted an open password yet. */
export const isUnclaimed = ({ binding }: LinkFacts): boolean => binding?.kind === 'open' || binding?.kind === 'tried';

/** No broker accepted an open password in time: from now on a person has to confirm one. */
export const expireBinding = (context: LinkFacts): Change =>
  context.desired === null
    ? { binding: unconfirmed }
    : taken({ ...context, binding: unconfirmed }, context.desired, context.upcoming);

/** A person confirmed a broker, and that is stored. */
export function adoptBinding(context: LinkFacts, recipient: Recipient): Change {
  const binding: Binding = { kind: 'bound', recipient };
  return context.desired === null ? { binding } : taken({ ...context, binding }, context.desired, context.upcoming);
}

/** True if the broker that accepts now is the one the open password is tried with. */
export const isFirstToAccept = ({ desired, binding }: LinkFacts): boolean =>
  binding?.kind === 'tried' && desired?.passwordSet === true;

/** An open password is for the broker that accepted it. */
export const bindPassword = ({ binding }: LinkFacts): Change =>
  binding?.kind === 'tried' ? { binding: { kind: 'bound', recipient: binding.recipient } } : {};

export function welcome(context: LinkFacts, { protocol, at }: Fact<'broker.connected'>): Change {
  if (!context.desired) return {};
  const broker = brokerOf(context.desired);
  return {
    protocol,
    // Accepted credentials are right; any other reason stays visible until the connection has held.
    failure: context.refusedCredentials ? null : context.failure,
    connectedAt: at,
    session: context.session + 1,
    panelId: context.desired.panelId,
    refusedCredentials: false,
    unanswered: 0,
    spoken: [{ broker, protocol }, ...context.spoken.filter((entry) => entry.broker !== broker)].slice(0, 8),
  };
}

export const noteFailure = (context: LinkFacts, { code, at }: Failed): Change => ({
  attempt: context.attempt + 1,
  failingSince: context.failingSince ?? at,
  // Refused credentials stay the reason until they are right, whatever the network does.
  failure: context.refusedCredentials ? 'credentials' : shownFailure(code),
  onlyLost: false,
  drops: code === CLOSED_UNANSWERED ? context.drops : 0,
  unanswered: code === CLOSED_UNANSWERED ? context.unanswered + 1 : 0,
});

/** Codes of a connection that the broker ended, with or without a reason. */
const CLOSED_BY_BROKER = /^(?:closed|ECONNRESET|EPIPE|disconnected-\d+)$/;

export const noteLoss = (context: LinkFacts, { code, at }: Failed): Change => ({
  attempt: context.attempt + 1,
  failingSince: context.failingSince ?? at,
  failure: code,
  // The loss of a stable connection means nothing; silence is the network's fault.
  drops: context.attempt > 0 && CLOSED_BY_BROKER.test(code) ? context.drops + 1 : 0,
  onlyLost: context.attempt === 0,
});

/** Switches the protocol for a broker that keeps closing unanswered. */
export const speakOther = ({ unanswered, speak }: LinkFacts): Change =>
  unanswered < UNANSWERED_PROOF ? {} : { speak: speak === 5 ? 4 : 5, unanswered: 0 };
