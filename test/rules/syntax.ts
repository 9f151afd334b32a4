/** A node of the syntax tree as far as it is looked at here. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Whether a value is a node of a syntax tree. */
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Calls `use` with each node right below one. A whole tree is walked by it, so it makes no lists. */
function eachBelow(node: Node, use: (one: Node) => void): void {
  for (const field in node) {
    const value = node[field];
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) use(one);
    } else if (isNode(value)) use(value);
  }
}

/** The nodes right below one. */
export function below(node: Node): readonly Node[] {
  const found: Node[] = [];
  eachBelow(node, (one) => found.push(one));
  return found;
}

/** The node and everything below it, each node before those below it. */
export function within(node: Node): readonly Node[] {
  const found: Node[] = [];
  const walk = (one: Node): void => {
    found.push(one);
    eachBelow(one, walk);
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
