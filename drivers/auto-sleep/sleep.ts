import { fromDriver } from '#drivers/kit/from-driver.ts';
import { byTimer } from '#drivers/kit/rounds.ts';
import type { Place } from '#machines/auto-brightness/events.ts';
import type {
  Moment,
  SleepCommand,
  SleepDisplay,
  SleepDriver,
  SleepFact,
  SleepInput,
  SleepOutput,
  SleepRequest,
  SleepSettings,
  StoredSleep,
} from '#machines/auto-sleep/events.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import type { SleepOptions } from './contract.ts';
import { endingSets, nothingWanted } from './ending.ts';
import { replays, type Replayed } from './replays.ts';
import { sources } from './sources.ts';
import { switched } from './switched.ts';
import { wallClock } from './wall-clock.ts';

const HOUR_MS: Milliseconds = 3_600_000;

type Answer = Extract<SleepFact, { readonly type: 'sleep.answered' }>['outcome'];

const unread: StoredSleep = { learned: null, darkened: {}, isSuppressed: false, place: null };

const isSamePlace = (one: Place | null, other: Place): boolean =>
  one?.latitude === other.latitude && one.longitude === other.longitude && one.timeZone === other.timeZone;

/** Watches for people, runs the decisions it was given with one timer, and keeps what they learn. */
export const sleepDriver = (options: SleepOptions): SleepDriver =>
  fromDriver<SleepCommand, undefined, SleepFact>(({ send, onEvent, guard, signal }) => {
    const { model, home, panel, now, elapsed, after = byTimer } = options;
    const follow = model.follow();
    const store = options.store({ guard, signal });
    const inclusion = options.inclusion({ guard, signal });
    let settings: SleepSettings | null = null;
    let displays: readonly SleepDisplay[] | null = null;
    let stored = unread;
    /** Of two sections; nothing is decided before both were read. */
    let isRecalled = false;
    let leaseMs: Milliseconds | null = null;
    let cancelTimer = (): void => {};
    let endPlace = (): void => {};
    const queue: SleepOutput[] = [];
    let isCarrying = false;

    const moment = (): Moment => ({ now: now(), elapsed: elapsed() });
    const clock = wallClock();

    function carry(output: SleepOutput): void {
      switch (output.type) {
        case 'sleep.decided': {
          const { view } = output;
          ({ leaseMs } = view);
          send({ ...output, offHoursClock: clock(view.offHours.changesAt, stored.place) });
          return;
        }
        case 'sleep.set':
          send(output);
          return;
        case 'keep':
          ({ stored } = output);
          store.keep(stored);
      }
    }
    // What one output leads to may be an input already: the rest of its outputs comes first.
    function carryAll(outputs: readonly SleepOutput[]): void {
      queue.push(...outputs);
      if (isCarrying) return;
      isCarrying = true;
      for (let output = queue.shift(); output !== undefined; output = queue.shift()) carry(output);
      isCarrying = false;
    }
    function take(input: SleepInput): void {
      carryAll(follow.take(input, moment()));
      plan();
    }
    function plan(): void {
      cancelTimer();
      cancelTimer = (): void => {};
      const due = follow.dueIn(moment());
      if (signal.aborted || due === Infinity) return;
      cancelTimer = after(
        Math.max(0, due),
        guard(() => take({ type: 'tick' })),
      );
    }

    const watched = sources(
      { guard, signal },
      {
        observe: options.observe,
        store: inclusion,
        onFeed: (feed, position, partition) => take({ type: 'feed', feed, position, partition }),
        onDiscovered: (count) => send({ type: 'sources.discovered', count }),
        onApproached: () => take({ type: 'approached' }),
        onChosen: () => replayed.forget(),
      },
    );

    const entity = switched((entityId: string) =>
      home.entityOn(
        entityId,
        guard(() => take({ type: 'entity.on' })),
      ),
    );
    const dashboard = switched((path: string) =>
      panel(path, {
        onTouched: guard((isWave) => take({ type: 'touched', isWave })),
        onHolds: guard((holds) => take({ type: 'holds', holds })),
        onBrightness: guard((isAutomatic) => take({ type: 'brightness', isAutomatic })),
      }),
    );

    function choose(chosen: SleepSettings): void {
      settings = chosen;
      if (!isRecalled) return;
      take({ type: 'settings', settings });
      dashboard.follow(settings.stayAwakeDashboard);
      entity.follow(settings.wakeOnEntity === '' ? null : settings.wakeOnEntity);
      watched.follow(settings);
    }
    function show(shown: readonly SleepDisplay[]): void {
      displays = shown;
      if (isRecalled) take({ type: 'displays', displays });
    }
    /** The last known place counts while Home Assistant does not name one. */
    function takePlace(place: Place | null): void {
      if (place !== null && !isSamePlace(stored.place, place)) take({ type: 'place', place });
    }
    function begin(): void {
      isRecalled = true;
      take({ type: 'recalled', stored });
      if (displays !== null) show(displays);
      if (settings !== null) choose(settings);
      endPlace = home.place(guard(takePlace));
    }

    async function replay(hours: number): Promise<Replayed> {
      if (settings?.enabled !== true) return { fault: 'runtime_unavailable' };
      if (settings.source !== 'home_assistant') return { fault: 'local_history_unavailable' };
      const wanted = watched.area()?.sources.filter(({ isIncluded }) => isIncluded) ?? [];
      if (wanted.length === 0) return { fault: 'history_unavailable' };
      const [mine, to] = [watched.generation(), now()];
      const from: EpochMs = to - hours * HOUR_MS;
      const lanes = wanted.map(({ key, entityId }) => ({ key, entityId }));
      const read = await home.history(lanes, from - model.warmupMs, to);
      if (mine !== watched.generation()) return { fault: 'sources_changed' };
      if ('fault' in read) return read;
      return { settled: model.replay({ lanes: read.lanes, from, to, leaseMs: leaseMs ?? model.minimumLeaseMs }) };
    }
    const replayed = replays(replay, elapsed);

    async function answer(request: SleepRequest): Promise<void> {
      const { requestId } = request;
      const outcome = await outcomeOf(request);
      send({ type: 'sleep.answered', requestId, outcome });
    }
    async function outcomeOf(request: SleepRequest): Promise<Answer> {
      switch (request.type) {
        case 'auto-sleep.sources': {
          const area = watched.area();
          return area === null ? refuse('no-sources', 'No presence sensors are known now.') : ok(area);
        }
        case 'auto-sleep.include':
          return watched.include(request);
        case 'auto-sleep.replay':
          return ok(await replayed.of(request.hours));
      }
    }

    onEvent((command) => {
      if (command.type === 'sleep.settings') return choose(command.settings);
      if (command.type === 'sleep.displays') return show(command.displays);
      return answer(command);
    });
    store.recall((found) => {
      stored = found;
      inclusion.recall(({ excluded }) => {
        watched.leaveOut(excluded);
        begin();
      });
    });

    return async () => {
      cancelTimer();
      endPlace();
      entity.follow(null);
      dashboard.follow(null);
      watched.end();
      if (isRecalled) finish();
      await Promise.all([store.end(), inclusion.end()]);
    };

    /** The parent gets no facts any more: what the end switches goes to the displays directly. */
    function finish(): void {
      const isOff = options.isTurnedOff();
      const off: readonly SleepInput[] =
        isOff && settings !== null ? [{ type: 'settings', settings: nothingWanted(settings) }] : [];
      const outputs = [...off, { type: 'stop' } as const].flatMap((input) => follow.take(input, moment()));
      const kept = outputs.findLast((output) => output.type === 'keep')?.stored;
      const last = kept ?? stored;
      const sets = outputs.filter((output) => output.type === 'sleep.set');
      for (const set of isOff ? endingSets(sets, last, displays ?? []) : sets) options.setAtEnd(set);
      const { learned, place } = last;
      const isHeld = last.isSuppressed || Object.keys({ ...last.darkened, ...last.dimmed }).length > 0;
      if (isOff && isHeld) store.keep({ ...unread, learned, place });
      else if (kept !== undefined) store.keep(kept);
    }
  });
