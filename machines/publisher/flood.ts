import type { Milliseconds } from '../kit/units.ts';

/** Commands of one entity that are carried out in one turn of the event loop, or in a flood before it is one. */
export const FLOOD_BURST = 20;
/** Time after which one more is allowed: twenty a second are more than anybody sees on a panel. */
export const FLOOD_PAUSE_MS: Milliseconds = 50;

/** The commands of one entity that is only told: how many more may be carried out at once, and what waits. */
export interface Flood<C> {
  /** Commands still allowed at `at`, 0 to `FLOOD_BURST`. */
  readonly allowed: number;
  /** When `allowed` was counted, on a clock that nobody sets. */
  readonly at: Milliseconds;
  /** What the commands come to that came faster than allowed; null for none. */
  readonly waiting: { readonly command: C } | null;
}

/** What becomes of a command: it is carried out now, or waits (from now on, where nothing waited before). */
export interface FloodStep<C> {
  readonly flood: Flood<C>;
  readonly next: { readonly command: C } | null;
}

const allowedNow = ({ allowed, at }: Flood<unknown>, now: Milliseconds): Pick<Flood<never>, 'allowed' | 'at'> => {
  const more = Math.floor((now - at) / FLOOD_PAUSE_MS);
  return allowed + more >= FLOOD_BURST
    ? { allowed: FLOOD_BURST, at: now }
    : { allowed: allowed + more, at: at + more * FLOOD_PAUSE_MS };
};

/** An entity that was not told anything yet. */
export const calm = (now: Milliseconds): Flood<never> => ({ allowed: FLOOD_BURST, at: now, waiting: null });

/**
 * A command came. Below the bound it is carried out as it is; beyond it, and while another waits, it is `joined` with
 * the one that waits, so that the newest is what is left.
 */
export const arrive = <C>(
  flood: Flood<C>,
  command: C,
  now: Milliseconds,
  join: (older: C, newer: C) => C,
): FloodStep<C> => {
  const counted = allowedNow(flood, now);
  if (flood.waiting !== null)
    return { flood: { ...counted, waiting: { command: join(flood.waiting.command, command) } }, next: null };
  return counted.allowed > 0
    ? { flood: { ...counted, allowed: counted.allowed - 1, waiting: null }, next: { command } }
    : { flood: { ...counted, waiting: { command } }, next: null };
};

/**
 * The event loop has turned: as many as ever are allowed, unless the commands came faster than it turns. One who waits
 * for what came of a command before sending the next is never slowed.
 */
export const turned = <C>(flood: Flood<C>, now: Milliseconds): Flood<C> =>
  flood.waiting === null ? { ...flood, allowed: FLOOD_BURST, at: now } : flood;

/** The pause is over: what waited is carried out. */
export const release = <C>(flood: Flood<C>, now: Milliseconds): FloodStep<C> => {
  const counted = allowedNow(flood, now);
  return {
    flood: { ...counted, allowed: Math.max(0, counted.allowed - 1), waiting: null },
    next: flood.waiting,
  };
};
