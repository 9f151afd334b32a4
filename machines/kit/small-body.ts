/**
 * Bytes of every request body for which the web server always has room: what nearly all routes accept at most. A
 * request whose body is larger may be refused with `too-many-uploads`.
 */
export const SMALL_BODY_BYTES = 16 * 1024;
