import { parseAst } from 'rolldown/parseAst';

import { isNode, lineOf, nameOf, type Node, within } from './syntax.ts';

/** What changes a collection in place. */
const writers: ReadonlySet<unknown> = new Set([
  'set',
  'add',
  'delete',
  'clear',
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'sort',
  'reverse',
  'fill',
  'copyWithin',
]);
/** Collections that are there to be written: nothing can be put into them where they are made. */
const weak: ReadonlySet<unknown> = new Set(['WeakMap', 'WeakSet']);
const collections: ReadonlySet<unknown> = new Set([...weak, 'Map', 'Set']);

const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** The name at the root of `name.field[key]`. */
const rootOf = (node: unknown): unknown =>
  isNode(node) && node.type === 'MemberExpression'
    ? isNode(node['object']) && node['object'].type === 'MemberExpression'
      ? rootOf(node['object'])
      : nameOf(node['object'])
    : undefined;

/** The declarations of a module that stand outside every function and block. */
const declarationsOf = (program: Node): readonly Node[] =>
  listOf(program['body'])
    .map((node) => (node.type === 'ExportNamedDeclaration' ? node['declaration'] : node))
    .filter(isNode)
    .filter(({ type }) => type === 'VariableDeclaration');

/** Whether a value is a collection that only has a use when it is written: a weak one, or an empty one. */
const isMadeToBeWritten = (value: unknown): boolean =>
  isNode(value) &&
  value.type === 'NewExpression' &&
  (weak.has(nameOf(value['callee'])) ||
    (collections.has(nameOf(value['callee'])) && listOf(value['arguments']).length === 0));

/** The name whose value is changed in place by a node. */
function writtenBy(node: Node): unknown {
  if (node.type === 'AssignmentExpression') return rootOf(node['left']);
  if (node.type === 'UpdateExpression') return rootOf(node['argument']);
  if (node.type === 'UnaryExpression' && node['operator'] === 'delete') return rootOf(node['argument']);
  if (node.type !== 'CallExpression') return undefined;
  const callee = node['callee'];
  if (!isNode(callee) || callee.type !== 'MemberExpression') return undefined;
  const method = nameOf(callee['property']);
  if (nameOf(callee['object']) === 'Object' && method === 'assign') return nameOf(listOf(node['arguments'])[0]);
  return writers.has(method) ? rootOf(callee) : undefined;
}

/**
 * Each state that a module keeps for the whole process, as `line: what`: a `let` outside functions, and a constant
 * whose value is changed in place or is there to be.
 */
export function moduleState(file: string, text: string): readonly string[] {
  const program: unknown = parseAst(text, { lang: 'ts' });
  if (!isNode(program)) throw new TypeError(`${file} has no syntax tree.`);
  const declarations = declarationsOf(program);
  const constants = declarations.filter(({ kind }) => kind === 'const').flatMap((node) => listOf(node['declarations']));
  const names = new Set<unknown>(constants.map(({ id }) => nameOf(id)).filter((name) => name !== undefined));
  const faults = [
    ...declarations
      .filter(({ kind }) => kind === 'let' || kind === 'var')
      .map((node) => ({ node, what: 'a variable of the module' })),
    ...constants
      .filter(({ init }) => isMadeToBeWritten(init))
      .map((node) => ({ node, what: 'a collection that is there to be written' })),
    ...within(program)
      .filter((node) => names.has(writtenBy(node)))
      .map((node) => ({ node, what: 'a constant of the module is written' })),
  ];
  return faults
    .toSorted((one, other) => one.node.start - other.node.start)
    .map(({ node, what }) => `${lineOf(text, node)}: ${what}`);
}
