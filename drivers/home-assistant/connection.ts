import type { Connection } from 'home-assistant-js-websocket';

import { chunk } from '#machines/kit/chunk.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { fieldsOf } from '#drivers/kit/json-fields.ts';
import type {
  ConnectionCommand,
  ConnectionFact,
  ConnectionInput,
  ExcessCode,
} from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { TurnChannel } from '#drivers/voice/turn-channel.ts';

import { assistTurns } from './assist-turns.ts';
import { type SignedIn, openSocket } from './socket.ts';
import { reader } from './reader.ts';
import { trafficSampler } from './traffic-sampler.ts';
import { bounded } from './bounded.ts';

const library = chunk(() => import('home-assistant-js-websocket'));

/** The token for a connection, or why there is none. */
export type TokenRead =
  | { readonly ok: true; readonly token: string; readonly origin: string }
  /** `auth-invalid` if Home Assistant no longer accepts the credential; else why it was not reached. */
  | { readonly ok: false; readonly code: string };

export interface ConnectionDeps {
  /** The agent's access token; with `force` never the one that was just refused. */
  readonly readToken: (force: boolean) => Promise<TokenRead>;
  /** Trusted certificates for an origin as PEM; undefined for the runtime's own. */
  readonly trustFor: (origin: string) => Promise<string | undefined>;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly now: () => EpochMs;
  /** Pause between two pings, and the longest wait for the answer to one; 10 s by default. */
  readonly pingMs?: Milliseconds;
  /** Shortest time between two reads of an area's presence sensors; 5 s by default. */
  readonly areaPauseMs?: Milliseconds;
  /** True if that origin is still the one in the settings. */
  readonly isInForce: (origin: string) => boolean;
  /** Called with the address of a live connection, which must not appear in any event. */
  readonly onRoute: (route: { readonly address: string; readonly family: 'ipv4' | 'ipv6' }) => void;
  /** Joins a turn's ear, this connection and the screen; absent for a connection that carries no turns. */
  readonly channel?: TurnChannel;
}

/** Gives 30 pings in the window of five minutes, of which a single miss raises nothing (contract, rule 6). */
const PING_MS: Milliseconds = 10_000;

type Running = Extract<ConnectionFact, { readonly type: 'socket.running' }>['running'];

/** Home Assistant's state, in three classes. */
function runningOf(config: unknown): Running {
  const { state } = fieldsOf(config);
  if (state === 'STOPPING' || state === 'FINAL_WRITE' || state === 'STOPPED') return 'stopping';
  return state === 'NOT_RUNNING' || state === 'STARTING' ? 'starting' : 'running';
}

/**
 * Longest time from an order to stop to the end of the connection: a restart checks the configuration first. Home
 * Assistant announces the order, then closes its connections before it announces the stop (seen with 2026.11).
 */
const ORDER_MS: Milliseconds = 120_000;
/** Services of `homeassistant` that stop it. */
const ENDINGS: ReadonlySet<unknown> = new Set(['stop', 'restart']);

/** True if an event is the order to stop Home Assistant. */
function isOrder(event: unknown): boolean {
  const { domain, service } = fieldsOf(fieldsOf(event)['data']);
  return domain === 'homeassistant' && ENDINGS.has(service);
}

