import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { AnyActor } from '#machines/actors.ts';
import { type CommandValue, rowCommandOf } from '#machines/entities/command.ts';
import { enter, type InFlight, leave } from '#machines/entities/in-flight.ts';
import { refusalAtOnce } from '#machines/entities/outcome.ts';
import type { CommandOutcome, CommandRefused, EntityRow, RowCommand } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { Registry } from '../kit/registry.ts';

/** Longest wait for an actor that is asked to carry out a command. */
const ANSWER_MS: Milliseconds = 8000;

type Row = EntityRow<AnyActor>;
type Asked = Extract<RowCommand<AnyActor>, { readonly do: 'ask' }>;
type Told = Extract<RowCommand<AnyActor>, { readonly do: 'tell' }>;

export interface CommandDeps {
  readonly registry: Pick<Registry, 'ask' | 'tell' | 'read'>;
  readonly scope: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>;
  /** Called for each command that was not carried out. */
  readonly refuse: (key: string, refusal: CommandRefused) => void;
  /** Looks at an event before its actor is asked; null if there is nothing to look at. */
  readonly lookFirst?: (event: Asked['event']) => Promise<CommandRefused | null> | null;
  /** Called for each command that its actor took. */
  readonly taken: (key: string) => void;
}

/** Refusals of commands that reached no actor, or that none answered. */
const unanswered: Readonly<Record<'absent' | 'ended' | 'timeout', CommandRefused>> = {
  absent: { reason: 'absent', message: 'This part of the panel is not running now.' },
  ended: { reason: 'ended', message: 'This part of the panel ended before it answered.' },
  timeout: { reason: 'timeout', message: 'This part of the panel did not answer in time.' },
};

/**
 * Carries out commands for entities. An actor that is only told gets each command at once. An actor that answers gets
 * one at a time, and the newest waits behind it.
 */
export function commandRunner({
  registry,
  scope,
  refuse,
  lookFirst = () => null,
  taken,
}: CommandDeps): (row: Row, value: CommandValue) => void {
  const { guard, signal } = scope;
  let inFlight: InFlight<Asked> = {};

  const answerTo = async (row: Row, command: Asked): Promise<CommandRefused | null> => {
    const asked = await registry.ask(row.actor, command.event, ANSWER_MS);
    return asked.ok ? command.answered(asked.value) : unanswered[asked.reason];
  };
  const ask = guard(async (row: Row, first: Asked): Promise<void> => {
    for (let command: Asked | null = first; command !== null;) {
      const look = lookFirst(command.event);
      const objection = look === null ? null : await look;
      if (signal.aborted) return;
      const refusal = objection ?? (await answerTo(row, command));
      if (signal.aborted) return;
      if (refusal === null) taken(row.key);
      else refuse(row.key, refusal);
      const step = leave(inFlight, row.key);
      inFlight = step.inFlight;
      command = step.next?.command ?? null;
    }
  });

  const outcomeOf = ({ actor, outcome }: Row): CommandOutcome | null => {
    const snapshot = outcome === undefined ? undefined : registry.read(actor);
    return snapshot === undefined ? null : (outcome?.(snapshot) ?? null);
  };
  const tell = (row: Row, { event }: Told): void => {
    const before = outcomeOf(row);
    const isThere = registry.tell(row.actor, event) === 'delivered';
    const refusal = isThere ? refusalAtOnce(before, outcomeOf(row)) : unanswered.absent;
    if (refusal === null) taken(row.key);
    else refuse(row.key, refusal);
  };

  return (row, value) => {
    const accepted = rowCommandOf(row, value);
    if (!accepted.ok) refuse(row.key, accepted);
    else if (accepted.value.do === 'tell') tell(row, accepted.value);
    else {
      const step = enter(inFlight, row.key, accepted.value);
      inFlight = step.inFlight;
      if (step.next !== null) ask(row, step.next.command);
    }
  };
}
