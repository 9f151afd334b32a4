import type { EventObject } from 'xstate';

import type { RoomOptions, RoomScope, RoomStore } from '#drivers/auto-brightness/contract.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AdjustCommand, DisplayView, RoomDriver, RoomFollowed } from '#machines/auto-brightness/events.ts';
import { autoBrightness } from '#machines/auto-brightness/index.ts';
import { autoBrightnessMachine } from '#machines/auto-brightness/machine.ts';
import { readStored, storedRoom } from '#machines/auto-brightness/stored.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import { type ScreenContext, type ScreenId, screenIds } from '#machines/screen/events.ts';
import type { SettingValue } from '#machines/settings/events.ts';

import { homeLookups, observeSource } from './auto-brightness-source.ts';
import { followAll } from './kit/follow-all.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { storedSection } from './kit/stored-section.ts';
import { settingsFollower } from './setting-follower.ts';

type Wired = 'observe' | 'home' | 'store' | 'isTurnedOff';

export interface AutoBrightnessDeps {
  readonly registry: Registry;
  /** True if the agent only observes: no display gets a level. */
  readonly readOnly: boolean;
  /** Makes the driver (`roomDriver` in `drivers/auto-brightness`) with what it follows and keeps here. */
  readonly room: (wiring: Pick<RoomOptions<never>, Wired>) => RoomDriver;
}

const keys = [
  'auto_brightness_minimum_percent',
  'auto_brightness_maximum_percent',
  'auto_brightness_response_percent',
  'auto_brightness_ha_entity',
];

type SettingsChosen = Extract<RoomFollowed, { readonly type: 'settings.chosen' }>;

const settingsChosen = ([minimum, maximum, response, entity]: readonly SettingValue[]): SettingsChosen => ({
  type: 'settings.chosen',
  settings: {
    minimumPercent: Number(minimum),
    maximumPercent: Number(maximum),
    responsePercent: Number(response),
  },
  entityId: String(entity),
});

/** A screen as the decisions need it; null without a display, or while its state is unknown. */
function displayOf(id: ScreenId, snapshot: SnapshotView<ScreenContext> | undefined): DisplayView | null {
  if (snapshot === undefined || snapshot.context.display === null) return null;
  const { display, lit, wanted, brightness, lastBrightness, changed } = snapshot.context;
  // Routes are only named where there is a choice; any other display dims.
  const route = display.routes === undefined ? 'display' : display.routes.brightness;
  return { id, route, lit: wanted ?? lit, level: brightness ?? lastBrightness, changed };
}

/** Reports the displays, and gives each the level that was decided. */
const displays = ({ registry, readOnly }: AutoBrightnessDeps) =>
  fromDriver<AdjustCommand, undefined, Extract<RoomFollowed, { readonly type: 'displays.changed' }>>(
    ({ send, onEvent, guard }) => {
      onEvent(({ screen, level }) => {
        if (!readOnly) registry.tell(screen, { type: 'screen.adjust', level, origin: 'auto-brightness' });
      });
      return followAll(
        registry,
        {
          screen: (snapshot) => displayOf('screen', snapshot),
          screen_2: (snapshot) => displayOf('screen_2', snapshot),
          screen_3: (snapshot) => displayOf('screen_3', snapshot),
          screen_4: (snapshot) => displayOf('screen_4', snapshot),
        },
        guard((views) => send({ type: 'displays.changed', displays: screenIds.flatMap((id) => views[id] ?? []) })),
      );
    },
  );

/** Reports night's level; none while the screen's hours are off, or absent. */
const ceiling = (registry: Registry) =>
  fromDriver<EventObject, undefined, Extract<RoomFollowed, { readonly type: 'ceiling.changed' }>>(({ send }) =>
    registry.follow(
      'auto-sleep',
      (snapshot) => snapshot?.context.ceiling ?? null,
      (level) => send({ type: 'ceiling.changed', level }),
    ),
  );

/** Keeps preference and place in the stored section; both change seldom, and what is kept has settled already. */
function roomStore(registry: Registry, scope: RoomScope): RoomStore {
  const { recall, keep, write, end } = storedSection(registry, scope, {
    section: 'auto-brightness',
    parse: readStored,
    format: storedRoom,
    rateLimit: 'at-once',
  });
  // Once the driver has ended, only an explicit write is still made; `end` waits for it.
  return { recall, keep: (stored) => void (scope.signal.aborted ? write(stored) : keep(stored)), end };
}

/** The brightness that follows the light of the room. */
export function autoBrightnessSpec(deps: AutoBrightnessDeps): Part {
  const { registry, room } = deps;
  return part(
    autoBrightness,
    autoBrightnessMachine.provide({
      actors: {
        room: room({
          observe: observeSource(registry),
          home: homeLookups(registry),
          store: (scope) => roomStore(registry, scope),
          isTurnedOff: () => registry.read('settings')?.context.values['auto_brightness'] === false,
        }),
        displays: displays(deps),
        ceiling: ceiling(registry),
        settings: settingsFollower<SettingsChosen & EventObject>(registry, keys, settingsChosen),
      },
    }),
  );
}
