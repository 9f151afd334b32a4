import type { Milliseconds } from '../kit/units.ts';

/** Commands of one entity that are carried out in one turn of the event loop; with one more it is a flood. */
export const FLOOD_BURST = 20;
/** Pause between two commands of a flood: twenty a second are more than anybody sees on a panel. */
export const FLOOD_PAUSE_MS: Milliseconds = 50;

/** How fast the commands of one entity come whose actor is only told. */
export type Flow<C> =
  /** Each is carried out as it comes; so many were in this turn of the event loop. */
  | { readonly flooded: false; readonly count: number }
  /** They came too fast: one in each pause is carried out, what those come to that came in it; null for none. */
  | { readonly flooded: true; readonly waiting: { readonly command: C } | null };

/** An entity that was told nothing in this turn of the event loop. */
export const calm = { flooded: false, count: 0 } as const satisfies Flow<unknown>;

/** What becomes of a command or at the end of a pause: the flow from now on, and the command to carry out now. */
export interface FlowStep<C> {
  readonly flow: Flow<C>;
  readonly next: { readonly command: C } | null;
}

/** A command came; in a flood it is `joined` with the one that waits, so that the newest is what is left. */
export const arrive = <C>(flow: Flow<C>, command: C, join: (older: C, newer: C) => C): FlowStep<C> => {
  if (flow.flooded) {
    const joined = flow.waiting === null ? command : join(flow.waiting.command, command);
    return { flow: { flooded: true, waiting: { command: joined } }, next: null };
  }
  return flow.count < FLOOD_BURST
    ? { flow: { flooded: false, count: flow.count + 1 }, next: { command } }
    : { flow: { flooded: true, waiting: { command } }, next: null };
};

/** The event loop has turned: one who waits for what came of a command before sending the next is never slowed. */
export const turned = <C>(flow: Flow<C>): Flow<C> => (flow.flooded ? flow : calm);

/** A pause of a flood is over: what came in it is carried out; it ends with a pause in which nothing came. */
export const paused = <C>(flow: Flow<C>): FlowStep<C> =>
  flow.flooded && flow.waiting !== null
    ? { flow: { flooded: true, waiting: null }, next: flow.waiting }
    : { flow: calm, next: null };
