import { type After, byTimer } from '#drivers/kit/rounds.ts';
import type { AnyActor } from '#machines/actors.ts';
import { endOfNoted, superseded, unanswered } from '#machines/entities/outcome.ts';
import type { CommandEnd, CommandRefused, EntityRow } from '#machines/kit/entity.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { Registry } from '../kit/registry.ts';

/** Called exactly once, when a command has ended: with null if it was carried out. */
export type CommandEnded = (refusal: CommandRefused | null) => void;

type Row = EntityRow<AnyActor>;

export interface AwaitEndPlan {
  readonly registry: Pick<Registry, 'follow' | 'read'>;
  /** Longest wait for one end. */
  readonly boundMs: Milliseconds;
  /** Wraps the callbacks of timers. */
  readonly guard: (fn: () => void) => () => void;
  readonly after?: After;
}

/** A command that its actor took. */
interface Taken {
  readonly row: Row;
  readonly origin: string;
  /** The actor's facts just before it got the command. */
  readonly before: SnapshotView | undefined;
  readonly ended: CommandEnded;
}

/** How a row tells the end of a command that its actor took; null if it does not, so that the command is over. */
function judgeOf({ row, origin, before }: Taken): ((now: SnapshotView) => CommandEnd | null) | null {
  const { ends, outcome } = row;
  if (before === undefined) return null;
  if (ends !== undefined) return (now) => ends(now, before);
  return outcome === undefined ? null : (now) => endOfNoted(outcome(before), outcome(now), origin);
}

/** Waits until the public facts of actors tell how the commands that they took have ended. */
export function createEndWaiter({ registry, boundMs, guard, after = byTimer }: AwaitEndPlan): {
  readonly await: (taken: Taken) => void;
  /** Ends all waits with this refusal. */
  readonly stop: (refusal: CommandRefused) => void;
} {
  const open = new Map<(refusal: CommandRefused | null) => void, Row>();

  const wait = (taken: Taken): void => {
    const { row, ended } = taken;
    const judge = judgeOf(taken);
    // An actor that notes its last command alone tells nothing more of an earlier one.
    if (row.ends === undefined && row.outcome !== undefined)
      for (const [end, of] of open) if (of.actor === row.actor) end(superseded);
    const snapshot = registry.read(row.actor);
    const known = judge === null ? { refused: null } : snapshot && judge(snapshot);
    if (judge === null || known != null) return ended(known?.refused ?? null);
    const ends: (() => void)[] = [];
    const end = (refusal: CommandRefused | null): void => {
      if (!open.delete(end)) return;
      for (const stop of ends) stop();
      ended(refusal);
    };
    open.set(end, row);
    ends.push(
      after(
        boundMs,
        guard(() => end(unanswered.timeout)),
      ),
      registry.follow(
        row.actor,
        (now) => (now === undefined ? { refused: unanswered.ended } : judge(now)),
        (over) => {
          if (over !== null) end(over.refused);
        },
      ),
    );
    // It ended while the follower was being made.
    if (!open.has(end)) for (const stop of ends) stop();
  };
  return {
    await: wait,
    stop: (refusal) => {
      for (const end of open.keys()) end(refusal);
    },
  };
}
