import type { StoreFailure } from '#machines/store/events.ts';

const KNOWN: ReadonlySet<string> = new Set<StoreFailure>(['ENOSPC', 'EROFS', 'EACCES', 'EIO', 'EDQUOT']);

/** The POSIX name of a failed file operation; `unknown` for what the store's contract does not name. */
export const failureOf = (error: unknown): StoreFailure => {
  const code = errnoOf(error);
  // Checked against the list of the type's own members on the line before.
  return code !== null && KNOWN.has(code) ? (code as StoreFailure) : code === 'EPERM' ? 'EACCES' : 'unknown';
};

/** The errno name of an error of node's file functions, null for any other error. */
export const errnoOf = (error: unknown): string | null =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null;
