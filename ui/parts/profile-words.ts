import type { ProfileCatalog, ProfileRow } from '#machines/profile-catalog/listing.ts';

type Ref = { readonly id: string; readonly revision: string };

/** The revision in the list; undefined where it is not. */
export const rowOf = (catalog: ProfileCatalog, ref: Ref | null): ProfileRow | undefined =>
  catalog.profiles.find((row) => row.id === ref?.id && row.revision === ref.revision);

/** Name and version of a revision as people say it; `fallback` where the list has none. */
export function nameOf(catalog: ProfileCatalog, ref: Ref | null, fallback: string): string {
  const row = rowOf(catalog, ref);
  return row === undefined ? fallback : `${row.display_name} ${row.version}`;
}

/** Where the exact bytes of a revision are served. */
export const bytesPath = ({ id, revision }: Ref): string =>
  `/api/v1/profiles/${encodeURIComponent(id)}/revisions/${revision}`;
