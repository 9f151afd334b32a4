import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { AnyActor } from '#machines/actors.ts';
import { type CommandValue, rowCommandOf } from '#machines/entities/command.ts';
import { enter, type InFlight, leave } from '#machines/entities/in-flight.ts';
import type { EntityRow, RowCommand } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { Registry } from '../kit/registry.ts';

/** Longest wait for an actor that is asked to carry out a command. */
const ANSWER_MS: Milliseconds = 8000;

type Row = EntityRow<AnyActor>;
type Asked = Extract<RowCommand<AnyActor>, { readonly do: 'ask' }>;

export interface CommandDeps {
  readonly registry: Pick<Registry, 'ask' | 'tell'>;
  readonly scope: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>;
  /** Called for each command that was not carried out, with a stable reason. */
  readonly refuse: (key: string, reason: string) => void;
}

/**
 * Carries out commands for entities. An actor that is only told gets each command at once. An actor that answers gets
 * one at a time, and the newest waits behind it.
 */
export function commandRunner({ registry, scope, refuse }: CommandDeps): (row: Row, value: CommandValue) => void {
  const { guard, signal } = scope;
  let inFlight: InFlight<Asked> = {};

  const ask = guard(async (row: Row, first: Asked): Promise<void> => {
    for (let command: Asked | null = first; command !== null;) {
      const asked = await registry.ask(row.actor, command.event, ANSWER_MS);
      if (signal.aborted) return;
      const refusal = asked.ok ? command.answered(asked.value) : asked.reason;
      if (refusal !== null) refuse(row.key, refusal);
      const step = leave(inFlight, row.key);
      inFlight = step.inFlight;
      command = step.next?.command ?? null;
    }
  });

  return (row, value) => {
    const accepted = rowCommandOf(row, value);
    if (!accepted.ok) refuse(row.key, accepted.reason);
    else if (accepted.value.do === 'tell') {
      if (registry.tell(row.actor, accepted.value.event) === 'absent') refuse(row.key, 'absent');
    } else {
      const step = enter(inFlight, row.key, accepted.value);
      inFlight = step.inFlight;
      if (step.next !== null) ask(row, step.next.command);
    }
  };
}
