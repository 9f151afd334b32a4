let last: string | null = null; // refused: a variable of the module
export let count = 0; // refused: a variable of the module
const seen = new Map<string, number>(); // refused: a collection that is there to be written
const owners = new WeakMap<object, string>(); // refused: a collection that is there to be written
const words = new Set(['one']);
const list: string[] = ['one'];
const facts: { count: number; by: Record<string, number> } = { count: 0, by: {} };

export const note = (word: string, owner: object): string | null => {
  const before = last;
  last = word;
  count += 1;
  seen.set(word, count); // refused: a constant of the module is written
  owners.set(owner, word); // refused: a constant of the module is written
  words.add(word); // refused: a constant of the module is written
  list.push(word); // refused: a constant of the module is written
  facts.count += 1; // refused: a constant of the module is written
  facts.by[word] = 1; // refused: a constant of the module is written
  delete facts.by['one']; // refused: a constant of the module is written
  Object.assign(facts, { count: 2 }); // refused: a constant of the module is written
  return before;
};
