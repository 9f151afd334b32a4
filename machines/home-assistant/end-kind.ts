/** Why a connection failed or ended; each kind is counted separately (contract, "Health line", rules 6 to 8). */
export type EndKind =
  /** No route, or no answer in time. */
  | 'network'
  /** Home Assistant or its machine refused or closed it, or accepted it without completing the sign-in in time. */
  | 'server'
  /** It rejected the token. */
  | 'auth';

/** Codes for an unreachable address (errno(3), getaddrinfo(3)) and for no answer in time. */
const network: ReadonlySet<string> = new Set([
  'no-answer',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The kind of an end, by its code; a code that is not known to be loss never counts as loss. */
export function endKindOf(code: string): EndKind {
  if (code === 'auth-invalid') return 'auth';
  return network.has(code) ? 'network' : 'server';
}
