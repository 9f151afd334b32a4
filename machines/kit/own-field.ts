/**
 * A record's own field, by a name that came from outside; undefined if it has none. `record[name]` finds `constructor`
 * and `__proto__` in every object.
 */
export const ownField = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
