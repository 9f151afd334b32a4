import { readFlow } from './yaml-flow.ts';

/** One key or list item of a document, read from its lines even if the document is incomplete. */
export interface OutlineNode {
  /** Name of the key, or index in the list from 0. */
  readonly key: string | number;
  /** Column of the key or of the dash, from 0; -1 for the document. */
  readonly column: number;
  /** The text after the colon on the same line, without quotes; may be empty. */
  readonly value: string;
  readonly parent: OutlineNode | null;
  readonly children: OutlineNode[];
}

/** The spot at the cursor: what is being written, and its surroundings. */
export interface Spot {
  readonly kind: 'key' | 'value';
  /** The enclosing map, list or document; for a value, its key. */
  readonly node: OutlineNode;
  /** The word so far. */
  readonly word: string;
  readonly column: number;
  /** True inside braces or brackets. */
  readonly flow: boolean;
}

const dashes = /^\s*(?:-(?:\s+|$))*/;
const keyPattern = /^("?)([\w.-]+)\1\s*:(?:\s+(.*))?$/;

const plain = (text: string): string =>
  text
    .replace(/\s+#.*$/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');

const documentNode = (): OutlineNode => ({ key: '', column: -1, value: '', parent: null, children: [] });

/** The node of `stack` that encloses `column`; a list may be at the column of its key. */
function holder(stack: OutlineNode[], column: number, dash: boolean): OutlineNode {
  for (;;) {
    const top = stack[stack.length - 1];
    if (top === undefined) return documentNode();
    const listOfKey = dash && top.column === column && typeof top.key === 'string' && top.value === '';
    if (top.column < column || listOfKey) return top;
    stack.pop();
  }
}

function push(stack: OutlineNode[], node: Omit<OutlineNode, 'children' | 'parent'>, dash: boolean): void {
  const parent = holder(stack, node.column, dash);
  const fresh: OutlineNode = { ...node, key: dash ? parent.children.length : node.key, parent, children: [] };
  parent.children.push(fresh);
  stack.push(fresh);
}

/** Adds the dashes of a line, and returns the column after them. */
function takeDashes(stack: OutlineNode[], line: string): number {
  const start = dashes.exec(line)?.[0] ?? '';
  for (let column = 0; column < start.length; column += 1)
    if (start[column] === '-') push(stack, { key: 0, column, value: '' }, true);
  return start.length;
}

const opensFlow = (text: string): boolean => text.startsWith('{') || text.startsWith('[');

/**
 * Parses the lines of a document into an outline; `watch` gets the open nodes where line `at` (from 0) begins its
 * word.
 */
function read(
  lines: readonly string[],
  at: number,
  watch: (stack: OutlineNode[], column: number) => void,
): OutlineNode {
  const root = documentNode();
  const stack: OutlineNode[] = [root];
  let blockColumn: number | null = null;
  lines.forEach((line, number) => {
    const indent = line.search(/\S/);
    const inBlock = blockColumn !== null && (indent < 0 || indent > blockColumn);
    if (!inBlock && indent >= 0) blockColumn = null;
    if (inBlock || (number !== at && (indent < 0 || line[indent] === '#'))) return;
    const column = takeDashes(stack, line);
    if (number === at) watch(stack.slice(), column);
    const rest = line.slice(column);
    const item = stack[stack.length - 1];
    if (opensFlow(rest) && item !== undefined) readFlow(rest, item);
    const key = keyPattern.exec(rest);
    if (key === null || opensFlow(rest)) return;
    const value = key[3] ?? '';
    push(stack, { key: key[2] ?? '', column, value: plain(value) }, false);
    const pushed = stack[stack.length - 1];
    if (opensFlow(value) && pushed !== undefined) readFlow(value, pushed);
    if (/^[|>][+-]?\d*\s*$/.test(value)) blockColumn = column;
  });
  return root;
}

/** What is being written at the end of `text`, which follows a key or a dash in `node`. */
function flowSpot(text: string, node: OutlineNode, offset: number): Spot | null {
  const end = readFlow(text, node);
  return end === null ? null : { ...end, column: offset - end.word.length, flow: true };
}

/**
 * What is being written at `offset` of line `number` (both from 0); null inside comments, block scalars and multi-line
 * flows.
 */
export function spotAt(lines: readonly string[], number: number, offset: number): Spot | null {
  const before = (lines[number] ?? '').slice(0, offset);
  if (/(?:^|\s)#/.test(before)) return null;
  let found: Spot | null = null;
  read(lines, number, (stack, start) => {
    const column = Math.min(start, offset);
    const rest = before.slice(column);
    const item = stack[stack.length - 1];
    const value = /^("?)([\w.-]+)\1\s*:\s+(.*)$/.exec(rest);
    if (/^[\w-]*$/.test(rest))
      found = { kind: 'key', node: holder(stack, column, false), word: rest, column, flow: false };
    else if (opensFlow(rest) && item !== undefined) found = flowSpot(rest, { ...item, children: [] }, offset);
    else if (value !== null) {
      const [, , name = '', text = ''] = value;
      const key: OutlineNode = { key: name, column, value: '', parent: holder(stack, column, false), children: [] };
      const word = /^"?([^\s,"[\]{}]*)$/.exec(text)?.[1];
      if (opensFlow(text)) found = flowSpot(text, key, offset);
      else if (word !== undefined)
        found = { kind: 'value', node: key, word, column: offset - word.length, flow: false };
    }
  });
  return found;
}
