import { createActor, type EventObject, fromPromise, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  BridgeCommand,
  BridgeFact,
  ClientDescription,
  CompanionMachineEvent,
  FollowedFact,
  KeysCommand,
  KeysFact,
  KnownClient,
  PairingAnswered,
  SessionCommand,
  SessionEnd,
  SessionFact,
} from '#machines/companion/events.ts';
import { type CompanionMemory, noMemory, type Surface } from '#machines/companion/move.ts';
import type { Withdrawn } from '#machines/companion/moving.ts';
import { companionMachine } from '#machines/companion/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

/** The id of Home Assistant number `one`. */
export const clientId = (one: number): string => String(one).padStart(32, '0');
export const keyId = (one: number): string => String(one).padStart(16, '0');

const client = (one: number): ClientDescription => ({
  clientId: clientId(one),
  name: `Home ${one}`,
  version: '2026.11.0',
  integration: '0.1.0',
});

export const known = (one: number, nextKeyId: string | null = null): KnownClient => ({
  keyId: keyId(one),
  clientId: clientId(one),
  name: `Home ${one}`,
  pairedAt: one,
  usedAt: null,
  nextKeyId,
});

/** Work that a test ends: its inputs so far, and the end of the last one. */
function work<T, I>() {
  const inputs: I[] = [];
  let resolve: (value: T) => void = () => {};
  const logic = fromPromise<T, I>(({ input }) => {
    inputs.push(input);
    return new Promise((end) => {
      resolve = end;
    });
  });
  return {
    logic,
    inputs,
    end: async (value: T): Promise<void> => {
      resolve(value);
      // The machine is told in a later microtask.
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
  };
}

/** The machine on a simulated clock, with drivers that a test plays. */
export function start() {
  const clock = new SimulatedClock();
  const sessions = fakeDriver<SessionCommand, SessionFact>();
  const keys = fakeDriver<KeysCommand, KeysFact>();
  const bridge = fakeDriver<BridgeCommand, BridgeFact>();
  const withdrawal = work<Withdrawn, { readonly leave: boolean }>();
  const commit = work<string | null, { readonly to: Surface }>();
  const consent = work<string | null, { readonly clientId: string; readonly to: Surface }>();
  const asked: { readonly digits: string; readonly name: string }[] = [];
  let taken = 0;
  const replies: unknown[] = [];
  const actor = createActor(
    companionMachine.provide({
      actors: {
        sessions: sessions.logic,
        keys: keys.logic,
        bridge: bridge.logic,
        withdraw: withdrawal.logic,
        commit: commit.logic,
        consent: consent.logic,
        follower: fakeDriver<EventObject, FollowedFact>().logic,
        question: fromDriver<EventObject, { readonly digits: string; readonly name: string }, PairingAnswered>(
          ({ input }) => {
            asked.push(input);
            return () => {
              taken += 1;
            };
          },
        ),
      },
    }),
    { clock },
  );
  actor.on('reply', (event) => void replies.push(event));
  actor.start();
  const hear = (...events: readonly CompanionMachineEvent[]): void => {
    for (const event of events) actor.send(event);
  };
  const rig = {
    actor,
    clock,
    hear,
    asked,
    replies,
    withdrawal,
    commit,
    consent,
    /** How many questions are not asked any more. */
    closedQuestions: () => taken,
    /** The commands to each driver since the last look. */
    toSessions: () => sessions.commands.splice(0),
    toKeys: () => keys.commands.splice(0),
    toBridge: () => bridge.commands.splice(0),
    bridges: () => bridge.starts(),
    crashKeys: () => keys.crash(),
    facts: () => actor.getSnapshot().context,
    paired: (...clients: readonly KnownClient[]) => hear({ type: 'keys.known', clients, keys: [], chosen: null }),
    chosen: (chosen: string | null, ...clients: readonly KnownClient[]) =>
      hear({ type: 'keys.known', clients, keys: [], chosen }),
    surface: (surface: 'mqtt' | 'native') => hear({ type: 'surface.changed', surface, hasBroker: true }),
    memory: (memory: Partial<CompanionMemory> = {}) =>
      hear({ type: 'memory.known', memory: { ...noMemory, ...memory } }),
    named: () => hear({ type: 'panel.named', panel: { id: 'hall', name: 'Hall', model: 'X' } }),
    open: (session: number, one = 1, phase: 'starting' | 'running' | null = 'running') => {
      hear({ type: 'session.opened', session, keyId: keyId(one), client: client(one), at: clock.now() });
      if (phase !== null) hear({ type: 'session.phase', session, phase, reason: null });
    },
    says: (session: number, phase: 'starting' | 'running' | 'stopping') =>
      hear({ type: 'session.phase', session, phase, reason: null }),
    close: (session: number, end: SessionEnd) => hear({ type: 'session.closed', session, end, at: clock.now() }),
    wants: (pairing: number, { peer = '192.0.2.7', one = 1 } = {}) =>
      hear({
        type: 'pairing.wanted',
        pairing,
        client: client(one),
        peer,
        digits: '012345',
        key: { keyId: keyId(one), key: 'ab'.repeat(32) },
      }),
    confirms: (pairing: number) => hear({ type: 'pairing.confirmed', pairing }),
    leaves: (pairing: number) => hear({ type: 'pairing.left', pairing }),
    answers: (answer: PairingAnswered['answer']) => hear({ type: 'question.answered', answer }),
    kept: (pairing: number, one = 1) => hear({ type: 'keys.kept', pairing, keyId: keyId(one), at: 5 }),
  };
  return rig;
}

export type Rig = ReturnType<typeof start>;

/** A panel that can be paired. */
export function ready(): Rig {
  const rig = start();
  rig.named();
  rig.memory({ surface: 'native' });
  rig.surface('native');
  rig.paired();
  rig.toSessions();
  return rig;
}
