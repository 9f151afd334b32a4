import { onTestFinished } from 'vitest';

import type { FeedHandlers, PanelHandlers, SleepOptions, WantedLane } from '#drivers/auto-sleep/contract.ts';
import { sleepDriver } from '#drivers/auto-sleep/sleep.ts';
import type { Place } from '#machines/auto-brightness/events.ts';
import type {
  AreaSources,
  Moment,
  ReplayFault,
  SleepCommand,
  SleepDisplay,
  SleepFact,
  SleepInput,
  SleepOutput,
  SleepRequest,
  SleepSet,
  SleepSettings,
  SourceMode,
  StoredSleep,
} from '#machines/auto-sleep/events.ts';
import { nothingStored } from '#machines/auto-sleep/stored.ts';
import { settle } from '#test/fakes/kit-clock.ts';
import { steppedClock } from '#test/fakes/sample-clock.ts';

import { runDriver } from '../run-driver.ts';

export const key = (digit: string): string => digit.repeat(64);

export const chosen: SleepSettings = {
  enabled: true,
  source: 'home_assistant',
  touchDelaySeconds: 30,
  offHours: '',
  dimHours: '',
  dimPercent: 20,
  wakeOnAnnouncement: false,
  wakeOnEntity: '',
  stayAwakeDashboard: '',
};
export const display: SleepDisplay = { id: 'screen', lit: true, level: 200, dims: true, changed: null };
export const home: Place = { latitude: 52.1, longitude: 5.2, timeZone: 'Europe/Amsterdam' };

/** An area of two sensors, by what is left out. */
export const areaOf = (excluded: readonly string[]): AreaSources => ({
  areaKey: key('e'),
  areaName: 'Hall',
  total: 2,
  sources: ['a', 'b'].map((digit) => ({
    key: key(digit),
    entityId: `binary_sensor.${digit}`,
    name: '',
    state: 'off',
    isIncluded: !excluded.includes(key(digit)),
  })),
});

interface Observed {
  readonly mode: SourceMode;
  readonly excluded: readonly string[];
  readonly handlers: FeedHandlers;
  area: AreaSources | null;
  isOver: boolean;
}

/** What the driver is given, all of it in memory, with a clock that stands until it is moved on. */
export function rig(more: { readonly stored?: StoredSleep; readonly excluded?: readonly string[] } = {}) {
  const clock = steppedClock(Date.UTC(2026, 10, 26, 12));
  const started = clock.now();
  const taken: SleepInput[] = [];
  const observed: Observed[] = [];
  const kept: StoredSleep[] = [];
  const written: (readonly string[])[] = [];
  const atEnd: SleepSet[] = [];
  const watched = { panel: [] as string[], entity: [] as string[], place: 0 };
  const handlers: { panel: PanelHandlers | null; place: (place: Place | null) => void; entity: () => void } = {
    panel: null,
    place: () => {},
    entity: () => {},
  };
  let outputs: (input: SleepInput, moment: Moment) => readonly SleepOutput[] = () => [];
  let due = Infinity;
  let isOff = false;
  let isRefused = false;
  let timers = 0;
  let recall = (): void => {};
  const lanes: { readonly lanes: readonly WantedLane[]; readonly from: number; readonly to: number }[] = [];
  let history: () => Promise<{ readonly fault: ReplayFault } | { readonly lanes: readonly [] }> = async () => ({
    lanes: [],
  });
  const options: SleepOptions = {
    model: {
      follow: () => ({
        take: (input, moment) => {
          taken.push(input);
          return outputs(input, moment);
        },
        dueIn: () => due,
      }),
      replay: ({ from, to, leaseMs }) => ({ from, to, leaseMs, lanes: [], segments: [] }),
      warmupMs: 3_600_000,
      minimumLeaseMs: 600_000,
    },
    observe: (mode, excluded, given) => {
      const one: Observed = { mode, excluded, handlers: given, area: null, isOver: false };
      observed.push(one);
      return {
        area: () => one.area,
        end: () => {
          one.isOver = true;
        },
      };
    },
    panel: (dashboard, given) => {
      watched.panel.push(dashboard);
      handlers.panel = given;
      return () => void watched.panel.push('over');
    },
    home: {
      history: (wanted, from, to) => {
        lanes.push({ lanes: wanted, from, to });
        return history();
      },
      place: (onPlace) => {
        watched.place += 1;
        handlers.place = onPlace;
        return () => {
          watched.place -= 1;
        };
      },
      entityOn: (entityId, onOn) => {
        watched.entity.push(entityId);
        handlers.entity = onOn;
        return () => void watched.entity.push('over');
      },
    },
    store: () => ({
      recall: (take) => {
        recall = () => take(more.stored ?? nothingStored);
      },
      keep: (stored) => void kept.push(stored),
      end: async () => {},
    }),
    inclusion: () => ({
      most: 256,
      recall: (take) => take({ excluded: more.excluded ?? [] }),
      write: async ({ excluded }) => {
        if (isRefused) return false;
        written.push(excluded);
        return true;
      },
      end: async () => {},
    }),
    isTurnedOff: () => isOff,
    setAtEnd: (set) => void atEnd.push(set),
    now: clock.now,
    elapsed: () => clock.now() - started,
    after: (ms, fn) => {
      timers += 1;
      const cancel = clock.after(ms, () => {
        timers -= 1;
        fn();
      });
      return () => {
        timers = 0;
        cancel();
      };
    },
  };
  const driver = runDriver<SleepCommand, SleepFact>(sleepDriver(options));
  onTestFinished(() => driver.stop());
  const current = (): Observed => {
    const one = observed.findLast(({ isOver }) => !isOver);
    if (one === undefined) throw new Error('nothing is observed');
    return one;
  };
  const answers = () => driver.facts.flatMap((fact) => (fact.type === 'sleep.answered' ? [fact] : []));
  return {
    driver,
    clock,
    taken,
    observed,
    current,
    kept,
    written,
    atEnd,
    watched,
    handlers,
    lanes,
    timers: () => timers,
    begin: (settings = chosen) => {
      recall();
      driver.tell({ type: 'sleep.settings', settings });
      driver.tell({ type: 'sleep.displays', displays: [display] });
    },
    recall: () => recall(),
    /** What the decisions answer from now on. */
    decide: (next: typeof outputs) => void (outputs = next),
    dueIn: (ms: number) => void (due = ms),
    turnOff: () => void (isOff = true),
    refuse: (isNow: boolean) => void (isRefused = isNow),
    records: (next: typeof history) => void (history = next),
    /** Asks, and gives the outcome. */
    ask: async (request: SleepRequest) => {
      driver.tell(request);
      await settle();
      return answers().findLast(({ requestId }) => requestId === request.requestId)?.outcome;
    },
    types: () => taken.map(({ type }) => type),
  };
}
