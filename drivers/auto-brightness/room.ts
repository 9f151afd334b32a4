import { fromDriver } from '#drivers/kit/from-driver.ts';
import { byTimer } from '#drivers/kit/rounds.ts';
import type {
  BrightnessSettings,
  ChartOutcome,
  ForgetOutcome,
  LightMinute,
  LightSource,
  ManualPreference,
  Moment,
  Place,
  Preview,
  RoomCommand,
  RoomDriver,
  RoomFact,
  RoomInputOf,
  RoomOutput,
  Unavailable,
} from '#machines/auto-brightness/events.ts';
import type { RecordedLight } from '#machines/home-assistant/events.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { RoomOptions } from './contract.ts';
import { lightHistory } from './light-history.ts';
import { lookup } from './lookup.ts';
import { pump } from './pump.ts';

/** How often complete minutes are written. With the minutes under way, at most ten are lost when the power fails. */
const FLUSH_MS: Milliseconds = 480_000;
/** How often it is read where the house is. */
const PLACE_MS: Milliseconds = 86_400_000;
const MINUTE_MS: Milliseconds = 60_000;

const isSamePlace = (one: Place | null, other: Place): boolean =>
  one?.latitude === other.latitude && one.longitude === other.longitude && one.timeZone === other.timeZone;

/**
 * Watches the light of the room: runs the decisions it was given with one timer, computes what they ask for in slices,
 * and keeps minutes, preference and place.
 */
