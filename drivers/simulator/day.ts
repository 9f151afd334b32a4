import { setImmediate as nextTurn } from 'node:timers/promises';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { BrightnessSettings } from '#machines/auto-brightness/events.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { DayDriver, DayFact, DayOutcome, DayRequest, SimulatedDay } from '#machines/simulator/events.ts';

/** Starts to compute a day; each step of the work takes a few milliseconds. */
export type BeginDay = (seed: number, settings: BrightnessSettings) => Promise<Generator<void, SimulatedDay>>;

/**
 * Computes generated days in slices, with other work of the process in between: one at a time, of which the last one is
 * kept.
 */
export const dayDriver = (begin: BeginDay): DayDriver =>
  fromDriver<DayRequest, undefined, DayFact>(({ send, onEvent, signal }) => {
    let current: { readonly key: string; readonly day: Promise<SimulatedDay | null>; isOver: boolean } | null = null;

    async function compute({ seed, settings }: DayRequest): Promise<SimulatedDay | null> {
      const work = await begin(seed, settings);
      while (!signal.aborted) {
        const slice = work.next();
        if (slice.done === true) return slice.value;
        await nextTurn();
      }
      return null;
    }
    function start(key: string, request: DayRequest): Promise<SimulatedDay | null> {
      const own = { key, day: compute(request), isOver: false };
      current = own;
      return own.day.finally(() => {
        own.isOver = true;
      });
    }
    async function dayOf(request: DayRequest): Promise<DayOutcome> {
      const key = JSON.stringify([request.seed, request.settings]);
      const isBusy = current !== null && !current.isOver && current.key !== key;
      if (isBusy) return refuse('day-busy', 'Another day is being computed. Try again in a few seconds.');
      const day = await (current?.key === key ? current.day : start(key, request));
      return day === null ? refuse('day-busy', 'The panel is stopping.') : ok(day);
    }
    onEvent(async (request) => {
      send({ type: 'simulator.played', requestId: request.requestId, outcome: await dayOf(request) });
    });
  });
