import { sameValue } from '#actors/kit/follow.ts';
import type { ActorId, ContextOf } from '#machines/actors.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { Ambient, ProjectionInput } from '#machines/subsystem.ts';

/** The fields made so far, by name. */
export type Made = ReadonlyMap<string, unknown>;

/** Fields that are made together, and all that they are made from. */
export interface FieldGroup {
  readonly reads: readonly ActorId[];
  readonly uses: readonly (keyof Ambient)[];
  /** Fields that they are made from; their groups come earlier in the list. */
  readonly from: readonly string[];
  readonly make: (input: ProjectionInput, made: Made) => Readonly<Record<string, unknown>>;
}

/** The result of an update. */
export interface Look {
  readonly at: EpochMs;
  readonly made: Made;
  /** Raised whenever a group was made again. */
  readonly count: number;
  /** True for a field that also depends on the time. */
  readonly isTimed: (name: string) => boolean;
}

interface Kept {
  readonly at: EpochMs;
  readonly views: readonly (SnapshotView | undefined)[];
  readonly others: readonly unknown[];
}

/** Facts are never changed in place, so identity decides. */
function sameView(a: SnapshotView | undefined, b: SnapshotView | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.context === b.context && sameValue(a.value, b.value));
}

function isTimed({ uses }: FieldGroup): boolean {
  return uses.includes('now') || uses.includes('elapsed');
}

/**
 * Makes fields, and again only those whose sources have changed. `patience` is how old a field that depends on the time
 * may be if nothing else of it has changed; with 0 all fields are as of now.
 */
export function createIncremental(
  groups: readonly FieldGroup[],
): (input: ProjectionInput, patience: Milliseconds) => Look {
  const kept = new Map<FieldGroup, Kept>();
  const made = new Map<string, unknown>();
  const timed = new Set<string>();
  /** The newest values; an equal one keeps the identity that it first had. */
  const ambient: { tree?: Ambient['tree']; supervised?: Ambient['supervised'] } = {};
  let count = 0;

  function isKept(group: FieldGroup, now: Kept, patience: Milliseconds): boolean {
    const before = kept.get(group);
    if (before === undefined) return false;
    const age = now.at - before.at;
    return (
      (!isTimed(group) || age === 0 || (age > 0 && age < patience)) &&
      now.views.every((view, index) => sameView(view, before.views[index])) &&
      now.others.every((value, index) => Object.is(value, before.others[index]))
    );
  }

  return (whole, patience) => {
    if (!sameValue(ambient.tree, whole.tree)) ambient.tree = whole.tree;
    if (!sameValue(ambient.supervised, whole.supervised)) ambient.supervised = whole.supervised;
    const views = new Map<ActorId, SnapshotView | undefined>();
    // One read of each actor, so that all fields are made from the same facts. The map holds an actor's view by its id.
    function view<R extends ActorId>(id: R): SnapshotView<ContextOf<R>> | undefined {
      if (!views.has(id)) views.set(id, whole.view(id));
      return views.get(id) as SnapshotView<ContextOf<R>> | undefined;
    }
    const input: ProjectionInput = { ...whole, ...ambient, view, read: (id) => view(id)?.context };
    for (const group of groups) {
      const now: Kept = {
        at: input.now,
        views: group.reads.map((id) => view(id)),
        others: [
          ...(group.uses.includes('tree') ? [input.tree] : []),
          ...(group.uses.includes('supervised') ? [input.supervised] : []),
          ...group.from.map((name) => made.get(name)),
        ],
      };
      if (isKept(group, now, patience)) continue;
      for (const [name, value] of Object.entries(group.make(input, made))) {
        // An equal value keeps its identity, so that nothing is made from it again.
        if (!made.has(name) || !sameValue(made.get(name), value)) made.set(name, value);
        if (isTimed(group)) timed.add(name);
      }
      kept.set(group, now);
      count += 1;
    }
    return { at: input.now, made, count, isTimed: (name) => timed.has(name) };
  };
}
