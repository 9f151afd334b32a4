import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { AnyActor } from '#machines/actors.ts';
import type { EntityRow } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { type CommandValue, joinCommands, rowCommandOf } from '#machines/publisher/command.ts';
import { enter, type InFlight, leave } from '#machines/publisher/in-flight.ts';

import type { Registry } from '../kit/registry.ts';

/** Longest wait for an actor that is asked to carry out a command. */
const ANSWER_MS: Milliseconds = 8000;
/**
 * Pause after a command that had to wait: twenty a second are more than anybody sees on a panel, and a flood of them
 * leaves the agent time for everything else.
 */
const FLOOD_PAUSE_MS: Milliseconds = 50;

type Row = EntityRow<AnyActor>;

const pause = (ms: Milliseconds): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Carries out commands, one at a time for each entity; those that come faster than they are carried out are joined, the
 * newest wins. `refuse` hears of each that was not carried out, with a stable reason.
 */
export const commandRunner = (
  registry: Registry,
  { guard, signal }: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>,
  refuse: (key: string, reason: string) => void,
): ((row: Row, value: CommandValue) => void) => {
  let inFlight: InFlight<CommandValue> = {};

  const carryOut = async (row: Row, value: CommandValue, hadToWait: boolean): Promise<string | null> => {
    // A command that is only told counts as carried out once the event loop has turned: what comes before came faster.
    const carriedOut = (): Promise<void> => (hadToWait ? pause(FLOOD_PAUSE_MS) : turnOfLoop());
    const accepted = rowCommandOf(row, value);
    if (!accepted.ok) {
      await carriedOut();
      return accepted.reason;
    }
    const command = accepted.value;
    if (command.do === 'ask') {
      const asked = await registry.ask(row.actor, command.event, ANSWER_MS);
      return asked.ok ? command.answered(asked.value) : asked.reason;
    }
    const outcome = registry.tell(row.actor, command.event);
    await carriedOut();
    return outcome === 'absent' ? 'absent' : null;
  };
  const run = async (row: Row, value: CommandValue, hadToWait: boolean): Promise<void> => {
    const refusal = await carryOut(row, value, hadToWait);
    if (signal.aborted) return;
    if (refusal !== null) refuse(row.key, refusal);
    const step = leave(inFlight, row.key);
    inFlight = step.inFlight;
    if (step.next !== null) await run(row, step.next.command, true);
  };
  const start = guard(run);
  return (row, value) => {
    const step = enter(inFlight, row.key, value, joinCommands);
    inFlight = step.inFlight;
    if (step.next !== null) start(row, step.next.command, false);
  };
};
