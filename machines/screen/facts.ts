import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { WriteCycle } from '../kit/write-cycle.ts';
import {
  asksForLevel,
  darkestRaw,
  interpret,
  merge,
  type Plan,
  planWrite,
  settle,
  type Situation,
  type Want,
  wantedBy,
} from './decide.ts';
import type { DisplayReading, ScreenContext, ScreenDriverCommand } from './events.ts';
import { fadeTime } from './fade.ts';
import { isGoingDark, isRoomLevelDue, roomLevelAfterReading, roomWant, toRoomLevel } from './room-level.ts';

/** A write under way. */
interface Writing {
  readonly want: Want;
  readonly plan: Plan;
  /** How long it fades; 0 if it is written at once. */
  readonly fadeMs: Milliseconds;
}

/** Full context of the screen's machine: the public facts and the write in progress. */
export interface ScreenMachineContext extends ScreenContext, WriteCycle<Want, Writing> {
  readonly reading: DisplayReading | null;
  /** True once a write or an outside change has set the level, so that a recalled one comes too late. */
  readonly learned: boolean;
  /**
   * The level that the light of the room asks for and that is not written yet: on a lit display after the write that is
   * under way, on a dark one when it is switched on.
   */
  readonly roomLevel: number | null;
}

type Changes = Partial<ScreenMachineContext>;

/** The current write and the next request; `wanted` is derived here and nowhere else. */
export const underWay = (
  writing: ScreenMachineContext['writing'],
  next: ScreenMachineContext['next'],
): Pick<ScreenMachineContext, 'writing' | 'next' | 'wanted'> => ({ writing, next, wanted: wantedBy(writing, next) });

/** The level that the write under way brings a lit display to for the room; null if a request is written. */
const roomLevelOf = (writing: Writing | null): number | null =>
  writing?.want.ifLit === true ? (writing.want.brightness ?? null) : null;

/** Queues a request. One for a level takes the place of the room's; another leaves it to be written or restored. */
export function queued({ writing, next, roomLevel }: ScreenMachineContext, want: Want): Changes {
  const merged = merge(next, want);
  return {
    ...underWay(writing, merged),
    roomLevel: asksForLevel(merged) ? null : (roomLevel ?? roomLevelOf(writing)),
  };
}

/** Queues what failed to be planned again: the next request, otherwise the one of the write. */
export function planAnew({ writing, next, roomLevel }: ScreenMachineContext): Changes {
  const level = roomLevelOf(writing);
  return {
    ...underWay(null, next ?? (level === null ? (writing?.want ?? null) : null)),
    roomLevel: asksForLevel(next) ? null : (roomLevel ?? level),
  };
}

/** Takes a level that the light of the room asks for. */
export function adjusted(context: ScreenMachineContext, level: number): Changes {
  const roomLevel = toRoomLevel(level);
  const waits = context.lit !== true || isGoingDark(context);
  return waits ? { roomLevel, lastBrightness: roomLevel, learned: true } : { roomLevel };
}

/** True if the room asks again for the level that is being written for it. */
export const isRepeated = ({ writing, roomLevel }: ScreenMachineContext, level: number): boolean =>
  roomLevel === null && roomLevelOf(writing) === toRoomLevel(level);

const situation = (context: ScreenMachineContext): Situation | null =>
  context.display && context.reading
    ? {
        display: context.display,
        reading: context.reading,
        lit: context.lit === true,
        lastBrightness: context.lastBrightness,
        minimumPercent: context.minimumPercent,
        roomLevel: context.roomLevel,
      }
    : null;

/** Interprets the reading again after the display, the reading or a limit changed. */
export function reread(context: ScreenMachineContext, changes: Changes): Changes {
  const now = { ...context, ...changes };
  const { display, reading, minimumPercent, brightness, lastBrightness } = now;
  if (!display || !reading) return changes;
  const hint = changes.lastBrightness ?? brightness ?? lastBrightness;
  const read = interpret(reading, display, minimumPercent, hint);
  const isWriting = now.writing !== null || now.next !== null;
  return { ...changes, ...read, ...roomLevelAfterReading({ ...now, lit: read.lit }, isWriting) };
}

/** Starts the write of the next request, otherwise of the level that the room asks for. */
export function begin(context: ScreenMachineContext): Changes {
  const now = situation(context);
  const { next, roomLevel } = context;
  if (!now) return underWay(null, null);
  if (next !== null) {
    const writing = { want: next, plan: planWrite(next, now), fadeMs: 0 };
    return { generation: context.generation + 1, ...underWay(writing, null) };
  }
  if (roomLevel === null || !isRoomLevelDue(context)) return underWay(null, null);
  const want = roomWant(roomLevel);
  const plan = planWrite(want, now);
  const { display, reading } = now;
  const fades = display.routes?.brightness === 'backlight' && plan.raw !== null;
  const fadeMs = fades ? fadeTime(reading.raw, plan.raw, display.rawMax) : 0;
  return { generation: context.generation + 1, ...underWay({ want, plan, fadeMs }, null), roomLevel: null };
}

/** The driver's command for the write under way. */
export function writeCommand({
  generation,
  writing,
  display,
}: ScreenMachineContext): Extract<ScreenDriverCommand, { readonly type: 'display.write' }> {
  const { raw, powered } = writing?.plan ?? { raw: null, powered: null };
  const command = { type: 'display.write', generation, raw, powered } as const;
  if (writing?.want.ifLit !== true || display === null) return command;
  return {
    ...command,
    onlyAbove: darkestRaw(display),
    ...(writing.fadeMs > 0 ? { fadeMs: writing.fadeMs } : {}),
  };
}

/** The facts after the room's level was not written, since another program had darkened the display before. */
function foundDark(context: ScreenMachineContext, level: number, reading: DisplayReading, at: EpochMs): Changes {
  const roomLevel = context.roomLevel ?? level;
  return {
    ...underWay(null, context.next),
    lit: false,
    brightness: null,
    lastBrightness: roomLevel,
    roomLevel,
    fault: null,
    reading,
    changed: { by: 'elsewhere', at },
    learned: true,
  };
}

/** Takes the answer to the newest write; if that write is already over, the answer is an ordinary reading. */
export function settled(
  context: ScreenMachineContext,
  { reading, at }: { readonly reading: DisplayReading; readonly at: EpochMs },
): Changes {
  const now = situation(context);
  if (!now || !context.writing) return { ...reread(context, { reading }), learned: true };
  const { want, plan } = context.writing;
  const { lit, brightness, lastBrightness, fault } = settle(plan, reading, now);
  const level = roomLevelOf(context.writing);
  if (level !== null && !lit) return foundDark(context, level, reading, at);
  const { writing, next, wanted } = underWay(null, context.next);
  const changed = { by: want.origin, at };
  // A bare ON has brought the room's level along.
  const isApplied = lit && next === null && plan.level === context.roomLevel;
  const roomLevel = isApplied ? null : context.roomLevel;
  const waits = roomLevel !== null && (!lit || isGoingDark({ wanted, fault, changed }));
  // What the owner is to learn of a display outlasts the levels of the room.
  const isKept = level !== null && context.fault === 'turned-itself-on';
  // Named one by one: copying by spread is slow, and a slider runs this at every step.
  return {
    writing,
    next,
    wanted,
    lit,
    brightness,
    lastBrightness: waits ? roomLevel : lastBrightness,
    roomLevel,
    fault: isKept ? context.fault : fault,
    reading,
    changed,
    learned: true,
  };
}
