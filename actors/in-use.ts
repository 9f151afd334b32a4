import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Place } from '#machines/approvals/events.ts';
import type { LedFacts } from '#machines/in-use/decide.ts';
import type { MarkDriver, SurroundingsCommand, SurroundingsDriver, SurroundingsFact } from '#machines/in-use/events.ts';
import { inUse } from '#machines/in-use/index.ts';
import { inUseMachine } from '#machines/in-use/machine.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { LightContext } from '#machines/lights/events.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import { followPlace, type KioskPanel } from './kiosk-screen.ts';
import { isEachLit } from './kit/lit-screens.ts';
import { part, type Part } from './kit/part.ts';
import { realTimers, type Timers } from './kit/registry.ts';

export interface InUseDeps extends KioskPanel {
  /** Draws the mark in the tab in front. */
  readonly mark: MarkDriver;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly timers?: Timers;
}

const BY = 'in-use';

/** The last known state counts: a screen whose part restarts is as lit or dark as before. */
const lit = () =>
  lastKnown(
    (snapshot: { readonly context: { readonly lit: boolean | null } } | undefined) => snapshot?.context.lit ?? null,
  );

/** What the light says of itself while it is held; an LED that is gone is not shown. */
const ledOf = (snapshot: SnapshotView<LightContext> | undefined): LedFacts => ({
  shown: snapshot?.context.holdShown === true,
  failed: snapshot !== undefined && snapshot.context.heldBy === BY && snapshot.context.fault !== null,
});

/**
 * How long a held LED outlasts a part that ended while it held it, which only a crash does: what is in use learns of it
 * at once, and is closed well before that.
 */
const OUTLAST_MS: Milliseconds = 2000;

/** Follows the kiosk screen, the screens and the LED, which it holds. */
function surroundings(deps: InUseDeps): SurroundingsDriver {
  const { registry, elapsed, timers = realTimers } = deps;
  let outlasting: unknown;
  return fromDriver<SurroundingsCommand, undefined, SurroundingsFact>(({ send, guard, onEvent }) => {
    const hasLed = registry.ids().includes('led');
    let holds = false;
    const hold = (): void => void registry.tell('led', { type: 'light.hold', by: BY });
    const release = (): void => {
      if (!holds) return;
      holds = false;
      registry.tell('led', { type: 'light.release', by: BY });
    };
    onEvent(({ type }) => {
      timers.clearTimeout(outlasting);
      if (type === 'led.release') return release();
      holds = true;
      hold();
    });
    const ends = [
      followPlace(
        deps,
        guard((place: Place) => send({ type: 'place.changed', place })),
      ),
      followAll(
        registry,
        { screen: lit(), screen_2: lit(), screen_3: lit(), screen_4: lit() },
        guard((seen) => send({ type: 'screens.changed', lit: isEachLit(seen) })),
      ),
      hasLed
        ? registry.follow(
            'led',
            (snapshot) => ({ ...ledOf(snapshot), free: snapshot !== undefined && snapshot.context.heldBy === null }),
            guard(({ free, ...led }) => {
              send({ type: 'led.changed', led, at: elapsed() });
              // Its part was started again.
              if (holds && free) hold();
            }),
          )
        : () => {},
    ];
    return () => {
      for (const end of ends) end();
      if (!holds) return;
      timers.clearTimeout(outlasting);
      outlasting = timers.setTimeout(release, OUTLAST_MS);
    };
  });
}

/** Longest wait for what is in use to be closed: longer than its own part may take. */
const STOP_MS: Milliseconds = 2000;

/** Shows the room what is in use; it stops once that is closed, and takes the mark and the LED back. */
export const inUseSpec = (deps: InUseDeps): Part =>
  part(inUse, inUseMachine.provide({ actors: { mark: deps.mark, surroundings: surroundings(deps) } }), {
    stop: { event: { type: 'in-use.stop' }, withinMs: STOP_MS },
  });
