import { createHash } from 'node:crypto';

const FINGERPRINT = /^[0-9a-f]{64}$/;

const fieldsOf = (section: unknown): Readonly<Record<string, unknown>> =>
  typeof section === 'object' && section !== null ? Object.fromEntries(Object.entries(section)) : {};

const digestOf = (fingerprint: string): string =>
  createHash('sha256').update(`sconce origin ${fingerprint}`).digest('hex');

/**
 * What a bundle or an archive says of the machine that it is from: one digest for each fingerprint in the stored
 * section `identity`, so that it tells nothing of the machine itself. Empty while none is known.
 */
export function originsOf(identitySection: unknown): readonly string[] {
  const { fingerprint, fingerprints } = fieldsOf(identitySection);
  const listed: readonly unknown[] = Array.isArray(fingerprints) ? fingerprints : [];
  const known = [fingerprint, ...listed].filter(
    (one): one is string => typeof one === 'string' && FINGERPRINT.test(one),
  );
  return [...new Set(known)].map(digestOf);
}

/** True if both are of the same machine: they have a digest in common. */
export const isOrigin = (origin: readonly string[], own: readonly string[]): boolean =>
  origin.some((digest) => own.includes(digest));
