import type { OutlineNode } from './yaml-outline.ts';

/** The end of a flow text: what is being written there. */
export interface FlowEnd {
  readonly kind: 'key' | 'value';
  readonly node: OutlineNode;
  readonly word: string;
}

interface Frame {
  readonly node: OutlineNode;
  readonly list: boolean;
  /** The key whose value comes next; null if a key comes next. */
  key: OutlineNode | null;
}

const tokens = /\s*([{}[\],]|:(?=\s|$)|"[^"]*"?|'[^']*'?|(?:[^{}[\],:"'\s]|:(?!\s|$))(?:[^{}[\],:]|:(?!\s|$))*)/y;

function add(parent: OutlineNode, key: string | number, value: string): OutlineNode {
  const node: OutlineNode = { key, column: parent.column, value, parent, children: [] };
  parent.children.push(node);
  return node;
}

const bare = (token: string): string => token.trim().replace(/^(["'])(.*?)\1?$/, '$2');

/** Parses `{ a: 1, b: [x, { c` into children of `parent` as far as it goes; null if it ends outside its braces. */
export function readFlow(text: string, parent: OutlineNode): FlowEnd | null {
  const frames: Frame[] = [];
  let last = '';
  const top = (): Frame | undefined => frames[frames.length - 1];
  const place = (): OutlineNode => {
    const frame = top();
    if (frame === undefined) return parent;
    return frame.list ? add(frame.node, frame.node.children.length, '') : (frame.key ?? frame.node);
  };
  tokens.lastIndex = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const token = found[1] ?? '';
    const frame = top();
    if (token === '{' || token === '[') frames.push({ node: place(), list: token === '[', key: null });
    else if (token === '}' || token === ']') frames.pop();
    else if (token === ',') {
      if (frame !== undefined) frame.key = null;
    } else if (token === ':') {
      if (frame !== undefined && !frame.list) frame.key = add(frame.node, last, '');
    } else if (frame?.list === true) add(frame.node, frame.node.children.length, bare(token));
    else if (frame !== undefined && frame.key !== null) {
      frame.node.children.pop();
      frame.key = add(frame.node, frame.key.key, bare(token));
    }
    last = /^[{}[\],:]$/.test(token) ? '' : bare(token);
  }
  const frame = top();
  if (frame === undefined) return null;
  const word = /\s$/.test(text) ? '' : last;
  if (!frame.list) return { kind: frame.key === null ? 'key' : 'value', node: frame.key ?? frame.node, word };
  // The word itself is not an item yet.
  if (word !== '') frame.node.children.pop();
  return {
    kind: 'value',
    node: { key: frame.node.children.length, column: frame.node.column, value: '', parent: frame.node, children: [] },
    word,
  };
}
