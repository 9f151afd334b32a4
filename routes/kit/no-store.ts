/** The headers of an answer that is true only for a moment, or only for this caller: nothing caches it. */
export const noStore = { 'Cache-Control': 'no-store' };
