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

/** The node and everything below it. */
export const within = (node: Node): readonly Node[] => [node, ...below(node).flatMap(within)];

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
