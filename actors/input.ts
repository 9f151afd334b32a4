import type { AnyActorLogic, EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { InputEvent, SeenDisplay, WakeCommand } from '#machines/input/events.ts';
import { TOUCH_ORIGIN } from '#machines/input/events.ts';
import { inputMachine } from '#machines/input/machine.ts';
import { underWay } from '#machines/screen/decide.ts';
import type { ScreenEvent } from '#machines/screen/events.ts';
import type { ScreenMachineContext } from '#machines/screen/machine.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';

/** What the input actor is wired to. */
export interface InputDeps {
  readonly registry: Registry;
  /** The profile's input driver. */
  readonly driver: AnyActorLogic;
  /** Registry ids of the screens that a touch lights. */
  readonly displays: readonly string[];
}

const absent: SeenDisplay = { lit: null, wanted: null, changed: null };

const followScreens = (registry: Registry, displays: readonly string[]): DriverLogic<EventObject, undefined> =>
  fromDriver<EventObject, undefined, Extract<InputEvent, { type: 'screen.seen' }>>(({ send, guard }) => {
    const ends = displays.map((id) =>
      registry.follow(
        id,
        (snapshot): SeenDisplay => {
          if (snapshot === undefined) return absent;
          // Each of these ids is a screen's.
          const screen = snapshot.context as ScreenMachineContext;
          return { lit: screen.lit, wanted: underWay(screen), changed: screen.changed };
        },
        guard((display: SeenDisplay) => send({ type: 'screen.seen', id, display })),
      ),
    );
    return () => {
      for (const end of ends) end();
    };
  });

const lightScreens = (registry: Registry): DriverLogic<WakeCommand, undefined> => {
  const light: ScreenEvent = { type: 'screen.set', on: true, origin: TOUCH_ORIGIN };
  return fromDriver<WakeCommand, undefined, EventObject>(({ onEvent }) =>
    onEvent(({ displays }) => {
      for (const id of displays) registry.tell(id, light);
    }),
  );
};

/** Touch and keys: permanent; asked to stop, it ends at once. */
export const inputSpec = ({ registry, driver, displays }: InputDeps): ChildSpec => ({
  id: 'input',
  logic: inputMachine.provide({
    actors: { devices: driver, screens: followScreens(registry, displays), wake: lightScreens(registry) },
  }),
  restart: 'permanent',
  stop: { event: { type: 'input.stop' }, withinMs: 20 },
});
