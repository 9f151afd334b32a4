/** Most causes to search for a code if the error itself has none. */
const DEEPEST_CAUSE = 3;

/** Result of `errorCode` for an error without a code. */
export const UNKNOWN_CODE = 'unknown';

/**
 * The code of an error (POSIX `ENOENT`, Node `ERR_STREAM_PREMATURE_CLOSE`), or of its cause if it has none; else
 * `unknown`. A number is not a code.
 */
export function errorCode(error: unknown): string {
  let one = error;
  for (let depth = 0; depth <= DEEPEST_CAUSE && typeof one === 'object' && one !== null; depth += 1) {
    if ('code' in one && typeof one.code === 'string' && one.code !== '') return one.code;
    one = 'cause' in one ? one.cause : null;
  }
  return UNKNOWN_CODE;
}
