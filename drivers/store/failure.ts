import { errorCode } from '#drivers/kit/error-code.ts';
import type { StoreFailure } from '#machines/store/events.ts';

const KNOWN: ReadonlySet<string> = new Set<StoreFailure>(['ENOSPC', 'EROFS', 'EACCES', 'EIO', 'EDQUOT', 'unreadable']);

/** The POSIX name of a failed file operation; `unknown` for what the store's contract does not name. */
export function failureOf(error: unknown): StoreFailure {
  const code = errorCode(error);
  // Checked against the list of the type's own members on the line before.
  return KNOWN.has(code) ? (code as StoreFailure) : code === 'EPERM' ? 'EACCES' : 'unknown';
}
