import type { Added, Manifest, Removal, RemovalRequest } from './events.ts';

/**
 * Units first, then the files behind them. The data goes after its user, so that no process of that user is left when
 * root walks through it. Packages go last, before the program, which holds this list.
 */
const order: Readonly<Record<Added['kind'], number>> = {
  unit: 0,
  linger: 1,
  file: 2,
  given: 2,
  folder: 3,
  membership: 4,
  user: 4.5,
  group: 7,
  package: 8,
};

/** Everything that is removed, in order: only what was added, the latest first. */
export function planRemoval(manifest: Manifest, request: RemovalRequest): readonly Removal[] {
  const entries = manifest.added.toReversed().filter((entry) => entry.kind !== 'package' || request.packages);
  const sorted = entries.toSorted((a, b) => order[a.kind] - order[b.kind]);
  const before = sorted.filter((entry) => order[entry.kind] < 5);
  const after = sorted.filter((entry) => order[entry.kind] > 5);
  const asRemoval = (entry: Added): Removal => ({ kind: 'entry', entry });
  return [
    ...before.map(asRemoval),
    { kind: 'data', folder: manifest.data, remove: request.purge },
    ...after.map(asRemoval),
    { kind: 'program' },
  ];
}