export const roomDriver = <F>(options: RoomOptions<F>): RoomDriver =>
  fromDriver<RoomCommand, undefined, RoomFact>(({ send, onEvent, guard, signal }) => {
    const { model, observe, files, home, now, elapsed, after = byTimer } = options;
    const follow = model.follow();
    const history = lightHistory(files);
    const store = options.store({ guard, signal });
    let settings: BrightnessSettings | null = null;
    let source: LightSource | null = null;
    let why: Unavailable | null = null;
    /** Undefined until the stored section was read. */
    let place: Place | null | undefined;
    let origin: string | null = null;
    let preference: ManualPreference | null = null;
    let revision = 0;
    let stopObserving = (): void => {};
    let cancelTimer = (): void => {};
    let flushAt = elapsed() + FLUSH_MS;
    let fit: { readonly revision: number; readonly value: F } | null = null;
    let fitTurn = 0;
    let isDrawing = false;
    const queue: RoomOutput[] = [];
    let isCarrying = false;

    const moment = (): Moment => ({ now: now(), elapsed: elapsed() });
    const keep = (): void => store.keep({ preference, place: place ?? null });

    async function learn({ minutes, place: at, at: madeAt, revision: mine }: FitRequest): Promise<void> {
      fitTurn += 1;
      const turn = fitTurn;
      const value = await pump(model.fit(minutes, at, madeAt), () => signal.aborted || turn !== fitTurn);
      if (value === null) return;
      fit = { revision: mine, value };
      take({ type: 'learned', fit: value, revision: mine });
    }
    const carry = (output: RoomOutput): void => {
      switch (output.type) {
        case 'room.decided':
        case 'room.adjust':
          send(output);
          return;
        case 'keep.preference':
          preference = output.preference;
          keep();
          return;
        case 'keep.minutes':
          history.add(output.minutes);
          return;
        case 'want.fit':
          guard(learn)(output);
      }
    };
    // What one output leads to may be an input already: the rest of its outputs comes first.
    const carryAll = (outputs: readonly RoomOutput[]): void => {
      queue.push(...outputs);
      if (isCarrying) return;
      isCarrying = true;
      for (let output = queue.shift(); output !== undefined; output = queue.shift()) carry(output);
      isCarrying = false;
    };
    const take = (input: RoomInputOf<F>): void => {
      carryAll(follow.take(input, moment()));
      plan();
    };
    const flush = async (): Promise<void> => {
      flushAt = elapsed() + FLUSH_MS;
      const fault = await history.flush();
      if (!signal.aborted) take({ type: 'kept', fault });
    };

    const placeLookup = lookup(() => (origin === null ? Promise.resolve(null) : home.place()), takePlace);
    const seedLookup = lookup(
      async () => (source?.kind === 'home_assistant' ? home.light(source.entityId) : null),
      seed,
    );

    function wake(): void {
      const configured = home.origin();
      if (configured !== origin) {
        origin = configured;
        placeLookup.wantAt(origin === null ? Infinity : elapsed());
      }
      take({ type: 'tick' });
      if (elapsed() >= flushAt) guard(flush)();
      for (const due of [placeLookup, seedLookup])
        guard(async () => {
          await due.run(elapsed);
          plan();
        })();
    }
    const plan = (): void => {
      cancelTimer();
      if (signal.aborted) return;
      const dueAt = Math.min(flushAt, placeLookup.dueAt(), seedLookup.dueAt());
      cancelTimer = after(Math.max(0, Math.min(follow.dueIn(moment()), dueAt - elapsed())), guard(wake));
    };

    /** The minutes that are over and known, for the files of a place that has just become known. */
    const measured = (): readonly LightMinute[] => {
      const current = Math.floor(now() / MINUTE_MS);
      return follow.minutes(moment()).filter(({ minute }) => minute < current);
    };
    /**
     * Reads what is kept of the current source and place, and keeps `carried` there as well; without anything, the
     * records of Home Assistant serve.
     */
    async function readKept(carried: readonly LightMinute[] = []): Promise<void> {
      if (source === null || place === undefined) return;
      const mine = revision;
      const minutes = await history.open({ source, origin: source.kind === 'panel' ? null : home.origin(), place });
      if (signal.aborted || mine !== revision) return;
      const known = new Set(minutes.map(({ minute }) => minute));
      history.add(carried.filter(({ minute }) => !known.has(minute)));
      take({ type: 'minutes', minutes, revision: mine });
      if (minutes.length === 0 && carried.length === 0 && source.kind === 'home_assistant')
        seedLookup.wantAt(elapsed());
      plan();
    }
    function seed(light: readonly RecordedLight[]): void {
      // The current minute and those after it are measured here.
      const current = Math.floor(now() / MINUTE_MS);
      const minutes = light.flatMap((row) => model.recorded(row)).filter(({ minute }) => minute < current);
      history.add(minutes);
      take({ type: 'minutes', minutes, revision });
      guard(flush)();
    }
    function takePlace(found: Place): void {
      placeLookup.wantAt(elapsed() + PLACE_MS);
      if (place === undefined || isSamePlace(place, found)) return;
      const isMove = place !== null;
      place = found;
      keep();
      if (isMove) {
        revision += 1;
        seedLookup.cancel();
        take({ type: 'place', place, revision });
        guard(readKept)();
      } else {
        take({ type: 'place', place });
        guard(readKept)(measured());
      }
    }

    function switchTo(next: LightSource): void {
      stopObserving();
      source = next;
      why = 'starting';
      revision += 1;
      seedLookup.cancel();
      take({ type: 'source', kind: next.kind, revision });
      guard(readKept)();
      const isCurrent = (): boolean => source === next;
      stopObserving = observe(next, {
        onSample: guard((lux) => {
          if (!isCurrent()) return;
          why = null;
          take({ type: 'sample', lux });
        }),
        onSilent: guard((reason) => {
          if (!isCurrent()) return;
          why = reason;
          take({ type: 'silent', why: reason });
        }),
        onChanged: guard(() => {
          if (!isCurrent()) return;
          placeLookup.wantAt(elapsed());
          switchTo({ ...next });
        }),
      });
    }
    /** The source is opened once the settings are known and the place was recalled. */
    const begin = (entityId: string): void => {
      if (place === undefined) return;
      const next: LightSource = entityId === '' ? { kind: 'panel' } : { kind: 'home_assistant', entityId };
      const isSame =
        source?.kind === next.kind &&
        (next.kind === 'panel' || (source.kind !== 'panel' && source.entityId === entityId));
      if (!isSame) switchTo(next);
    };

    async function forget(requestId: string): Promise<void> {
      const answer = (outcome: ForgetOutcome): void => send({ type: 'room.forgotten', requestId, outcome });
      if (source === null || why === 'no-source') {
        answer(refuse('no-source', 'There is no light sensor, so nothing was learned.'));
        return;
      }
      const mine = revision;
      const fault = await history.forget();
      if (mine === revision && fault === null) {
        fit = null;
        fitTurn += 1;
        seedLookup.cancel();
        take({ type: 'forget' });
      }
      answer(fault === null ? ok(null) : refuse('not-kept', 'The disk refused to delete what was learned.'));
    }
    async function drawn(hours: number, preview: Preview): Promise<ChartOutcome> {
      const noSource = refuse('no-source', 'There is no light sensor, so there is nothing to draw.');
      if (settings === null || source === null || why === 'no-source') return noSource;
      const at = place ?? null;
      const input = { minutes: follow.minutes(moment()), place: at, now: now(), sourceRevision: revision };
      const isOver = (): boolean => signal.aborted;
      const known = fit?.revision === revision ? fit.value : null;
      const learned = known ?? (await pump(model.fit(input.minutes, at, input.now), isOver));
      if (learned === null) return noSource;
      const work = model.chart({ ...input, fit: learned, hours, settings: { ...settings, ...preview } });
      const chart = await pump(work, isOver);
      return chart === null ? noSource : ok(chart);
    }
    async function draw(requestId: string, hours: number, preview: Preview): Promise<void> {
      if (isDrawing) {
        const outcome = refuse('busy', 'Another chart is being drawn. Try again in a second.');
        send({ type: 'room.drawn', requestId, outcome });
        return;
      }
      isDrawing = true;
      const outcome = await drawn(hours, preview).finally(() => {
        isDrawing = false;
      });
      send({ type: 'room.drawn', requestId, outcome });
    }

    let entityId: string | null = null;
    onEvent((command) => {
      switch (command.type) {
        case 'room.settings':
          ({ settings, entityId } = command);
          take({ type: 'settings', settings });
          begin(entityId);
          return undefined;
        case 'room.displays':
          take({ type: 'displays', displays: command.displays });
          return undefined;
        case 'room.ceiling':
          take({ type: 'ceiling', level: command.level });
          return undefined;
        case 'room.resume':
          take({ type: 'resume' });
          return undefined;
        case 'room.forget':
          return forget(command.requestId);
        case 'room.chart':
          return draw(command.requestId, command.hours, command.preview);
      }
    });
    store.recall((stored) => {
      ({ place } = stored);
      ({ preference } = stored);
      origin = home.origin();
      placeLookup.wantAt(origin === null ? Infinity : elapsed());
      take({ type: 'place', place });
      take({ type: 'recalled', preference });
      if (entityId !== null) begin(entityId);
    });

    return async () => {
      cancelTimer();
      stopObserving();
      carryAll(follow.take({ type: 'stop' }, moment()));
      if (options.isTurnedOff() && preference !== null) {
        preference = null;
        keep();
      }
      await Promise.all([history.flush(), store.end()]);
    };
  });

type FitRequest = Extract<RoomOutput, { readonly type: 'want.fit' }>;
