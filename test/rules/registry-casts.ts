import { parseAst } from 'rolldown/parseAst';

import { below, isNode, lineOf, nameOf, type Node, within } from './syntax.ts';

/** What everything outside an actor calls; its types say what each id understands, answers and shows. */
const verbs: ReadonlySet<unknown> = new Set(['tell', 'read', 'ask', 'follow', 'listen']);

/** Says that a value has another type than it was given; `as const` says nothing new, it keeps what is written. */
const isCast = (node: Node): boolean =>
  node.type === 'TSTypeAssertion' ||
  node.type === 'TSNonNullExpression' ||
  (node.type === 'TSAsExpression' && !isConst(node['typeAnnotation']));

const isConst = (type: unknown): boolean =>
  isNode(type) && type.type === 'TSTypeReference' && nameOf(type['typeName']) === 'const';

/** What lies under casts, brackets, `await`, `?.` and `.field`: the value that all of them are about. */
function core(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined;
  switch (node.type) {
    case 'MemberExpression':
      return core(node['object']);
    case 'AwaitExpression':
      return core(node['argument']);
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return core(node['expression']);
    case 'LogicalExpression':
      return core(node['left']);
    default:
      return node;
  }
}

/** `registry.read(...)` and its like, whatever the registry is called there. */
function isCall(node: unknown): node is Node {
  if (!isNode(node) || node.type !== 'CallExpression') return false;
  const callee = node['callee'];
  return isNode(callee) && callee.type === 'MemberExpression' && verbs.has(nameOf(callee['property']));
}

/** Names that are given what such a call gives: `const renderer = registry.read('renderer')?.context`. */
const givenBy = (nodes: readonly Node[]): ReadonlySet<unknown> =>
  new Set(
    nodes
      .filter((node) => node.type === 'VariableDeclarator' && isCall(core(node['init'])))
      .flatMap((node) => (isNode(node['id']) ? within(node['id']) : []))
      .map(nameOf)
      .filter((name) => name !== undefined),
  );

/** Whether the value is the facts of a snapshot: `snapshot?.context`. */
function isFacts(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'ChainExpression' || node.type === 'ParenthesizedExpression') return isFacts(node['expression']);
  return node.type === 'MemberExpression' && nameOf(node['property']) === 'context';
}

/** Whether a text may have one: it names a verb or facts, and has a cast or type arguments. Most files have neither. */
function mayHave(text: string): boolean {
  const code = text.replaceAll(/^import [^;]*;$/gm, '').replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
  return (
    /\.(?:tell|read|ask|follow|listen|context)\b/.test(code) &&
    /\bas (?!const\b)|[\w)\]]!(?!=)|\.(?:tell|read|ask|follow|listen)<|[^\w\s]\s*<[A-Za-z{([]/.test(code)
  );
}

/** Each place at which a source says what the registry's types should say; `line: what`. */
export function registryCasts(file: string, text: string): readonly string[] {
  if (!mayHave(text)) return [];
  const program: unknown = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' });
  if (!isNode(program)) throw new TypeError(`${file} has no syntax tree.`);
  const nodes = within(program);
  const given = givenBy(nodes);
  const inCalls = new Set(nodes.filter(isCall).flatMap(below).flatMap(within).filter(isCast));
  const fault = (node: Node): string | null => {
    if (isCall(node)) return isNode(node['typeArguments']) ? 'type arguments' : null;
    if (!isCast(node)) return null;
    if (inCalls.has(node)) return 'a cast in the call';
    if (isCall(core(node))) return 'a cast of the answer';
    if (given.has(nameOf(core(node)))) return 'a cast of what was read';
    return isFacts(node['expression']) ? 'a cast of the facts' : null;
  };
  return nodes.flatMap((node) => {
    const what = fault(node);
    return what === null ? [] : [`${lineOf(text, node)}: ${what}`];
  });
}
