import { secretSettings } from '../settings.ts';

/** The names of every setting that is a credential. */
export const secretKeys: ReadonlySet<string> = new Set(secretSettings.map((row) => row.key));
