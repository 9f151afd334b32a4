/** A node of the syntax tree as far as it is looked at here. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Whether a value is a node of a syntax tree. */
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** The nodes right below one. */
export const below = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

/** The node and everything below it, each node before those below it. */
export function within(node: Node): readonly Node[] {
  const found: Node[] = [];
  const walk = (one: Node): void => {
    found.push(one);
    for (const each of below(one)) walk(each);
  };
  walk(node);
  return found;
}

/** The name that an identifier is; undefined for any other node. */
export const nameOf = (node: unknown): unknown =>
  isNode(node) && node.type === 'Identifier' ? node['name'] : undefined;

/** The line, from 1, at which a node begins. */
export const lineOf = (text: string, { start }: Node): number => text.slice(0, start).split('\n').length;

/** The faults that a fixture's own comments name, as `line: what`: each stands behind `// refused: `. */
export const markedFaults = (text: string): readonly string[] =>
  text.split('\n').flatMap((line, index) => {
    const [, what] = /\/\/ refused: (.+)$/.exec(line) ?? [];
    return what === undefined ? [] : [`${index + 1}: ${what}`];
  });
