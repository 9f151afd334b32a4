import { fromPromise } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  ControlDriver,
  Effect,
  ExposureDriver,
  ModeDriver,
  Place,
  QuestionDriver,
  SurroundingsCommand,
  SurroundingsDriver,
  SurroundingsFact,
} from '#machines/approvals/events.ts';
import { approvals } from '#machines/approvals/index.ts';
import type { CarriedOut } from '#machines/approvals/implementations.ts';
import { approvalsMachine } from '#machines/approvals/machine.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { operations } from '#machines/operations.ts';
import { type ScreenId, screenIds } from '#machines/screen/events.ts';
import { SAVE_MS } from '#machines/settings/hold.ts';

import { followAll } from './kit/follow-all.ts';
import { followPlace, type KioskPanel } from './kiosk-screen.ts';
import { isAnyLit, litOf } from './kit/lit-screens.ts';
import { part, type Part } from './kit/part.ts';

export interface ApprovalsDeps extends KioskPanel {
  readonly now: () => number;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly modeFile: ModeDriver;
  readonly question: QuestionDriver;
  readonly exposure: ExposureDriver;
  readonly control: ControlDriver;
}

/** What the screens' changes by the approvals are attributed to. */
const ORIGIN = 'approvals';

/** Follows where questions can be shown and whether a screen is lit; lights, darkens and sounds. */
const surroundings = (deps: ApprovalsDeps): SurroundingsDriver =>
  fromDriver<SurroundingsCommand, undefined, SurroundingsFact>(({ send, guard, onEvent }) => {
    const { registry, now, elapsed } = deps;
    const switchScreens = (on: boolean): void => {
      for (const id of screenIds) {
        const screen = registry.read(id)?.context;
        if (screen !== undefined && screen.lit !== null && screen.lit !== on)
          registry.tell(id, { type: 'screen.set', on, origin: ORIGIN });
      }
    };
    const sound = (): void => {
      const phase = registry.read('announcer')?.context.phase;
      if (phase === 'idle' || phase === 'failed') registry.tell('announcer', { type: 'announcement.test', at: now() });
    };
    onEvent(({ type }) => {
      switchScreens(type === 'attention.draw');
      if (type === 'attention.draw') sound();
    });
    const ends = [
      followPlace(
        deps,
        guard((place: Place) => send({ type: 'place.changed', place })),
      ),
      followAll(
        registry,
        { screen: litOf, screen_2: litOf, screen_3: litOf, screen_4: litOf } satisfies Record<ScreenId, typeof litOf>,
        guard((lit) => send({ type: 'screens.changed', lit: isAnyLit(lit), at: elapsed() })),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

/** Carries out what an approval of an operation of every mode stands for. */
const carryOut = ({ registry }: ApprovalsDeps) =>
  fromPromise<CarriedOut, { readonly effect: Effect | null; readonly operation: string }>(
    async ({ input: { effect, operation } }) => {
      if (effect === null) return { failure: null };
      const merge = { type: 'settings.merge' as const, patch: effect.patch, consent: operation };
      const asked = await registry.ask('settings', merge, SAVE_MS);
      if (!asked.ok) return { failure: 'The settings did not answer. Look at Configure to see what is in force.' };
      const outcome = asked.value;
      if (outcome.status === 'refused') return { failure: Object.values(outcome.reasons).join(' ') };
      if (outcome.status === 'commit-failed')
        return { failure: `Nothing was changed: the disk refused it (${outcome.reason}).` };
      if (outcome.status === 'busy')
        return { failure: 'Nothing was changed: another operation, such as a restore, is under way. Ask once more.' };
      return { failure: null };
    },
  );

/** Asks at the panel. */
export const approvalsSpec = (deps: ApprovalsDeps): Part =>
  part(
    approvals,
    approvalsMachine.provide({
      actors: {
        surroundings: surroundings(deps),
        carryOut: carryOut(deps),
        modeFile: deps.modeFile,
        question: deps.question,
        exposure: deps.exposure,
        control: deps.control,
      },
    }),
    { input: () => ({ operations }) },
  );
