/** The headers of an answer that is true for a moment, or meant for this caller alone: nothing keeps it. */
export const noStore = { 'Cache-Control': 'no-store' };
