import { readFlow } from './yaml-flow.ts';

/** One key or list item of a document as its lines show it, also where the document is not finished. */
export interface OutlineNode {
  /** Name of the key, or place in the list from 0. */
  readonly key: string | number;
  /** Column of the key or of the dash, from 0; -1 for the document. */
  readonly column: number;
  /** What stands behind the colon on the same line, without quotes; empty where nothing does. */
  readonly value: string;
  readonly parent: OutlineNode | null;
  readonly children: OutlineNode[];
}

/** Where the cursor is: what is being written there, and what stands around it. */
export interface Spot {
  readonly kind: 'key' | 'value';
  /** The map, list or document in which something is written; for a value the key it belongs to. */
  readonly node: OutlineNode;
  /** What was written of it so far. */
  readonly word: string;
  /** Column at which the word begins. */
  readonly column: number;
  /** Whether it stands in braces or brackets. */
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

/** The node of `stack` in which something at `column` stands; a list may stand at the column of its key. */
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

/** Takes the dashes of a line in, and gives the column behind them. */
function takeDashes(stack: OutlineNode[], line: string): number {
  const start = dashes.exec(line)?.[0] ?? '';
  for (let column = 0; column < start.length; column += 1)
    if (start[column] === '-') push(stack, { key: 0, column, value: '' }, true);
  return start.length;
}

const opensFlow = (text: string): boolean => text.startsWith('{') || text.startsWith('[');

/**
 * Reads the lines of a document as an outline; `watch` sees the open nodes where line number `at` (from 0) begins its
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

/** What is written at the end of `text`, which stands behind a key or a dash in `node`. */
function flowSpot(text: string, node: OutlineNode, offset: number): Spot | null {
  const end = readFlow(text, node);
  return end === null ? null : { ...end, column: offset - end.word.length, flow: true };
}

/**
 * What is written at `offset` of line `number` (both from 0); null inside comments, blocks of text and flows over
 * several lines.
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
