import type { Kept } from './events.ts';
export const emptyKept: Kept = { version: 1, policy: { auto_static: true, auto_runtime: true }, manual: { enabled: false, ids: [] }, accounts: [] };
export const keptDocument = { parse: (json: unknown): Kept => json as Kept };
