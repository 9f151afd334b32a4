import { createCompanionExchange } from '#drivers/companion/exchange.ts';
import type { WireRules } from '#drivers/companion/rules.ts';
import { companionSessions, type SessionsDeps } from '#drivers/companion/sessions.ts';
import type { ListenerDeps } from '#drivers/http/listener.ts';
import type {
  PairedKey,
  PanelMessage,
  SessionCommand,
  SessionFact,
  SessionMessage,
} from '#machines/companion/events.ts';
import { ClientHello, ClientMessage, PairingStep } from '#machines/companion/messages.ts';
import { channels, PROLOGUE, PROTOCOL, SOCKET_PATH, wireLimits, wireTimes } from '#machines/companion/wire.ts';
import { serve } from '#test/drivers/http/serving.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { createClock, timersOf } from '#test/fakes/kit-clock.ts';

/** The rules of the panel, as `bin/parts` passes them. */
const wireRules: WireRules = {
  protocol: PROTOCOL,
  prologue: PROLOGUE,
  json: channels.json,
  limits: wireLimits,
  times: wireTimes,
};

/** Keys of homes that were paired; each is one byte, repeated. */
export function pairedKey(byte: number): PairedKey {
  const digit = byte.toString(16).padStart(2, '0');
  return {
    keyId: digit.repeat(8),
    key: digit.repeat(32),
    clientId: digit.repeat(16),
    name: `Home ${byte}`,
    pairedAt: 1,
    usedAt: null,
  };
}

export const hall = { id: 'hall', name: 'Hall', model: 'Simulated panel' };

/** A panel's listener and driver on a free port; its times pass as they are told to. */
export async function servePanel({
  keys = [pairedKey(1)],
  limits = {},
  times = {},
  listener = {},
  panel = hall,
  serves = true,
  ...deps
}: {
  readonly keys?: readonly PairedKey[];
  readonly limits?: Partial<WireRules['limits']>;
  readonly times?: Partial<WireRules['times']>;
  readonly listener?: Partial<ListenerDeps>;
  /** How it greets; null for one that does not know yet. */
  readonly panel?: typeof hall | null;
  /** False without rows. */
  readonly serves?: boolean;
} & Partial<SessionsDeps> = {}) {
  const clock = createClock();
  const joint = createCompanionExchange();
  const driver = runDriver<SessionCommand, SessionFact>(
    companionSessions({
      joint,
      // Tests open many connections from one address.
      rules: {
        ...wireRules,
        limits: { ...wireLimits, handshakesPerSecond: 1000, ...limits },
        times: { ...wireTimes, ...times },
      },
      schemas: () => Promise.resolve({ hello: ClientHello, step: PairingStep, message: ClientMessage }),
      now: () => 1_000,
      clock: timersOf(clock),
      ...deps,
    }),
  );
  const web = await serve({ door: { path: SOCKET_PATH, take: joint.take }, ...listener });
  if (panel !== null) driver.tell({ type: 'sessions.panel', panel });
  driver.tell({ type: 'sessions.keys', keys });
  const opened = new Set<number>();
  const received: SessionMessage[] = [];
  const stopServing = joint.serve({
    opened: (session) => void opened.add(session),
    closed: (session) => void opened.delete(session),
    received: (message) => {
      received.push(message);
      joint.send(message.session, { type: 'result', id: message.message.id, ok: true });
    },
  });
  if (!serves) stopServing();
  return {
    clock,
    joint,
    driver,
    port: web.port,
    web,
    /** Sessions that the rows know. */
    opened,
    received,
    send: (message: PanelMessage, session = 1): boolean => joint.send(session, message),
    stop: async () => {
      driver.stop();
      await driver.settled();
      await web.stop();
    },
  };
}
export type ServedPanel = Awaited<ReturnType<typeof servePanel>>;
