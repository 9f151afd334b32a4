/** Every reason for which a request is refused, and its status code: the only such table. */
export const statusOf = {
  'peer-not-local': 403,
  'host-not-allowed': 403,
  'cross-origin-refused': 403,
  'invalid-body': 400,
  'invalid-query': 400,
  'invalid-config': 400,
  'bad-action': 400,
  'bad-value': 400,
  'bad-request': 400,
  'bad-address': 400,
  'bad-origin': 400,
  'not-on-the-panel': 400,
  'no-websocket': 400,
  'no-url': 400,
  'not-the-panels-page': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-here': 409,
  // Spelt as the contract's callers know it (api-facts 5.7).
  proximity_source_required: 409,
  'no-address': 409,
  'origin-refused-by-platform': 409,
  'address-loops-back': 409,
  'request-timeout': 408,
  gone: 410,
  'request-too-large': 413,
  'expectation-failed': 417,
  'head-too-large': 431,
  'too-many-viewers': 429,
  'commit-failed': 500,
  internal: 500,
  'save-unknown': 503,
  'screenshot-unavailable': 503,
  'panel-unavailable': 503,
  restarting: 503,
  stopping: 503,
} as const;

/** A stable refusal code. */
export type ProblemCode = keyof typeof statusOf;

/** Status codes that problems answer with. */
export type ProblemStatus = (typeof statusOf)[ProblemCode];
