import { createActor, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  DisplayFacts,
  DisplayReading,
  ScreenDriverCommand,
  ScreenFact,
  ScreenStoreCommand,
} from '#machines/screen/events.ts';
import { screenMachine } from '#machines/screen/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

export const display: DisplayFacts = { name: 'test', rawMax: 255, rawMin: 1, power: true };

/** A screen on a simulated clock, with a driver that only answers what the test says. */
export function start(
  first: ScreenFact | null = { type: 'display.found', display, reading: { raw: 100, powered: true }, at: 1 },
) {
  const clock = new SimulatedClock();
  const driver = fakeDriver<ScreenDriverCommand, ScreenFact>(...(first === null ? [] : [first]));
  const { commands } = driver;
  const kept: number[] = [];
  const memory: ScreenStoreCommand[] = [];
  const actor = createActor(
    screenMachine.provide({
      actors: {
        display: driver.logic,
        limits: fakeDriver().logic,
        store: fromDriver<ScreenStoreCommand, undefined, never>(({ onEvent }) =>
          onEvent((command) => {
            memory.push(command);
            if (command.type === 'level.keep') kept.push(command.level);
          }),
        ),
      },
    }),
    { clock },
  );
  actor.start();
  // Levels and raw values of the test's display are the same without a lowest brightness.
  actor.send({ type: 'screen.limits', minimumPercent: 0 });
  const writes = () => commands.filter((command) => command.type === 'display.write');
  const answer = (reading: DisplayReading, generation = writes().at(-1)?.generation ?? -1) =>
    actor.send({ type: 'display.written', generation, reading, at: 5 });
  return {
    actor,
    clock,
    commands,
    writes,
    answer,
    kept,
    memory,
    crash: driver.crash,
    facts: () => actor.getSnapshot().context,
  };
}
