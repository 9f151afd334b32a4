import { sameRef } from '#machines/profile-catalog/activation.ts';
import type { ProfilesBoot } from '#machines/profile-catalog/boot.ts';
import type { ProfileCatalog } from '#machines/profile-catalog/listing.ts';
import type { DocumentOutcome, WantedDocument } from '#machines/profile-catalog/requests.ts';

import type { ProfileFormat } from './format.ts';
import type { ProfileRevisions } from './revisions.ts';

export interface DocumentDeps {
  readonly format: ProfileFormat;
  readonly boot: ProfilesBoot;
  readonly revisions: ProfileRevisions;
  /** The list as it is served. */
  readonly listing: () => ProfileCatalog;
  /** Version of Sconce, for the report. */
  readonly version: string;
}

const text = (value: string): DocumentOutcome => ({ bytes: new TextEncoder().encode(value) });

/** The active profile with its evidence; null if none runs or it cannot be read. */
async function reportOf({ format, boot, revisions, listing, version }: DocumentDeps): Promise<DocumentOutcome> {
  const { active } = boot;
  const reading = active === null ? null : await revisions.read(active);
  if (active === null || reading === null) return null;
  const { profiles, ...rest } = listing();
  const { document } = reading;
  return text(
    JSON.stringify({
      version,
      ...rest,
      profile: profiles.find((one) => sameRef(one, active)) ?? null,
      document,
      evidence: await format.probe(document),
    }),
  );
}

/** A document that the catalogue serves; null if there is none. */
export async function documentOf(deps: DocumentDeps, wanted: WantedDocument): Promise<DocumentOutcome> {
  const { format, revisions } = deps;
  switch (wanted.kind) {
    case 'schema':
      return text(format.schema());
    case 'drivers':
      return text(format.drivers());
    case 'template':
      return text(format.template());
    case 'device-draft':
      return text(await format.draft());
    case 'revision':
      return revisions.bytes({ id: wanted.id, revision: wanted.revision });
    case 'report':
      return reportOf(deps);
  }
}
