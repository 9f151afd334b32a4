import { setTimeout as pause } from 'node:timers/promises';
import type { EpochMs } from '#machines/kit/units.ts';
import { screenIds } from '#machines/screen/events.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { Cleanups } from '#drivers/kit/cleanups.ts';

/** What an agent is stopped with. */
export interface Stoppable {
  readonly registry: Registry;
  readonly now: () => EpochMs;
  /** True if it must leave the screens as they are. */
  readonly readOnly: boolean;
  /** The cleanups of the drivers under the root. */
  readonly cleanups: Pick<Cleanups, 'settled'>;
  /** Orders the root to stop. */
  readonly stopTree: () => void;
  /** Resolves when the tree has ended. */
  readonly ended: Promise<unknown>;
}

/**
 * How long asynchronous cleanup may go on after the tree has ended, in milliseconds: a browser gets 400 to close in
 * order.
 */
const cleanupMs = 600;

function lightAll(registry: Registry): void {
  for (const id of screenIds) {
    if (registry.read(id)?.context.lit === false) registry.tell(id, { type: 'screen.set', on: true, origin: 'stop' });
  }
}

/** Stops every part in order; resolves when the tree has ended and its cleanups are done or timed out. */
export async function stopInOrder({ registry, now, readOnly, cleanups, stopTree, ended }: Stoppable): Promise<void> {
  registry.tell('service', { type: 'service.stopping' });
  // Before the other parts stop: while stopping, the screen's own part has little time for it.
  if (!readOnly) lightAll(registry);
  registry.tell('stream', { type: 'stream.touched' });
  registry.tell('history', { type: 'history.happened', at: now(), kind: 'agent', by: null, code: 'stopped' });
  stopTree();
  await ended;
  await Promise.race([cleanups.settled(), pause(cleanupMs)]);
}
