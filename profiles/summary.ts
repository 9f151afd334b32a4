import { createHash } from 'node:crypto';

import type { ProfileSummary } from '#machines/profile-catalog/reading.ts';

import { declaredParts } from './declared-parts.ts';
import type { ProfileShape } from './document.ts';

/** Name of a revision: SHA-256 of its exact bytes, in lower-case hexadecimal. */
export const revisionOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Extracts from a document what lists show. */
export const summarize = (
  document: ProfileShape,
  of: Pick<ProfileSummary, 'revision' | 'origin' | 'bytes'>,
): ProfileSummary => ({
  id: document.id,
  revision: of.revision,
  origin: of.origin,
  display_name: document.display_name,
  version: document.version,
  author: document.metadata.author,
  license: document.metadata.license,
  maturity: document.metadata.maturity,
  limitations: document.metadata.limitations ?? [],
  tested_firmware: document.metadata.tested_firmware ?? [],
  links: document.metadata.links ?? [],
  bytes: of.bytes,
  drivers: [...new Set(declaredParts(document).map(({ part }) => part.driver))],
});