/** One connection to Home Assistant, from the token to its end. Every failure is a fact with a code. */
export const homeAssistantConnection = (deps: ConnectionDeps) =>
  fromDriver<ConnectionCommand, ConnectionInput, ConnectionFact>(({ input, signal, send, onEvent, guard }) => {
    const { generation } = input;
    let close = (): void => {};
    let expects: (id: number) => boolean = () => false;
    let probes: ReturnType<typeof setInterval> | undefined;
    let handle: ((command: ConnectionCommand) => void) | null = null;
    let stopReading = (): void => {};
    let over = false;
    /** When Home Assistant was ordered to stop or restart; null before. */
    let orderedAt: Milliseconds | null = null;
    /** Events that told what Home Assistant does, and what the newest of them told. */
    let notices = 0;
    let told: Running | null = null;

    const end = (code: string): void => {
      if (over) return;
      over = true;
      clearInterval(probes);
      stopReading();
      if (code === 'closed-in-order' && orderedAt !== null && deps.elapsed() - orderedAt < ORDER_MS)
        send({ type: 'socket.notice', generation, notice: 'stopping' });
      send({ type: 'socket.ended', generation, code, at: deps.elapsed() });
    };
    const overrun = (origin: string, code: ExcessCode): void => {
      // After a change of the address, the new Home Assistant is not blamed for what the old one sent.
      if (!deps.isInForce(origin)) return end(code);
      if (over) return;
      over = true;
      clearInterval(probes);
      stopReading();
      send({ type: 'socket.overrun', generation, code, at: deps.elapsed(), moment: deps.now() });
    };

    const measure = (connection: Connection, received: () => number): void => {
      let waiting: { readonly sentAt: Milliseconds; readonly received: number } | null = null;
      const report = (answeredMs: Milliseconds | null, otherFrames: boolean): void =>
        send({ type: 'socket.probed', generation, answeredMs, otherFrames, at: deps.elapsed() });
      const probe = guard((): void => {
        if (waiting !== null) report(null, received() > waiting.received);
        const mine = { sentAt: deps.elapsed(), received: received() };
        waiting = mine;
        connection.ping().then(
          guard(() => {
            // An answer that comes after the next ping was sent is only a sign of life.
            if (waiting !== mine) return;
            waiting = null;
            report(Math.round(deps.elapsed() - mine.sentAt), false);
          }),
          () => {},
        );
      });
      probes = setInterval(probe, deps.pingMs ?? PING_MS);
      probe();
    };

    const askRunning = async (connection: Connection): Promise<Running | null> => {
      const before = notices;
      const config = await bounded(connection.sendMessagePromise({ type: 'get_config' }));
      if (!config.ok) return null;
      // Of messages that come together the library hands on events first, also those that are newer than the answer.
      return notices === before ? runningOf(config.value) : told;
    };
    /**
     * True for an administrator; any other account is refused these subscriptions, with an error in Home Assistant's
     * log. Null without an answer in time.
     */
    const isAdministrator = async (connection: Connection): Promise<boolean | null> => {
      const user = await bounded(connection.sendMessagePromise({ type: 'auth/current_user' }));
      if (!user.ok) return user.code === null ? null : false;
      return fieldsOf(user.value)['is_admin'] === true;
    };
    const listen = async (connection: Connection): Promise<boolean | null> => {
      const isAllowed = await isAdministrator(connection);
      if (isAllowed !== true) return isAllowed;
      const tell = (notice: 'stopping' | 'starting' | 'started') => () => {
        notices += 1;
        told = notice === 'started' ? 'running' : notice;
        send({ type: 'socket.notice', generation, notice });
      };
      const events: Readonly<Record<string, (event: unknown) => void>> = {
        homeassistant_stop: tell('stopping'),
        homeassistant_start: tell('starting'),
        homeassistant_started: tell('started'),
        call_service: (event) => {
          if (isOrder(event)) orderedAt = deps.elapsed();
        },
      };
      const granted = await Promise.all(
        Object.entries(events).map(([event, take]) => bounded(connection.subscribeEvents(guard(take), event))),
      );
      return granted.every(({ ok }) => ok);
    };

    const begin = guard(async (origin: string, signedIn: SignedIn): Promise<void> => {
      const { socket, address, family, received, messageBytes, sendBinary, hurry } = signedIn;
      // Loaded with the first connection, so that a start without Home Assistant does not pay for it.
      const { Connection: SharedConnection } = await library();
      if (over || signal.aborted) return;
      const connection = new SharedConnection(socket, {
        setupRetry: 0,
        createSocket: () => Promise.reject(new Error('one-connection-only')),
      });
      expects = (id) => connection.commands.has(id);
      const shut = close;
      close = () => {
        // Before the socket ends, or the library would reconnect by itself.
        connection.close();
        shut();
      };
      socket.addEventListener('close', () => connection.close());
      const hearsEvents = await listen(connection);
      const running = await askRunning(connection);
      if (over || signal.aborted) return;
      if (running === null || hearsEvents === null) {
        close();
        return;
      }
      deps.onRoute({ address, family });
      const topics = reader(connection, {
        guard,
        now: deps.now,
        ...(deps.areaPauseMs !== undefined && { areaPauseMs: deps.areaPauseMs }),
        onReading: (reading) => send({ type: 'socket.read-out', generation, reading }),
      });
      const traffic = trafficSampler(connection, { guard, messageBytes, elapsed: deps.elapsed });
      const turns = assistTurns(connection, {
        guard,
        channel: deps.channel,
        origin,
        sendBinary,
        hurry,
        elapsed: deps.elapsed,
        report: (fact) => send({ type: 'socket.turn', generation, fact }),
      });
      stopReading = () => {
        topics.stop();
        traffic.stop();
        turns.stop();
      };
      handle = (command) => {
        switch (command.type) {
          case 'socket.watch':
            topics.watch(command.topics);
            return;
          case 'socket.renew':
            topics.renew(command.topics);
            return;
          case 'socket.read':
            void topics.read(command.topic).then((found) => {
              // What the old Home Assistant said after a change of the address is no answer.
              const reading = deps.isInForce(origin) ? found : null;
              send({ type: 'socket.answered', generation, requestId: command.requestId, reading });
            });
            return;
          case 'socket.sample':
            void traffic
              .sample(command)
              .then((sample) => send({ type: 'socket.sampled', generation, requestId: command.requestId, sample }));
            return;
          case 'socket.begin-turn':
            turns.begin(command);
            return;
          case 'socket.cancel-turn':
            turns.cancel(command.turn);
            return;
          case 'socket.ask-running':
            void askRunning(connection).then((now) => {
              if (now !== null) send({ type: 'socket.running', generation, running: now });
            });
        }
      };
      // The machine answers at once with the topics that it needs.
      send({ type: 'socket.live', generation, at: deps.elapsed(), running, hearsEvents, family });
      measure(connection, received);
    });

    const open = guard(async (): Promise<void> => {
      const read = await deps.readToken(input.forceToken);
      if (signal.aborted) return;
      if (!read.ok) {
        end(read.code);
        return;
      }
      const { origin, token } = read;
      const trust = await deps.trustFor(origin);
      if (signal.aborted) return;
      close = openSocket({
        origin,
        token,
        trust,
        elapsed: deps.elapsed,
        onSignedIn: (signedIn) => begin(origin, signedIn),
        expects: (id) => expects(id),
        onOverrun: guard((code) => overrun(origin, code)),
        onEnd: guard(end),
      });
    });

    onEvent((command) => handle?.(command));
    open();
    return () => {
      over = true;
      clearInterval(probes);
      close();
      stopReading();
    };
  });
