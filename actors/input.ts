import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { isSameToTouch } from '#machines/input/decide.ts';
import type { InputDriver, ObservedDisplay, ObservedFact, WakeCommand } from '#machines/input/events.ts';
import { input } from '#machines/input/index.ts';
import { TOUCH_ORIGIN } from '#machines/input/events.ts';
import { inputMachine } from '#machines/input/machine.ts';
import type { ScreenActor, ScreenId } from '#machines/screen/events.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

export interface InputDeps {
  readonly registry: Registry;
  readonly driver: InputDriver;
  /** Registry ids of the screens that a touch lights. */
  readonly displays: readonly ScreenId[];
}

const absent: ObservedDisplay = { lit: null, wanted: null, changed: null };

const followScreens = (registry: Registry, displays: readonly ScreenId[]) =>
  fromDriver<EventObject, undefined, ObservedFact>(({ send, guard }) => {
    const ends = displays.map((id) =>
      registry.follow(
        id,
        (snapshot): ObservedDisplay => {
          if (snapshot === undefined) return absent;
          const screen = snapshot.context;
          return { lit: screen.lit, wanted: screen.wanted, changed: screen.changed };
        },
        guard((display: ObservedDisplay) => send({ type: 'screen.observed', id, display })),
        isSameToTouch,
      ),
    );
    return () => {
      for (const end of ends) end();
    };
  });

function lightScreens(registry: Registry, known: readonly ScreenId[]) {
  const light: ScreenActor['event'] = { type: 'screen.set', on: true, origin: TOUCH_ORIGIN };
  return fromDriver<WakeCommand, undefined, never>(({ onEvent }) =>
    onEvent(({ displays }) => {
      for (const id of known) if (displays.includes(id)) registry.tell(id, light);
    }),
  );
}

export const inputSpec = ({ registry, driver, displays }: InputDeps): Part =>
  part(
    input,
    inputMachine.provide({
      actors: { devices: driver, screens: followScreens(registry, displays), wake: lightScreens(registry, displays) },
    }),
  );
