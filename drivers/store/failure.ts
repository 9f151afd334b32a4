import { errorCode } from '#drivers/kit/error-code.ts';
import type { StoreFailure } from '#machines/store/events.ts';

const KNOWN: ReadonlySet<string> = new Set<StoreFailure>([
  'ENOSPC',
  'EROFS',
  'EACCES',
  'EIO',
  'EDQUOT',
  'unreadable',
  'newer-format',
]);

/** The code of a failed file operation; `unknown` if the store's contract does not name it. */
export function failureOf(error: unknown): StoreFailure {
  const code = errorCode(error);
  // Checked against the members of the type.
  return KNOWN.has(code) ? (code as StoreFailure) : code === 'EPERM' ? 'EACCES' : 'unknown';
}
