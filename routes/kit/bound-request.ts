const versioned = '/api/v1';

/** What an approval binds of a request. */
export interface BoundRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values as sent. */
  readonly query: Iterable<readonly [string, string]>;
  /** The headers that its route reads; null for one that was not sent. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** Its body, or what stands for it: the subject, or the digest of a file as `sha256:HEX`. */
  readonly body: string;
  readonly peer: string;
}

const byText = ([a, b]: readonly [string, string | null], [c, d]: readonly [string, string | null]): number =>
  a === c ? ((b ?? '') < (d ?? '') ? -1 : 1) : a < c ? -1 : 1;

/**
 * A request as canonical text: two are the same request exactly if their texts are equal. A route at the root is the
 * same as its versioned twin.
 */
export const boundRequest = ({ method, path, query, headers, body, peer }: BoundRequest): string =>
  JSON.stringify([
    method,
    path.startsWith(`${versioned}/`) ? path : `${versioned}${path}`,
    [...query].toSorted(byText),
    Object.entries(headers).toSorted(byText),
    body,
    peer,
  ]);
