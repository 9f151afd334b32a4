import { createActor, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { refusalOf } from '#drivers/mqtt/refusal.ts';
import { targetOf } from '#machines/mqtt/binding.ts';
import { desiredBroker, type BrokerParts } from '#machines/mqtt/desired-broker.ts';
import type {
  BrokerCommand,
  BrokerFact,
  ConfirmOutcome,
  ConnectionInput,
  DesiredBroker,
  FoundBroker,
  PasswordCommand,
} from '#machines/mqtt/events.ts';
import { mqttMachine } from '#machines/mqtt/machine.ts';
import { linkSnapshot } from '#machines/mqtt/phase.ts';

/** What is wished for unless a test says otherwise: a configured broker. */
const parts: BrokerParts = {
  broker: 'mqtt://broker.test:1883',
  user: 'panel',
  passwordSet: true,
  passwordMark: 'mark',
  passwordRevision: 0,
  addressFamily: 'Automatic',
  panelId: 'hall',
  installId: 'a'.repeat(32),
  revision: 1,
  found: { outcome: 'none', host: null, name: null },
};
/** The broker to connect to, by what differs from a configured one. */
export const desired = (over: Partial<BrokerParts> = {}): DesiredBroker => desiredBroker({ ...parts, ...over });

/** One connection attempt. */
export interface Attempt {
  readonly input: ConnectionInput;
  readonly say: (fact: BrokerFact) => void;
  readonly told: BrokerCommand[];
  open: boolean;
}

/** The machine of the link on a stepped clock, with drivers that the test speaks for. */
export function run() {
  const attempts: Attempt[] = [];
  const remembered: PasswordCommand[] = [];
  const replies: { readonly requestId: string; readonly outcome: ConfirmOutcome | FoundBroker | null }[] = [];
  const clock = new SimulatedClock();
  const actor = createActor(
    mqttMachine.provide({
      actors: {
        desired: fromDriver<PasswordCommand, undefined, never>(({ onEvent }) =>
          onEvent((command) => void remembered.push(command)),
        ),
        connection: fromDriver<BrokerCommand, ConnectionInput, BrokerFact>(({ input, send, onEvent }) => {
          const attempt: Attempt = { input, say: send, told: [], open: true };
          attempts.push(attempt);
          onEvent((command) => void attempt.told.push(command));
          return () => void (attempt.open = false);
        }),
      },
    }),
    { clock },
  );
  actor.on('reply', (reply) => void replies.push(reply));
  actor.start();
  const last = (): Attempt => {
    const attempt = attempts.at(-1);
    if (!attempt) throw new Error('no attempt');
    return attempt;
  };
  const generation = (): number => last().input.generation;
  return {
    actor,
    attempts,
    /** What the memory of the password was told. */
    remembered,
    replies,
    last,
    /** Unless a test says whom the password is for, it is for the broker that is wished for first. */
    desire: (over: Partial<BrokerParts> = {}) => {
      const broker = desired(over);
      const recipient = targetOf(broker);
      if (recipient?.name === null && actor.getSnapshot().context.binding === null)
        actor.send({ type: 'password.noted', revision: 0, recipient, openMs: 0 });
      actor.send({ type: 'broker.desired', broker });
    },
    pass: (ms: number) => {
      for (let left = ms; left > 0; left -= 10) clock.increment(Math.min(10, left));
    },
    facts: () => linkSnapshot(actor.getSnapshot()),
    connect: (protocol: 4 | 5 = 5) =>
      last().say({ type: 'broker.connected', generation: generation(), protocol, at: 1 }),
    refuse: (connack: number) =>
      last().say({ type: 'broker.refused', generation: generation(), ...refusalOf(connack), at: clock.now() }),
    lose: (code = 'ECONNREFUSED') =>
      last().say({ type: 'broker.lost', generation: generation(), code, at: clock.now() }),
  };
}
