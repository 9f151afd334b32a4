/** How many causes are asked for a code where the error itself has none. */
const DEEPEST_CAUSE = 3;

/** What `errorCode` answers for an error without a code. */
export const UNKNOWN_CODE = 'unknown';

/**
 * The code of a failed call (POSIX `ENOENT`, Node `ERR_STREAM_PREMATURE_CLOSE`), that of the error which caused it
 * where it has none itself; `unknown` for anything else. A number is no code.
 */
export function errorCode(error: unknown): string {
  let one = error;
  for (let depth = 0; depth <= DEEPEST_CAUSE && typeof one === 'object' && one !== null; depth += 1) {
    if ('code' in one && typeof one.code === 'string' && one.code !== '') return one.code;
    one = 'cause' in one ? one.cause : null;
  }
  return UNKNOWN_CODE;
}
