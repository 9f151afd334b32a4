import type { ReplyEvent } from '../kit/outcome.ts';
import type { Recipient } from '../kit/recipient.ts';
import { shownBroker, targetOf } from './binding.ts';
import type { ConfirmOutcome, FoundBroker, MqttEvent, PasswordCommand, PasswordFact } from './events.ts';
import type { LinkFacts } from './facts.ts';

type Asked = Extract<MqttEvent, { readonly type: 'mqtt.confirm' }>;
type Read = Extract<MqttEvent, { readonly type: 'mqtt.read-waiting' }>;
type Settled = Extract<PasswordFact, { readonly type: 'binding.settled' }>;

/** The broker that waits for the password; null if none does. */
const waitingRecipient = ({ release, binding, desired }: LinkFacts): Recipient | null =>
  release === 'send' || binding === null || desired === null ? null : targetOf(desired);

function waitingBroker(context: LinkFacts): FoundBroker | null {
  const recipient = waitingRecipient(context);
  return recipient === null ? null : shownBroker(recipient);
}

/** True if the broker that a person names is the one that waits: a broker that was never shown cannot be confirmed. */
export function isWaiting(context: LinkFacts, { broker }: Asked): boolean {
  const waiting = waitingBroker(context);
  return (
    waiting !== null &&
    waiting.name === broker.name &&
    waiting.address === broker.address &&
    waiting.port === broker.port
  );
}

/** Stores the broker that accepted an open password. */
export function keepCommand({ binding, passwordRevision }: LinkFacts): PasswordCommand | null {
  return binding?.kind === 'bound'
    ? { type: 'binding.keep', revision: passwordRevision, recipient: binding.recipient }
    : null;
}

/** Assigns the password to the broker that waits, if the proof holds; null if none waits. */
export function settleCommand(context: LinkFacts, { requestId, from, password }: Asked): PasswordCommand | null {
  const recipient = waitingRecipient(context);
  return recipient === null
    ? null
    : { type: 'binding.settle', requestId, revision: context.passwordRevision, recipient, from, password };
}

/** True if a recipient of the current password was stored, and a connection with it is due. */
export const isConfirmed = (context: LinkFacts, { revision, outcome }: Settled): boolean =>
  outcome.status === 'confirmed' &&
  revision === context.passwordRevision &&
  (context.release !== 'send' || context.connectedAt === null);

/** Answers a confirmation. */
export const settledReply = ({ requestId, outcome }: Settled): ReplyEvent<ConfirmOutcome> => ({
  type: 'reply',
  requestId,
  outcome,
});

/** Answers a confirmation while no broker waits, or another one. */
export const notWaitingReply = (context: LinkFacts, { requestId }: Asked): ReplyEvent<ConfirmOutcome> => ({
  type: 'reply',
  requestId,
  outcome:
    waitingBroker(context) === null
      ? { status: 'nothing', several: context.source === 'ambiguous' }
      : { status: 'changed' },
});

/** Records a refused confirmation. */
export const noteRefused = ({ outcome, at, from }: Settled): Partial<LinkFacts> =>
  outcome.status === 'unproven' ? { refusedConfirmation: { at, from } } : {};

/** Answers which broker waits. */
export const waitingReply = (context: LinkFacts, { requestId }: Read): ReplyEvent<FoundBroker | null> => ({
  type: 'reply',
  requestId,
  outcome: waitingBroker(context),
});
