import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { After } from '#drivers/kit/rounds.ts';
import type { AnyActor } from '#machines/actors.ts';
import type { CompanionExchange, SessionMessage, Surface } from '#machines/companion/events.ts';
import { commandOf } from '#machines/companion/row-state.ts';
import { acceptCommand, type CommandValue, joinCommands, rowCommandOf } from '#machines/entities/command.ts';
import { superseded } from '#machines/entities/outcome.ts';
import type { RowShape } from '#machines/entities/shape.ts';
import { companionPeer } from '#machines/kit/companion-peer.ts';
import type { CommandRefused, EntityRow } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { createRateLimiter } from '../entities/rate-limiter.ts';
import { commandRunner, type CommandSource } from '../entities/run-commands.ts';
import type { Admission } from '../kit/admission.ts';
import type { Registry } from '../kit/registry.ts';
import { createBoundedAdmission } from './approvals.ts';
import { type Call, createCalls } from './calls.ts';

type Row = EntityRow<AnyActor>;

export interface CommandIntakePlan {
  readonly registry: Registry;
  readonly exchange: Pick<CompanionExchange, 'send'>;
  readonly rows: readonly Row[];
  readonly admission: Pick<Admission, 'admit' | 'whenAnswered'>;
  readonly elapsed: () => Milliseconds;
  readonly lookAtSettings?: (patch: Readonly<Record<string, unknown>>) => Promise<CommandRefused | null> | null;
  readonly after: After;
  readonly scope: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>;
  /** The shape of a row that is offered; null for any other key. */
  readonly shapeOf: (key: string) => RowShape | null;
  readonly surface: () => Surface | null;
  /** Called with the end of each command; null if it was carried out. */
  readonly ended: (refusal: CommandRefused | null) => void;
}

/** A command for one row, and the calls that it answers: several if it joins them. */
interface Due {
  readonly row: Row;
  readonly value: CommandValue;
  readonly calls: readonly Call[];
  readonly source: CommandSource;
}

const otherSurface: CommandRefused = {
  reason: 'other-surface',
  message: 'The entities of this panel go through the MQTT broker now.',
};
const waitsAtPanel: CommandRefused = {
  reason: 'approval-required',
  message: 'This waits for approval at the panel. Approve it there, then try again within ten minutes.',
};
const unknownEntity: CommandRefused = { reason: 'unknown-entity', message: 'This panel has no such entity now.' };

/** The origin of commands, as actors note it; the same as over the broker. */
const ORIGIN = 'home-assistant';

/**
 * Takes the commands of sessions at a bounded rate, and answers each exactly once. None is carried out after its
 * deadline or its session; one that waits for a person is carried out if that is in time.
 */
export function createCommandIntake(plan: CommandIntakePlan) {
  const { registry, exchange, scope, after, elapsed, lookAtSettings } = plan;
  const { guard } = scope;
  const byKey = new Map(plan.rows.map((row) => [row.key, row]));
  /** By the name of a command: those that it answers, while it is under way. */
  const begun = new Map<string, readonly Call[]>();
  const bounded = createBoundedAdmission({
    admission: plan.admission,
    elapsed,
    waits: (text) => {
      for (const call of begun.get(text) ?? []) call.waits = waitsAtPanel;
    },
    isWanted: (text) => (begun.get(text) ?? []).some(({ isOver }) => !isOver),
  });
  const calls = createCalls({
    send: (session, result) => void exchange.send(session, result),
    ended: plan.ended,
    elapsed,
    guard,
    after,
  });
  const run = commandRunner({
    registry,
    scope,
    admission: bounded.admission,
    source: { origin: ORIGIN, peer: companionPeer('') },
    refuse: () => {},
    taken: () => {},
    lookFirst: (event) => (event.type === 'settings.merge' ? (lookAtSettings?.(event.patch) ?? null) : null),
    after,
  });
  const endAll = (all: readonly Call[], refusal: CommandRefused | null): void => {
    for (const call of all) calls.end(call, refusal);
  };
  const stillOpen = ({ calls: all }: Due): readonly Call[] => all.filter(({ isOver }) => !isOver);

  const begin = (due: Due): void => {
    const open = stillOpen(due);
    // Those that came too late are told so already, and none is carried out for them.
    if (open.length === 0) return;
    const { row, value, source } = due;
    const text = bounded.expect(
      { peer: source.peer, key: row.key, value },
      Math.max(...open.map(({ until }) => until)),
    );
    begun.set(text, open);
    run(
      row,
      value,
      (refusal) => {
        if (begun.get(text) === open) begun.delete(text);
        endAll(open, refusal);
      },
      source,
    );
  };
  const limiter = createRateLimiter<Due>({
    deliver: begin,
    join: (older, newer) => {
      const value = joinCommands(older.value, newer.value);
      // What is joined of two commands for a light carries out both.
      if (value !== newer.value) return { ...newer, value, calls: [...older.calls, ...newer.calls] };
      endAll(older.calls, superseded);
      return newer;
    },
    isOrdered: () => false,
    isForeign: () => false,
    guard,
    after,
  });
  /** The command of a message, or why there is none. */
  const judge = ({
    message: { k: key, v },
  }: SessionMessage): { readonly row: Row; readonly value: CommandValue } | { readonly refusal: CommandRefused } => {
    if (plan.surface() !== 'native') return { refusal: otherSurface };
    const shape = plan.shapeOf(key);
    const row = byKey.get(key);
    if (shape === null || row === undefined) return { refusal: unknownEntity };
    const accepted = acceptCommand(shape, commandOf(v));
    if (!accepted.ok) return { refusal: accepted };
    const written = rowCommandOf(row, accepted.value, ORIGIN);
    return written.ok ? { row, value: accepted.value } : { refusal: written };
  };
  const peerOf = (session: number): string => {
    const open = registry.read('companion')?.context.sessions.find((one) => one.session === session);
    return companionPeer(open?.client.clientId ?? '');
  };
  return {
    take: (received: SessionMessage): void => {
      const { session, message } = received;
      const call = calls.open(session, message.id, message.deadline);
      if (call === null) return;
      const judged = judge(received);
      if ('refusal' in judged) {
        const { reason, message: sentence } = judged.refusal;
        calls.end(call, { reason, message: sentence });
        return;
      }
      const { row, value } = judged;
      const source = { origin: ORIGIN, peer: peerOf(session) };
      // Per session too: an approval for one Home Assistant is none for another.
      limiter.take(`${row.key} ${source.peer}`, { row, value, calls: [call], source });
    },
    forget: calls.forget,
    stop: (refusal: CommandRefused): void => {
      limiter.stop();
      calls.stop(refusal);
    },
  };
}
