import type { ProfileCatalog, ProfileRow } from '#machines/profile-catalog/listing.ts';

type Ref = { readonly id: string; readonly revision: string };

/** The revision in the list, if any. */
export const rowOf = (catalog: ProfileCatalog, ref: Ref | null): ProfileRow | undefined =>
  catalog.profiles.find((row) => row.id === ref?.id && row.revision === ref.revision);

/** Display name and version of a revision; `fallback` if it is not in the list. */
export function nameOf(catalog: ProfileCatalog, ref: Ref | null, fallback: string): string {
  const row = rowOf(catalog, ref);
  return row === undefined ? fallback : `${row.display_name} ${row.version}`;
}

/** URL of the exact bytes of a revision. */
export const bytesPath = ({ id, revision }: Ref): string =>
  `/api/v1/profiles/${encodeURIComponent(id)}/revisions/${revision}`;
