/** Facts of one line by their names. */
export type DiagFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `key=value` pairs in one line; what is not known is written `unknown`, never left out. */
export const pairs = (facts: DiagFacts): string =>
  Object.entries(facts)
    .map(([key, value]) => `${key}=${value ?? 'unknown'}`)
    .join(' ');

/** A line of `/api/v1/diag`: its bracketed head and what it says. */
export const diagLine = (head: string, facts: DiagFacts): string => `[${head}] ${pairs(facts)}`;
