import type { EpochMs } from '../kit/units.ts';
import type { WriteCycle } from '../kit/write-cycle.ts';
import { interpret, type Plan, planWrite, settle, type Situation, type Want, wantedBy } from './decide.ts';
import type { DisplayReading, ScreenContext } from './events.ts';

/** Full context of the screen's machine: the public facts and the write in progress. */
export interface ScreenMachineContext
  extends ScreenContext, WriteCycle<Want, { readonly want: Want; readonly plan: Plan }> {
  readonly reading: DisplayReading | null;
  /** True once a write or an outside change has set the level, so that a recalled one comes too late. */
  readonly learned: boolean;
}

type Changes = Partial<ScreenMachineContext>;

/** The current write and the next request; `wanted` is derived here and nowhere else. */
export const underWay = (
  writing: ScreenMachineContext['writing'],
  next: ScreenMachineContext['next'],
): Pick<ScreenMachineContext, 'writing' | 'next' | 'wanted'> => ({ writing, next, wanted: wantedBy(writing, next) });

/** Queues a request to be planned again: the next one, otherwise the write that failed. */
export const planAnew = ({ writing, next }: ScreenMachineContext) => underWay(null, next ?? writing?.want ?? null);

const situation = (context: ScreenMachineContext): Situation | null =>
  context.display && context.reading
    ? {
        display: context.display,
        reading: context.reading,
        lit: context.lit === true,
        lastBrightness: context.lastBrightness,
        minimumPercent: context.minimumPercent,
      }
    : null;

/** Interprets the reading again after the display, the reading or a limit changed. */
export function reread(context: ScreenMachineContext, changes: Changes): Changes {
  const { display, reading, minimumPercent, brightness, lastBrightness } = { ...context, ...changes };
  if (!display || !reading) return changes;
  const hint = changes.lastBrightness ?? brightness ?? lastBrightness;
  return { ...changes, ...interpret(reading, display, minimumPercent, hint) };
}

/** Starts the write of the next request. */
export function begin(context: ScreenMachineContext): Changes {
  const now = situation(context);
  const want = context.next;
  if (!want || !now) return underWay(null, null);
  const plan = planWrite(want, now);
  return { generation: context.generation + 1, ...underWay({ want, plan }, null) };
}

/** Takes the answer to the newest write; if that write is already over, the answer is an ordinary reading. */
export function settled(
  context: ScreenMachineContext,
  { reading, at }: { readonly reading: DisplayReading; readonly at: EpochMs },
): Changes {
  const now = situation(context);
  if (!now || !context.writing) return { ...reread(context, { reading }), learned: true };
  const { lit, brightness, lastBrightness, fault } = settle(context.writing.plan, reading, now);
  const { writing, next, wanted } = underWay(null, context.next);
  // Named one by one: copying by spread is slow, and a slider runs this at every step.
  return {
    writing,
    next,
    wanted,
    lit,
    brightness,
    lastBrightness,
    fault,
    reading,
    changed: { by: context.writing.want.origin, at },
    learned: true,
  };
}
