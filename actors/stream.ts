import type { ActorId } from '#machines/actors.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import { streamMachine } from '#machines/stream/machine.ts';
import { stream } from '#machines/stream/index.ts';
import type { Manifest } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { sameValue } from '#actors/kit/follow.ts';
import type { Registry } from '#actors/kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** The live stream's actor; `watchForChanges` feeds it. */
export const streamSpec = (): Part => part(stream, streamMachine);

const manifests: readonly Manifest[] = subsystems;

/** Actors whose facts are not shown live: the stream itself would answer its own echo. */
const silent: ReadonlySet<ActorId> = new Set(manifests.flatMap(({ ids, streamed }) => (streamed === false ? ids : [])));

const sameFields = (a: object, b: object): boolean => {
  const before = new Map<string, unknown>(Object.entries(a));
  const after = Object.entries(b);
  return (
    before.size === after.length && after.every(([key, value]) => before.has(key) && Object.is(before.get(key), value))
  );
};

/**
 * Whether two snapshots hold the very same facts. Facts are never changed in place, so their identity answers; every
 * event of every actor passes here, which is too often to compare them to the last leaf. New facts that say the same
 * count as other ones.
 */
export const sameFacts = (a: SnapshotView | undefined, b: SnapshotView | undefined): boolean => {
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
};

/** Reports to the stream whenever the public facts of any actor change; returns what ends the watching. */
export const watchForChanges = (registry: Registry, ids: readonly ActorId[]): (() => void) => {
  let gathering = false;
  const ends = ids
    .filter((id) => !silent.has(id))
    .map((id) =>
      registry.follow(
        id,
        (snapshot) => snapshot,
        () => {
          if (!gathering) registry.tell('stream', { type: 'stream.touched' });
        },
        // What changes while changes are gathered is in the revision at their end, so nobody has to compare.
        (a, b) => !gathering && sameFacts(a, b),
      ),
    );
  const unfollow = registry.follow(
    'stream',
    (snapshot) => snapshot?.value === 'gathering',
    (now) => {
      gathering = now;
    },
  );
  return () => {
    unfollow();
    for (const end of ends) end();
  };
};
