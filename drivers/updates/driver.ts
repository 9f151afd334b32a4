import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { UpdateOutcome, UpdatesDriver, UpdatesEvent, UpdatesFact } from '#machines/updates/events.ts';

/** One question as the driver of the machine; `ask` is loaded when it is first used. */
export const originDriver = (ask: (signal: AbortSignal) => Promise<UpdateOutcome>): UpdatesDriver =>
  fromDriver<UpdatesEvent, undefined, UpdatesFact>(async ({ signal, send }) =>
    send({ type: 'updates.answered', outcome: await ask(signal) }),
  );
