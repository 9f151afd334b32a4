/** Facts of one line by their names. */
export type DiagFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `key=value` pairs in one line; an unknown value is written as `unknown`, never left out. */
export const pairs = (facts: DiagFacts): string =>
  Object.entries(facts)
    .map(([key, value]) => `${key}=${value ?? 'unknown'}`)
    .join(' ');

/** A line of `/api/v1/diag`: `[head] key=value ...`. */
export const diagLine = (head: string, facts: DiagFacts): string => `[${head}] ${pairs(facts)}`;
