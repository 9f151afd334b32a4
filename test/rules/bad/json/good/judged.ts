import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';

/** Judged first. */
export const valueOf = (text: string): unknown => foreignValue(text, jsonBounds.mqtt);

/** Written, which parses nothing. */
export const written = (value: unknown): string => JSON.stringify(value);
