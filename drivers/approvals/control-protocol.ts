import type { ControlCommand, ListedRequest, Place, SecurityMode } from '#machines/approvals/events.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Longest request, in bytes, with its line break. */
export const LONGEST_REQUEST = 1024;
/** Longest wait for the mode to change after it was asked for. */
export const SWITCH_MS: Milliseconds = 3000;

/** A request to a running agent: one JSON object on one line per connection. */
export type ControlRequest =
  | { readonly do: 'list' }
  | { readonly do: 'deny'; readonly id: string }
  | { readonly do: 'relaxed' };

/** Its answer, on one line. */
export type ControlAnswer =
  | {
      readonly ok: true;
      readonly mode: SecurityMode;
      readonly place: Place;
      readonly requests: readonly ListedRequest[];
    }
  | { readonly ok: true; readonly denied: string }
  /** The mode after the request. */
  | { readonly ok: true; readonly mode: SecurityMode }
  | { readonly ok: false; readonly error: 'bad-request' | 'unknown' };

/** What the socket serves. */
export type Served = Omit<Extract<ControlCommand, { type: 'control.serve' }>, 'type'>;

const REQUEST_BOUNDS = { depth: 2, tokens: 16 } as const;

/** The request on a line; null if it is none. */
export function readRequest(line: string): ControlRequest | null {
  const value = foreignValue(line, REQUEST_BOUNDS);
  if (typeof value !== 'object' || value === null || !('do' in value)) return null;
  if (value.do === 'list' || value.do === 'relaxed') return { do: value.do };
  if (value.do !== 'deny' || !('id' in value) || typeof value.id !== 'string') return null;
  return /^[\da-f]{32}$/.test(value.id) ? { do: 'deny', id: value.id } : null;
}
