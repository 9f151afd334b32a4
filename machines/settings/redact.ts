import { secretSettings } from '../settings.ts';

/** Keys of all credentials. */
export const secretKeys: ReadonlySet<string> = new Set(secretSettings.map((row) => row.key));
