const CODE = /^[\w.:/-]{1,160}$/;

const codeOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && CODE.test(value) ? value : otherwise;

/** The code of an error: its `code`, else its class; never its message, which may carry an address. */
export const crashReason = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return 'unknown';
  const name = 'name' in error ? codeOr(error.name, 'unknown') : 'unknown';
  return 'code' in error ? codeOr(error.code, name) : name;
};

/** How a child that finished by itself ended: failed if its output says so, anything else is an exit. */
export const endOf = (output: unknown): { readonly how: 'stopped' | 'failed'; readonly reason: string } => {
  const failed = typeof output === 'object' && output !== null && 'ended' in output && output.ended === 'failed';
  if (!failed) return { how: 'stopped', reason: 'exited' };
  return { how: 'failed', reason: codeOr('reason' in output ? output.reason : undefined, 'failed') };
};
