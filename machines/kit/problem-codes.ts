/** Reasons for refusing any request, each with its HTTP status; subsystems add their own. */
export const generalProblems = {
  'peer-not-local': 403,
  'host-not-allowed': 403,
  'cross-origin-refused': 403,
  'invalid-body': 400,
  'invalid-query': 400,
  'bad-action': 400,
  'bad-value': 400,
  'bad-request': 400,
  'no-websocket': 400,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-here': 409,
  'not-confirmed': 409,
  'upload-busy': 409,
  'unsupported-type': 415,
  'request-timeout': 408,
  gone: 410,
  'request-too-large': 413,
  'expectation-failed': 417,
  'head-too-large': 431,
  'too-many-viewers': 429,
  internal: 500,
  'too-many-uploads': 503,
  'too-many-waiting': 503,
  restarting: 503,
  stopping: 503,
  'no-space': 507,
} as const;

/** A refusal code that belongs to no subsystem. */
export type GeneralProblem = keyof typeof generalProblems;
