import { inPlaces } from '#machines/kit/places.ts';
import type { ApiTag, Manifest } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';

type Declaring = Extract<(typeof subsystems)[number], { readonly tags: unknown }>;

/** The group of an operation, as a manifest declares it. */
export type Tag = Declaring['tags'][number]['id'];

/** The groups of operations that these manifests declare, in the order in which the OpenAPI document lists them. */
export const tagsOf = (manifests: readonly Manifest[]): readonly ApiTag[] =>
  inPlaces(
    'tag of the interface',
    manifests.flatMap(({ tags: own }) => own ?? []),
    ({ id, after }) => ({ keys: [id], after }),
  );

/** What each group of operations is about, in that order. */
export const tags: Readonly<Record<string, string>> = Object.fromEntries(
  tagsOf(subsystems).map(({ id, about }) => [id, about]),
);

/** Marks that an operation has beside its group, in the document as further groups after it. */
export const marks = {
  developer: 'Tools for those who work on Sconce or on a profile. A client of a panel needs none of them.',
  deprecated: 'Older names of operations, and operations that are gone. A new client uses none of them.',
} as const;
