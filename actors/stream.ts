import type { ActorId } from '#machines/actors.ts';
import { capabilities } from '#machines/capabilities.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import { statusReads } from '#machines/status.ts';
import { streamMachine } from '#machines/stream/machine.ts';
import { stream } from '#machines/stream/index.ts';
import { sameValue } from '#actors/kit/follow.ts';
import type { Registry } from '#actors/kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** The live stream's actor; `watchForChanges` feeds it. */
export const streamSpec = (): Part => part(stream, streamMachine);

function sameFields(a: object, b: object): boolean {
  const before = new Map<string, unknown>(Object.entries(a));
  const after = Object.entries(b);
  return (
    before.size === after.length && after.every(([key, value]) => before.has(key) && Object.is(before.get(key), value))
  );
}

/**
 * True if two snapshots hold the very same facts. Facts are never changed in place, so identity decides; every event of
 * every actor passes here, which is too often for a deep comparison. New facts with equal content count as different.
 */
export function sameFacts(a: SnapshotView | undefined, b: SnapshotView | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (!sameValue(a.value, b.value)) return false;
  if (a.context === b.context) return true;
  return (
    typeof a.context === 'object' &&
    typeof b.context === 'object' &&
    a.context !== null &&
    b.context !== null &&
    sameFields(a.context, b.context)
  );
}

/** What a viewer sees of an actor that the status document does not read: its verdicts. */
function judgedOf(id: ActorId): (snapshot: SnapshotView | undefined) => unknown {
  const rows = capabilities.filter(({ actor }) => actor === id);
  return (snapshot) => snapshot && rows.map(({ judge, shown }) => [shown?.(snapshot) ?? true, judge(snapshot)]);
}

/** Reports to the stream whenever an actor changes the status document; returns a function that stops it. */
function watchAll(registry: Registry, ids: readonly ActorId[], isGathering: () => boolean): () => void {
  let begun = false;
  const touch = (): void => {
    if (begun && !isGathering()) registry.tell('stream', { type: 'stream.touched' });
  };
  const ends = ids.map((id) => {
    const shown = (snapshot: SnapshotView | undefined): SnapshotView | undefined => snapshot ?? registry.off(id);
    const judged = judgedOf(id);
    return statusReads.has(id)
      ? // Changes during a gathering are in the revision at its end, so no comparison is needed.
        registry.follow(id, shown, touch, (a, b) => !isGathering() && sameFacts(a, b))
      : registry.follow(id, (snapshot: SnapshotView | undefined) => judged(shown(snapshot)), touch);
  });
  begun = true;
  return () => {
    for (const end of ends) end();
  };
}

/**
 * While the live stream has viewers, reports to it whenever the status document may have changed; returns a function
 * that stops it. A viewer reads the document after it was counted, so nothing is missed in between.
 */
export function watchForChanges(registry: Registry, ids: readonly ActorId[]): () => void {
  let gathering = false;
  let unwatch: (() => void) | null = null;
  const unfollow = registry.follow(
    'stream',
    (snapshot) => ({ gathering: snapshot?.value === 'gathering', watched: (snapshot?.context.viewers ?? 0) > 0 }),
    (now) => {
      gathering = now.gathering;
      if (now.watched) unwatch ??= watchAll(registry, ids, () => gathering);
      else {
        unwatch?.();
        unwatch = null;
      }
    },
  );
  return () => {
    unfollow();
    unwatch?.();
  };
}
