import { inPlaces } from '#machines/kit/places.ts';
import type { ApiTag, Manifest } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';

type Declaring = Extract<(typeof subsystems)[number], { readonly tags: unknown }>;

/** The group of an operation, as a manifest declares it. */
export type Tag = Declaring['tags'][number]['id'];

/** The groups of operations that these manifests declare, in the order of the OpenAPI document. */
export const tagsOf = (manifests: readonly Manifest[]): readonly ApiTag[] =>
  inPlaces(
    'tag of the interface',
    manifests.flatMap(({ tags: own }) => own ?? []),
    ({ id, after }) => ({ keys: [id], after }),
  );

/** The description of each group of operations, in that order. */
export const tags: Readonly<Record<string, string>> = Object.fromEntries(
  tagsOf(subsystems).map(({ id, about }) => [id, about]),
);

/** Marks of an operation, listed in the document as further groups after its own. */
export const marks = {
  developer: 'Tools for developers of Sconce or of a profile. A client of a panel needs none of them.',
  deprecated: 'Older names of operations, and removed operations. A new client should use none of them.',
} as const;
