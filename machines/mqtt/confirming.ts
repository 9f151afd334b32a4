import type { ReplyEvent } from '../kit/outcome.ts';
import { unconfirmed } from './binding.ts';
import type { ConfirmOutcome, FoundBroker, MqttEvent, PasswordCommand, PasswordFact } from './events.ts';
import type { LinkFacts } from './facts.ts';
import { isSameFound } from './release.ts';

type Asked = Extract<MqttEvent, { readonly type: 'mqtt.confirm' }>;
type Read = Extract<MqttEvent, { readonly type: 'mqtt.read-waiting' }>;
type Settled = Extract<PasswordFact, { readonly type: 'binding.settled' }>;

/** The found broker that the password waits for; null where none does. */
export const waitingBroker = ({ release, binding, desired }: LinkFacts): FoundBroker | null =>
  release === 'send' || binding === null ? null : (desired?.found ?? null);

/** Whether the broker that a person names is the one that waits: nobody confirms what was never shown. */
export const isWaiting = (context: LinkFacts, { broker }: Asked): boolean => {
  const waiting = waitingBroker(context);
  return waiting !== null && isSameFound(waiting, broker);
};

/** Has the binding in force kept durably. */
export const keepCommand = ({ binding, passwordRevision }: LinkFacts): PasswordCommand => ({
  type: 'binding.keep',
  revision: passwordRevision,
  binding: binding ?? unconfirmed,
});

/** Has the password bound to the broker that was named. */
export const settleCommand = ({ passwordRevision }: LinkFacts, { requestId, broker }: Asked): PasswordCommand => ({
  type: 'binding.settle',
  requestId,
  revision: passwordRevision,
  binding: { kind: 'bound', broker },
});

/** Whether a binding was made durable for the password in force, and a connection with it is due. */
export const isConfirmed = (context: LinkFacts, { revision, outcome }: Settled): boolean =>
  outcome.status === 'confirmed' &&
  revision === context.passwordRevision &&
  (context.release !== 'send' || context.connectedAt === null);

/** Answers who confirmed. */
export const settledReply = ({ requestId, outcome }: Settled): ReplyEvent<ConfirmOutcome> => ({
  type: 'reply',
  requestId,
  outcome,
});

/** Answers who confirmed while no broker waits, or another one. */
export const notWaitingReply = (context: LinkFacts, { requestId }: Asked): ReplyEvent<ConfirmOutcome> => ({
  type: 'reply',
  requestId,
  outcome:
    waitingBroker(context) === null
      ? { status: 'nothing', several: context.source === 'ambiguous' }
      : { status: 'changed' },
});

/** Answers who wants to know which broker waits. */
export const waitingReply = (context: LinkFacts, { requestId }: Read): ReplyEvent<FoundBroker | null> => ({
  type: 'reply',
  requestId,
  outcome: waitingBroker(context),
});
