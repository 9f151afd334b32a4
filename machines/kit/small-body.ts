/**
 * Body size in bytes for which the web server always has room, and the limit of nearly all routes. A larger body may be
 * refused with `too-many-uploads`.
 */
export const SMALL_BODY_BYTES = 16 * 1024;
