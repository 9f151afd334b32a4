import { inPlaces } from './kit/places.ts';
import type { Manifest, SupervisionGroup } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

type Declaring = Extract<(typeof subsystems)[number], { readonly supervisionGroups: unknown }>;

/** Id of a group that a manifest declares. */
export type GroupId = Declaring['supervisionGroups'][number]['id'];

/** The groups that these manifests declare, those right under root in start order. */
export const supervisionGroupsOf = (manifests: readonly Manifest[]): readonly SupervisionGroup[] =>
  inPlaces(
    'supervision group',
    manifests.flatMap(({ supervisionGroups: own }) => own ?? []),
    ({ id, after, within }) => ({ keys: [id], after: within ?? after }),
  );

/** Every group of the supervision tree below root. */
export const supervisionGroups: readonly SupervisionGroup[] = supervisionGroupsOf(subsystems);
