import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { AnyActor } from '#machines/actors.ts';
import type { EntityRow, RowCommand } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { type CommandValue, joinCommands, rowCommandOf } from '#machines/publisher/command.ts';
import { arrive, calm, FLOOD_PAUSE_MS, type Flow, paused, turned } from '#machines/publisher/flood.ts';
import { enter, type InFlight, leave } from '#machines/publisher/in-flight.ts';

import type { Registry } from '../kit/registry.ts';

/** Longest wait for an actor that is asked to carry out a command. */
const ANSWER_MS: Milliseconds = 8000;

type Row = EntityRow<AnyActor>;
type Told = Extract<RowCommand<AnyActor>, { readonly do: 'tell' }>;
type Asked = Extract<RowCommand<AnyActor>, { readonly do: 'ask' }>;

/** What the commands are carried out with. */
export interface CommandDeps {
  readonly registry: Pick<Registry, 'ask' | 'tell'>;
  readonly scope: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>;
  /** Hears of each command that was not carried out, with a stable reason. */
  readonly refuse: (key: string, reason: string) => void;
}

/**
 * Carries out commands for entities. Where the actor answers, one is under way at a time and the newest waits behind
 * it; where it is only told, they go on as they come, and beyond the bound of a flood the newest wins.
 */
export const commandRunner = ({ registry, scope, refuse }: CommandDeps) => {
  const { guard, signal } = scope;
  const flows = new Map<string, Flow<CommandValue>>();
  let inFlight: InFlight<Asked> = {};

  const ask = async (row: Row, first: Asked): Promise<void> => {
    for (let command: Asked | null = first; command !== null;) {
      const asked = await registry.ask(row.actor, command.event, ANSWER_MS);
      if (signal.aborted) return;
      const refusal = asked.ok ? command.answered(asked.value) : asked.reason;
      if (refusal !== null) refuse(row.key, refusal);
      const step = leave(inFlight, row.key);
      inFlight = step.inFlight;
      command = step.next?.command ?? null;
    }
  };
  const startAsking = guard(ask);
  const tell = (row: Row, command: Told): void => {
    if (registry.tell(row.actor, command.event) === 'absent') refuse(row.key, 'absent');
  };
  const flowOf = (row: Row): Flow<CommandValue> => flows.get(row.key) ?? calm;
  // Once the driver has ended, its guard lets nothing through.
  const countAnew = guard((row: Row) => void flows.set(row.key, turned(flowOf(row))));
  const endPause = guard((row: Row) => {
    const step = paused(flowOf(row));
    flows.set(row.key, step.flow);
    if (step.flow.flooded) setTimeout(endPause, FLOOD_PAUSE_MS, row);
    if (step.next !== null) run(row, step.next.command, tell);
  });
  /** Refuses what the row does not take, and hands on the rest; a row is told or asked, never the one and the other. */
  const run = (row: Row, value: CommandValue, told: (row: Row, command: Told) => void): void => {
    const accepted = rowCommandOf(row, value);
    if (!accepted.ok) refuse(row.key, accepted.reason);
    else if (accepted.value.do === 'tell') told(row, accepted.value);
    else {
      const step = enter(inFlight, row.key, accepted.value);
      inFlight = step.inFlight;
      if (step.next !== null) startAsking(row, step.next.command);
    }
  };
  return (row: Row, value: CommandValue): void =>
    run(row, value, (_, command) => {
      const before = flowOf(row);
      const step = arrive(before, value, joinCommands);
      flows.set(row.key, step.flow);
      if (step.next !== null) tell(row, command);
      if (before.flooded) return;
      if (step.flow.flooded) setTimeout(endPause, FLOOD_PAUSE_MS, row);
      else if (before.count === 0) setImmediate(countAnew, row);
    });
};
