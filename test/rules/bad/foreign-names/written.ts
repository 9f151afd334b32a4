// What an mDNS host named `__proto__` does to a plain object.
const alive: Record<string, string[]> = {};

export const hear = (host: string, address: string): void => {
  const before = alive[host] ?? []; // refused: a computed name in a table
  alive[host] = [...before, address]; // refused: a write by a computed name
};

export const count = (counts: Record<string, number>, topic: string): void => {
  counts[topic]! += 1; // refused: a write by a computed name
  counts[`of ${topic}`] ??= 0; // refused: a write by a computed name
  (counts as Record<string, number>)[topic]++; // refused: a write by a computed name
  delete counts[topic]; // refused: a write by a computed name
};

export const take = (into: Record<string, unknown>, name: string, value: readonly unknown[]): void => {
  [into[name]] = value; // refused: a write by a computed name
  ({ a: into[name] } = { a: 1 }); // refused: a write by a computed name
};
