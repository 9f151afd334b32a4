import type { EpochMs } from '../kit/units.ts';
import type { WriteCycle } from '../kit/write-cycle.ts';
import { interpret, type Plan, planWrite, settle, type Situation, type Want, wantedBy } from './decide.ts';
import type { DisplayReading, ScreenContext } from './events.ts';

/** Everything the screen's machine remembers: the public facts and the write under way. */
export interface ScreenMachineContext
  extends ScreenContext, WriteCycle<Want, { readonly want: Want; readonly plan: Plan }> {
  readonly reading: DisplayReading | null;
  /** True once a write or a change made elsewhere has taught the level, so that a recalled one comes too late. */
  readonly learned: boolean;
}

/** Facts that an action changes. */
type Changes = Partial<ScreenMachineContext>;

/** The write under way and what is asked for next; what is wanted by them is derived here and nowhere else. */
export const underWay = (
  writing: ScreenMachineContext['writing'],
  next: ScreenMachineContext['next'],
): Pick<ScreenMachineContext, 'writing' | 'next' | 'wanted'> => ({ writing, next, wanted: wantedBy(writing, next) });

/** What has to be planned anew: what is asked for next, else the write that came to nothing. */
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

/** The facts once a display, a reading or a limit is new: what the reading means by all of them. */
export function reread(context: ScreenMachineContext, changes: Changes): Changes {
  const { display, reading, minimumPercent, brightness, lastBrightness } = { ...context, ...changes };
  if (!display || !reading) return changes;
  const hint = changes.lastBrightness ?? brightness ?? lastBrightness;
  return { ...changes, ...interpret(reading, display, minimumPercent, hint) };
}

/** The facts once the write of what is asked for begins. */
export function begin(context: ScreenMachineContext): Changes {
  const now = situation(context);
  const want = context.next;
  if (!want || !now) return underWay(null, null);
  const plan = planWrite(want, now);
  return { generation: context.generation + 1, ...underWay({ want, plan }, null) };
}

/** The facts once the newest write is answered; where it is over already the answer is a reading like any other. */
export function settled(
  context: ScreenMachineContext,
  { reading, at }: { readonly reading: DisplayReading; readonly at: EpochMs },
): Changes {
  const now = situation(context);
  if (!now || !context.writing) return { ...reread(context, { reading }), learned: true };
  const { lit, brightness, lastBrightness, fault } = settle(context.writing.plan, reading, now);
  const { writing, next, wanted } = underWay(null, context.next);
  // Named one by one: copies by spreading are slow, and a slider comes here at every step.
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
