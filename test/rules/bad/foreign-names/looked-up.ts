// What a scheme, a key or a level named `constructor` finds.
const ports: Readonly<Record<string, number>> = { http: 80, https: 443 };
const words: Partial<Record<string, string>> = { on: 'yes' };

export const portOf = (scheme: string): number | null => ports[scheme] ?? null; // refused: a computed name in a table
export const wordOf = (name: string): string => words[name.trim()] ?? ''; // refused: a computed name in a table
export const isKnown = (name: string): boolean => name in ports; // refused: a computed name in an object
