import type { EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';

/** A driver in a machine's test: it does nothing but what the test says. */
export interface FakeDriver<Command extends EventObject, Fact extends EventObject> {
  readonly logic: DriverLogic<Command, undefined, Fact>;
  /** What its machine has told it, the oldest first. */
  readonly commands: Command[];
  /** How often it was started. */
  readonly starts: () => number;
  /** Crashes the one that runs. */
  readonly crash: () => void;
}

/** Makes one that reports the first facts at each start. */
export function fakeDriver<Command extends EventObject = EventObject, Fact extends EventObject = never>(
  ...first: readonly Fact[]
): FakeDriver<Command, Fact> {
  const commands: Command[] = [];
  let starts = 0;
  let crash = (): void => {};
  const logic = fromDriver<Command, undefined, Fact>(({ send, onEvent, guard }) => {
    starts += 1;
    crash = guard(() => {
      throw new Error('broken');
    });
    onEvent((command) => void commands.push(command));
    for (const fact of first) send(fact);
  });
  return { logic, commands, starts: () => starts, crash: () => crash() };
}
