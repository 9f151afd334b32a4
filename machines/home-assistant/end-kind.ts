/** Why a connection was not made, or ended; each is counted by itself (contract, "Health line", rules 6 to 8). */
export type EndKind =
  /** Nothing came: no route, no answer at all in time. */
  | 'network'
  /** Home Assistant, or the machine that it runs on, refused or closed it, or took it and did not let in in time. */
  | 'server'
  /** It did not take the token. */
  | 'auth';

/** Codes of a way that leads nowhere (errno(3), getaddrinfo(3)), and of nothing at all having come in time. */
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

/** The kind of an end by its code; what is not known to be loss never counts as loss. */
export function endKindOf(code: string): EndKind {
  if (code === 'auth-invalid') return 'auth';
  return network.has(code) ? 'network' : 'server';
}
