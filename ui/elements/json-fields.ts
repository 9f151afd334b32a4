/** The fields of a value of JSON; none if it is no object. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  // Checked to be an object on the same line; JSON has no other kinds with fields.
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** A text of JSON; "" for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
