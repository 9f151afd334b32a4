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
 * Whether two snapshots hold the very same facts. Facts are never changed in place, so their identity answers; every
 * event of every actor passes here, which is too often to compare them to the last leaf. New facts that say the same
 * count as other ones.
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

/** What a viewer can see of an actor that the status document does not read: what is judged of it. */
function judgedOf(id: ActorId): (snapshot: SnapshotView | undefined) => unknown {
  const rows = capabilities.filter(({ actor }) => actor === id);
  return (snapshot) => snapshot && rows.map(({ judge, shown }) => [shown?.(snapshot) ?? true, judge(snapshot)]);
}

/** Reports to the stream whenever an actor shows something else in the status document; returns what ends that. */
function watchAll(registry: Registry, ids: readonly ActorId[], isGathering: () => boolean): () => void {
  let begun = false;
  const touch = (): void => {
    if (begun && !isGathering()) registry.tell('stream', { type: 'stream.touched' });
  };
  const ends = ids.map((id) => {
    const shown = (snapshot: SnapshotView | undefined): SnapshotView | undefined => snapshot ?? registry.off(id);
    const judged = judgedOf(id);
    return statusReads.has(id)
      ? // What changes while changes are gathered is in the revision at their end, so nobody has to compare.
        registry.follow(id, shown, touch, (a, b) => !isGathering() && sameFacts(a, b))
      : registry.follow(id, (snapshot: SnapshotView | undefined) => judged(shown(snapshot)), touch);
  });
  begun = true;
  return () => {
    for (const end of ends) end();
  };
}

/**
 * While somebody views the live stream, reports to it whenever the status document may say something else; returns what
 * ends the watching. A viewer reads the document after it was counted, so that nothing is missed in between.
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
