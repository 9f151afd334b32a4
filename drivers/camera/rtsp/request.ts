/** A request without its body, which is skipped. */
export interface RtspRequest {
  /** Case-sensitive (RFC 2326, section 6.1). */
  readonly method: string;
  readonly url: string;
  /** Names in lower case; the first value where a name is there twice. */
  readonly headers: ReadonlyMap<string, string>;
  readonly sequence: number;
}

/** Result of reading a head; `bodyBytes` follow a request. A head that is no RTSP request has no answer. */
export type HeadOutcome =
  | { readonly is: 'request'; readonly request: RtspRequest; readonly bodyBytes: number }
  | { readonly is: 'refused'; readonly status: 400 | 413 | 505; readonly sequence: number | null }
  | { readonly is: 'foreign' };

const REQUEST_LINE = /^([A-Za-z_]{1,20}) ([!-~]{1,2048}) RTSP\/(\d\.\d)$/;
/** What a request line may look like while only its first bytes are there. */
const REQUEST_START = /^[A-Za-z_]{0,20}(?:$| )/;
const HEADER = /^([!#$%&'*+.^`|~\w-]{1,64}):[ \t]*([\t -~\u0080-\u00ff]*?)[ \t]*$/;
const WHOLE_NUMBER = /^\d{1,9}$/;
const MOST_HEADERS = 64;
/** Headers that must not contradict themselves. */
const ONCE = new Set(['cseq', 'content-length', 'session', 'transport']);

/** True if these bytes may begin a request; the first bytes are enough to refuse a TLS handshake. */
export const mayBeRequest = (start: string): boolean => REQUEST_START.test(start.slice(0, 21));

/** Header lines by name; null if one is malformed, or one that must be there once is there twice. */
function readHeaders(lines: readonly string[]): Map<string, string> | null {
  if (lines.length > MOST_HEADERS) return null;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return null;
    const key = name.toLowerCase();
    if (!headers.has(key)) headers.set(key, value);
    else if (ONCE.has(key)) return null;
  }
  return headers;
}

/** The sequence number of a head that is refused, so that the client can tell to what the answer belongs. */
function sequenceOf(lines: readonly string[]): number | null {
  const values = lines.flatMap((line) => /^cseq:[ \t]*(\d{1,9})[ \t]*$/i.exec(line)?.[1] ?? []);
  return values.length === 1 ? Number(values[0]) : null;
}

/** Reads a head without its empty line. */
export function readHead(head: string, mostBodyBytes: number): HeadOutcome {
  const [first = '', ...lines] = head.split(/\r?\n/);
  const [, method, url, version] = REQUEST_LINE.exec(first) ?? [];
  if (method === undefined || url === undefined) return { is: 'foreign' };
  const refuse = (status: 400 | 413 | 505): HeadOutcome => ({ is: 'refused', status, sequence: sequenceOf(lines) });
  if (version !== '1.0') return refuse(505);
  const headers = readHeaders(lines);
  const sequence = headers?.get('cseq') ?? '';
  if (headers === null || !WHOLE_NUMBER.test(sequence)) return refuse(400);
  const length = headers.get('content-length') ?? '0';
  if (!WHOLE_NUMBER.test(length)) return refuse(400);
  if (Number(length) > mostBodyBytes) return refuse(413);
  return {
    is: 'request',
    request: { method, url, headers, sequence: Number(sequence) },
    bodyBytes: Number(length),
  };
}
