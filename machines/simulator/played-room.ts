import type {
  BrightnessSettings,
  DisplayView,
  Level,
  LightMinute,
  Moment,
  Place,
  RoomInputOf,
  RoomOutput,
  RoomView,
} from '../auto-brightness/events.ts';
import { LEVEL_MAX } from '../kit/level.ts';
import { sunAt } from '../kit/sun.ts';
import { clamp, type EpochMs, type Milliseconds } from '../kit/units.ts';
import { LIGHT_STEP_MS, type RoomLight, roomLight } from './room-light.ts';

/** Where the generated room is: its days are those of UTC. */
const ROOM_PLACE: Place = { latitude: 50, longitude: 0, timeZone: 'UTC' };

const MINUTE_MS: Milliseconds = 60_000;
const DAY_MINUTES = 1_440;
export const DAY_MS: Milliseconds = DAY_MINUTES * MINUTE_MS;

/** How far a hand turns the level. */
const HAND_LEVELS = 64;

/** The functions that decide on a real panel; `F` is what was learned. */
export interface RoomModel<F> {
  readonly follow: () => {
    readonly take: (input: RoomInputOf<F>, moment: Moment) => readonly RoomOutput[];
    readonly dueIn: (moment: Moment) => Milliseconds;
  };
  readonly fit: (minutes: readonly LightMinute[], place: Place | null, now: EpochMs) => Generator<void, F>;
}

/** A step of the generated light, and what was decided by then. */
export interface PlayedStep {
  readonly light: RoomLight;
  /** Null before the first decision. */
  readonly view: RoomView | null;
}

/** The light of the generated room, day after day from a midnight on. */
export const lightOf = (seed: number, startAt: EpochMs, days: number): Generator<RoomLight> =>
  roomLight({
    seed,
    startAt,
    days,
    elevationAt: (at) => sunAt(at, ROOM_PLACE).elevation,
    minuteOfDayAt: (at) => Math.floor(at / MINUTE_MS) % DAY_MINUTES,
  });

/** One row a minute, as a panel keeps them; all of it counts toward the baseline. */
export class MinuteRows {
  readonly rows: LightMinute[] = [];
  #row: LightMinute | null = null;

  add({ at, lux }: RoomLight): void {
    const minute = Math.floor(at / MINUTE_MS);
    if (this.#row !== null && this.#row.minute !== minute) {
      this.rows.push(this.#row);
      this.#row = null;
    }
    const before = this.#row;
    this.#row = {
      minute,
      luxMs: (before?.luxMs ?? 0) + lux * LIGHT_STEP_MS,
      coveredMs: (before?.coveredMs ?? 0) + LIGHT_STEP_MS,
      min: Math.min(before?.min ?? lux, lux),
      max: Math.max(before?.max ?? lux, lux),
      last: lux,
      samples: (before?.samples ?? 0) + 1,
      baselineLogMs: (before?.baselineLogMs ?? 0) + Math.log1p(lux) * LIGHT_STEP_MS,
      baselineMs: (before?.baselineMs ?? 0) + LIGHT_STEP_MS,
    };
  }
}

/**
 * Plays light to the functions of a real panel, which has one display that obeys. Its clock is the light's. Yields each
 * step, and null between two slices of a fit, so that the caller may pause.
 */
export function* playRoom<F>(
  model: RoomModel<F>,
  options: {
    readonly light: Iterable<RoomLight>;
    readonly settings: BrightnessSettings;
    /** What was measured before, sorted. */
    readonly minutes: readonly LightMinute[];
    /** Learns at most this often. */
    readonly fitEveryMs: Milliseconds;
  },
): Generator<PlayedStep | null> {
  const { settings, minutes, fitEveryMs } = options;
  const { take, dueIn } = model.follow();
  let display: DisplayView = { id: 'screen', route: 'display', lit: true, level: 128, changed: null };
  let view: RoomView | null = null;
  let wanted: Extract<RoomOutput, { readonly type: 'want.fit' }> | null = null;
  let fitAt = -Infinity;
  const give = (input: RoomInputOf<F>, at: EpochMs): void => {
    for (const output of take(input, { now: at, elapsed: at })) {
      if (output.type === 'room.decided') ({ view } = output);
      if (output.type === 'want.fit') wanted = output;
      if (output.type === 'room.adjust') set(output.level, 'auto-brightness', at);
    }
  };
  function set(level: Level, by: string, at: EpochMs): void {
    display = { ...display, level, changed: { by, at } };
    give({ type: 'displays', displays: [display] }, at);
  }
  let before: EpochMs | null = null;
  for (const light of options.light) {
    const { at, lux, hand } = light;
    if (before === null) {
      give({ type: 'settings', settings }, at);
      give({ type: 'displays', displays: [display] }, at);
      give({ type: 'place', place: ROOM_PLACE }, at);
      give({ type: 'source', kind: 'panel', revision: 1 }, at);
      if (minutes.length > 0) give({ type: 'minutes', minutes }, at);
    }
    for (let now = before ?? at; ;) {
      now += Math.max(1, Math.ceil(dueIn({ now, elapsed: now })));
      if (now >= at) break;
      give({ type: 'tick' }, now);
    }
    before = at;
    give({ type: 'sample', lux }, at);
    if (hand !== null) set(clamp(display.level + (hand === 'up' ? 1 : -1) * HAND_LEVELS, 1, LEVEL_MAX), 'http', at);
    if (wanted !== null && at - fitAt >= fitEveryMs) {
      fitAt = at;
      const fit = yield* learned(model, wanted);
      wanted = null;
      give({ type: 'learned', fit }, at);
    }
    yield { light, view };
  }
}

function* learned<F>(
  { fit }: Pick<RoomModel<F>, 'fit'>,
  { minutes, place, at }: Extract<RoomOutput, { readonly type: 'want.fit' }>,
): Generator<null, F> {
  const work = fit(minutes, place, at);
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
    yield null;
  }
}
