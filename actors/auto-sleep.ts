import type { EventObject } from 'xstate';

import type { InclusionStore, SleepOptions, SleepScope, SleepStore } from '#drivers/auto-sleep/contract.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SleepDisplay, SleepDriver, SleepFollowed, SleepSet, StoredSleep } from '#machines/auto-sleep/events.ts';
import { autoSleep } from '#machines/auto-sleep/index.ts';
import { autoSleepMachine } from '#machines/auto-sleep/machine.ts';
import { isSleepWanted, sleepSettingsOf } from '#machines/auto-sleep/settings.ts';
import { EXCLUDED_MAX, readInclusion, readStored, storedInclusion, storedSleep } from '#machines/auto-sleep/stored.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { type ScreenContext, type ScreenId, screenIds } from '#machines/screen/events.ts';

import { observePanel } from './auto-sleep-panel.ts';
import { observePresence, sleepHome } from './auto-sleep-source.ts';
import { followAll } from './kit/follow-all.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { storedSection } from './kit/stored-section.ts';
import { settingsFollower } from './setting-follower.ts';

/** When what the disk refused is tried once more. */
const RETRY_MS: Milliseconds = 60_000;

type Wired = 'observe' | 'panel' | 'home' | 'store' | 'inclusion' | 'isTurnedOff' | 'setAtEnd';

export interface AutoSleepDeps {
  readonly registry: Registry;
  /** True if the agent only observes: no display is switched. */
  readonly readOnly: boolean;
  /** Makes the driver (`sleepDriver` in `drivers/auto-sleep`) with what it follows and keeps here. */
  readonly sleep: (wiring: Pick<SleepOptions, Wired>) => SleepDriver;
}

const keys = [
  'auto_sleep',
  'auto_sleep_source',
  'auto_sleep_touch_delay_seconds',
  'screen_off_hours',
  'night_dim_hours',
  'night_dim_percent',
  'wake_on_announcement',
  'wake_on_entity',
  'stay_awake_dashboard',
];

type SettingsChosen = Extract<SleepFollowed, { readonly type: 'settings.chosen' }>;

/** A screen as the decisions need it; null without a display. */
function displayOf(id: ScreenId, snapshot: SnapshotView<ScreenContext> | undefined): SleepDisplay | null {
  if (snapshot === undefined || snapshot.context.display === null) return null;
  const { display, lit, wanted, brightness, lastBrightness, changed } = snapshot.context;
  // Routes are only named where there is a choice; any other display dims.
  const dims = display.routes === undefined || display.routes.brightness !== null;
  return { id, lit: wanted ?? lit, level: brightness ?? lastBrightness, dims, changed };
}

function switchDisplay({ registry, readOnly }: AutoSleepDeps, { screen, on, brightness, origin }: SleepSet): void {
  if (readOnly) return;
  registry.tell(screen, {
    type: 'screen.set',
    ...(on === undefined ? {} : { on }),
    ...(brightness === undefined ? {} : { brightness }),
    origin,
  });
}

/** Reports the displays, and switches each as was decided. */
const displays = (deps: AutoSleepDeps) =>
  fromDriver<SleepSet, undefined, Extract<SleepFollowed, { readonly type: 'displays.changed' }>>(
    ({ send, onEvent, guard }) => {
      onEvent((set) => switchDisplay(deps, set));
      return followAll(
        deps.registry,
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

/** What was learned, and what is dark by it: written at once. */
function sleepStore(registry: Registry, scope: SleepScope): SleepStore {
  const { recall, keep, write, end } = storedSection(registry, scope, {
    section: 'auto-sleep',
    parse: readStored,
    format: storedSleep,
    rateLimit: { afterMs: RETRY_MS },
  });
  let newest: StoredSleep | null = null;
  return {
    recall,
    keep: (stored) => {
      newest = stored;
      // The decisions wait a minute with what was learned: a pause here would add to that.
      void write(stored).then((fault) => (fault === null || newest === null ? undefined : keep(newest)));
    },
    end,
  };
}

/** Which sources count: the owner's choice, so that it is durable before it is confirmed. */
function inclusionStore(registry: Registry, scope: SleepScope): InclusionStore {
  const { recall, write, end } = storedSection(registry, scope, {
    section: 'auto-sleep-sources',
    parse: readInclusion,
    format: storedInclusion,
    rateLimit: 'at-once',
  });
  return { most: EXCLUDED_MAX, recall, write: async (stored) => (await write(stored)) === null, end };
}

/** When the screen sleeps and wakes. */
export function autoSleepSpec(deps: AutoSleepDeps): Part {
  const { registry, sleep } = deps;
  return part(
    autoSleep,
    autoSleepMachine.provide({
      actors: {
        sleep: sleep({
          observe: observePresence(registry),
          panel: observePanel(registry),
          home: sleepHome(registry),
          store: (scope) => sleepStore(registry, scope),
          inclusion: (scope) => inclusionStore(registry, scope),
          isTurnedOff: () => {
            const values = registry.read('settings')?.context.values;
            return values !== undefined && !isSleepWanted(values);
          },
          setAtEnd: (set) => switchDisplay(deps, set),
        }),
        displays: displays(deps),
        settings: settingsFollower<SettingsChosen & EventObject>(registry, keys, (values) => ({
          type: 'settings.chosen',
          settings: sleepSettingsOf(Object.fromEntries(values.map((value, at) => [keys[at] ?? '', value]))),
        })),
      },
    }),
  );
}
