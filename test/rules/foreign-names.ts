import { parseAst } from 'rolldown/parseAst';

import { below, isNode, lineOf, nameOf, type Node, within } from './syntax.ts';

/** Whether a key stands in the source as it is: a text, a number, or a template without a value. */
const isWritten = (key: unknown): boolean =>
  isNode(key) &&
  (key.type === 'Literal' ||
    (key.type === 'TemplateLiteral' && Array.isArray(key['expressions']) && key['expressions'].length === 0));

/** `object[key]` with a key that is only known as it runs; what TypeScript says around it changes nothing. */
function isComputed(node: unknown): node is Node {
  if (!isNode(node)) return false;
  if (node.type === 'TSAsExpression' || node.type === 'TSNonNullExpression' || node.type === 'ParenthesizedExpression')
    return isComputed(node['expression']);
  return node.type === 'MemberExpression' && node['computed'] === true && !isWritten(node['property']);
}

/** The places that a node writes to: each target of a destructuring assignment is one. */
function writtenBy(node: Node): readonly Node[] {
  const target =
    node.type === 'AssignmentExpression'
      ? node['left']
      : node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node['operator'] === 'delete')
        ? node['argument']
        : undefined;
  if (!isNode(target)) return [];
  return target.type === 'ObjectPattern' || target.type === 'ArrayPattern' ? within(target) : [target];
}

/** Whether a type is a plain object under any name: `Record<string, T>`, also inside `Readonly` and `Partial`. */
function isOpenRecord(type: unknown): boolean {
  if (!isNode(type) || type.type !== 'TSTypeReference') return false;
  const given = isNode(type['typeArguments']) ? below(type['typeArguments']) : [];
  if (nameOf(type['typeName']) === 'Record') return given[0]?.type === 'TSStringKeyword';
  return ['Readonly', 'Partial'].includes(String(nameOf(type['typeName']))) && isOpenRecord(given[0]);
}

/** Names of a file's tables: what it declares as a plain object under any name, with its entries written out. */
const tablesIn = (nodes: readonly Node[]): ReadonlySet<unknown> =>
  new Set(
    nodes.flatMap((node) => {
      if (node.type !== 'VariableDeclarator' || !isNode(node['id']) || !isNode(node['init'])) return [];
      const said = node['id']['typeAnnotation'];
      const type = isNode(said) ? said['typeAnnotation'] : undefined;
      return node['init'].type === 'ObjectExpression' && isOpenRecord(type) ? [nameOf(node['id'])] : [];
    }),
  );

function faultOf(node: Node, tables: ReadonlySet<unknown>, written: ReadonlySet<Node>): string | null {
  if (written.has(node)) return isComputed(node) ? 'a write by a computed name' : null;
  if (node.type === 'BinaryExpression' && node['operator'] === 'in')
    return isWritten(node['left']) || (isNode(node['left']) && node['left'].type === 'PrivateIdentifier')
      ? null
      : 'a computed name in an object';
  return isComputed(node) && node.type === 'MemberExpression' && tables.has(nameOf(node['object']))
    ? 'a computed name in a table'
    : null;
}

/**
 * Each place at which a source trusts a name with a plain object, as `line: what`: a write by a computed name
 * (`__proto__`), and a look-up of one in a table or by `in` (`constructor`). A name that may be a stranger's belongs
 * into a `Map`; a table is asked by `ownField`. What is computed and safe, such as the place in a list, cannot be told
 * from the syntax: `foreign-names.test.ts` lists those.
 */
export function foreignNames(file: string, text: string): readonly string[] {
  const program: unknown = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' });
  if (!isNode(program)) throw new TypeError(`${file} has no syntax tree.`);
  const nodes = within(program);
  const tables = tablesIn(nodes);
  const written = new Set(nodes.flatMap(writtenBy));
  return nodes.flatMap((node) => {
    const what = faultOf(node, tables, written);
    return what === null ? [] : [`${lineOf(text, node)}: ${what}`];
  });
}
