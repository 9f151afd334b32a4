import { fieldsOf } from '#drivers/kit/json-fields.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';

/** The fields of the JSON object in an answer; none if it is something else, too deep or too large. */
export const jsonOf = (text: string): Readonly<Record<string, unknown>> =>
  fieldsOf(foreignValue(text, jsonBounds.homeAssistant));
