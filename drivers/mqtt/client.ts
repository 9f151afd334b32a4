import type { IClientOptions, ISubscriptionMap } from 'mqtt';

import { chunk } from '#machines/kit/chunk.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { readSystemTrust } from '#drivers/kit/system-trust.ts';
import type {
  BrokerCommand,
  BrokerFact,
  ConnectionInput,
  OutgoingMessage,
  Subscription,
} from '#machines/mqtt/events.ts';
import type { MessageExchange } from './message-exchange.ts';
import { throttlePackets } from './packet-throttle.ts';
import { passwordMark } from './password-mark.ts';
import { refusalOf } from './refusal.ts';
import { openSocket } from './socket.ts';

const library = chunk(() => import('./library.ts'));

/** Largest payload accepted from the broker, in bytes; larger ones are dropped. */
const PAYLOAD_BYTES = 64 * 1024;
/** Longest topic accepted from the broker, in characters. */
const TOPIC_LENGTH = 512;
/**
 * Largest packet accepted from the broker, in bytes: payload, topic and properties. An MQTT 5 broker is told this
 * limit; a larger packet from any broker ends the connection.
 */
const PACKET_BYTES = 2 * PAYLOAD_BYTES;
/** Messages that a broker may have in flight to the panel (MQTT 5 3.1.2.11.3). */
const RECEIVE_MAXIMUM = 64;
/** Most messages to the broker that are not sent or not acknowledged; a whole announcement is some 300. */
const UNANSWERED = 4096;
/**
 * Keep-alive in seconds; the broker takes a frozen panel for gone after 1.5 times that (seen with Home Assistant
 * 2026.11).
 */
const KEEPALIVE_S = 15;
/** Longest wait for socket and answer together, in milliseconds. */
const ANSWER_MS = 4000;

export interface ClientDeps {
  /** The broker's password; null if none is set. A rejection counts as a failed attempt. */
  readonly readPassword: () => Promise<string | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Takes the messages of the connection, and provides those to the broker. */
  readonly messages: MessageExchange;
  /** Certificates to trust instead of the system's. */
  readonly readBundle?: () => Promise<string | undefined>;
}

function codeOf(error: unknown): string | number {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) return error.code;
  const text = error instanceof Error ? error.message.toLowerCase() : '';
  if (text.includes('connack timeout')) return 'timeout';
  return text.includes('keepalive') ? 'keepalive' : 'protocol-error';
}

const markOf = (password: string | null, installId: string): string | null =>
  password === null ? null : passwordMark(password, installId);

const optionsOf = (input: ConnectionInput, password: string | null): IClientOptions => ({
  clientId: input.clientId,
  protocolVersion: input.protocol,
  clean: true,
  keepalive: KEEPALIVE_S,
  connectTimeout: ANSWER_MS,
  // One run is one attempt; the machine decides about the next.
  reconnectPeriod: 0,
  resubscribe: false,
  queueQoSZero: false,
  ...(input.user !== '' && { username: input.user }),
  ...(password !== null && { password }),
  ...(input.protocol === 5 && { properties: { maximumPacketSize: PACKET_BYTES, receiveMaximum: RECEIVE_MAXIMUM } }),
  will: {
    topic: input.will.topic,
    payload: Buffer.from(input.will.payload),
    qos: input.will.qos,
    retain: input.will.retain,
  },
});

const subscriptionOf = ({ topics, asPublished = [] }: Subscription): ISubscriptionMap =>
  Object.fromEntries([
    ...topics.map((topic) => [topic, { qos: 1 }] as const),
    ...asPublished.map((topic) => [topic, { qos: 1, rap: true }] as const),
  ]);

