/**
 * What stands in a record under a name that came from outside; undefined where it has no field of its own by that name.
 * `record[name]` finds `constructor` and `__proto__` in every object.
 */
export const ownField = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
