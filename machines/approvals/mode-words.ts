import type { SecurityMode } from './events.ts';

/** The name of a mode as owners read it. */
export const nameMode = (mode: SecurityMode | null): string => (mode === 'relaxed' ? 'Relaxed' : 'Hardened');
