import type { ReplyEvent } from '../kit/outcome.ts';
import { unconfirmed } from './binding.ts';
import type { ConfirmOutcome, FoundBroker, MqttEvent, PasswordCommand, PasswordFact } from './events.ts';
import type { LinkFacts } from './facts.ts';

type Asked = Extract<MqttEvent, { readonly type: 'mqtt.confirm' }>;
type Settled = Extract<PasswordFact, { readonly type: 'binding.settled' }>;

/** The found broker that the password waits for; null where none does. */
export const waitingBroker = ({ release, binding, desired }: LinkFacts): FoundBroker | null =>
  release === 'send' || binding === null ? null : (desired?.found ?? null);

/** Has the binding in force kept durably. */
export const keepCommand = ({ binding, passwordRevision }: LinkFacts): PasswordCommand => ({
  type: 'binding.keep',
  revision: passwordRevision,
  binding: binding ?? unconfirmed,
});

/** Has the password bound to the broker that waits. */
export const settleCommand = (context: LinkFacts, { requestId }: Asked): PasswordCommand => {
  const broker = waitingBroker(context);
  return {
    type: 'binding.settle',
    requestId,
    revision: context.passwordRevision,
    binding: broker === null ? unconfirmed : { kind: 'bound', broker },
  };
};

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

/** Answers who confirmed while no broker waits. */
export const nothingReply = ({ source }: LinkFacts, { requestId }: Asked): ReplyEvent<ConfirmOutcome> => ({
  type: 'reply',
  requestId,
  outcome: { status: 'nothing', several: source === 'ambiguous' },
});