/** One connection attempt to a broker, and the resulting connection. Every failure is a fact with a code. */
export const brokerClient = (deps: ClientDeps) =>
  fromDriver<BrokerCommand, ConnectionInput, BrokerFact>(async ({ input, signal, send, onEvent, guard }) => {
    const { generation } = input;
    let over = false;
    let answered = false;
    let closeExchange = (): void => {};
    const lose = (code: string): void => {
      if (over) return;
      over = true;
      closeExchange();
      send({ type: 'broker.lost', generation, code, at: deps.now() });
    };

    const bundle = input.tls ? await (deps.readBundle ?? readSystemTrust)() : undefined;
    let password: string | null;
    try {
      password = input.passwordSet ? await deps.readPassword() : null;
    } catch {
      lose('password-unreadable');
      return undefined;
    }
    // The password was replaced after the attempt was decided, and the new one may be meant for another broker.
    if (input.passwordSet && markOf(password, input.installId) !== input.passwordMark) {
      lose('password-changed');
      return undefined;
    }
    // Loaded with the first attempt, so that a start without a broker does not pay for it.
    const { MqttClient } = await library();
    if (signal.aborted) return undefined;

    const client = new MqttClient(
      () => throttlePackets(openSocket(input, bundle), PACKET_BYTES, lose),
      optionsOf(input, password),
    );
    let unanswered = 0;
    const publish = (message: OutgoingMessage, done?: () => void): void => {
      if (!client.connected) {
        done?.();
        return;
      }
      unanswered += 1;
      client.publish(message.topic, message.payload, { qos: message.qos, retain: message.retain }, () => {
        unanswered -= 1;
        done?.();
      });
      if (unanswered <= UNANSWERED) return;
      lose('not-answered');
      client.stream.destroy();
    };

    const session = {
      publish: guard((all: readonly OutgoingMessage[]) => {
        for (const message of all) publish(message);
      }),
      subscribeTo: guard((subscription: Subscription) => {
        if (client.connected) client.subscribe(subscriptionOf(subscription), () => {});
      }),
    };
    let deliver: ReturnType<MessageExchange['open']>['deliver'] = () => {};

    client.on(
      'connect',
      guard(() => {
        answered = true;
        // Before the fact is sent: its followers subscribe and publish at once.
        ({ deliver, close: closeExchange } = deps.messages.open(session));
        send({ type: 'broker.connected', generation, protocol: input.protocol, at: deps.now() });
      }),
    );
    client.on(
      'error',
      guard((error: unknown) => {
        const code = codeOf(error);
        if (!answered && (code === 'ECONNRESET' || code === 'EPIPE')) lose('closed-unanswered');
        else if (typeof code === 'string' || answered) lose(String(code));
        else if (!over) {
          over = true;
          send({ type: 'broker.refused', generation, ...refusalOf(code), at: deps.now() });
        }
      }),
    );
    client.on(
      'disconnect',
      guard((packet: { readonly reasonCode?: number }) => lose(`disconnected-${packet.reasonCode ?? 0}`)),
    );
    client.on(
      'close',
      guard(() => lose(answered ? 'closed' : 'closed-unanswered')),
    );
    client.on(
      'message',
      guard((topic: string, payload: Buffer, packet: { readonly retain: boolean }) => {
        if (payload.length > PAYLOAD_BYTES || topic.length > TOPIC_LENGTH) return;
        deliver({ topic, payload: payload.toString('utf8'), retained: packet.retain });
      }),
    );

    onEvent((command) => {
      switch (command.type) {
        case 'mqtt.publish':
          for (const message of command.messages) publish(message);
          break;
        case 'mqtt.leave': {
          closeExchange();
          let open = command.messages.length;
          const leave = guard((): void => {
            open -= 1;
            if (open > 0 || over) return;
            over = true;
            client.end(false, () => send({ type: 'broker.ended', generation }));
          });
          for (const message of command.messages) publish(message, leave);
          break;
        }
      }
    });

    return () =>
      new Promise<void>((resolve) => {
        closeExchange();
        // The socket may still report an error while it closes, and an emitter without a listener would throw it.
        client.removeAllListeners();
        client.on('error', () => {});
        client.end(true, () => resolve());
      });
  });
