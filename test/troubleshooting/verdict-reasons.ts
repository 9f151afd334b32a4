import { parseAst } from 'rolldown/parseAst';
import { isNode, nameOf, type Node, within } from '#test/rules/syntax.ts';

function listOf(node: Node, field: string): readonly Node[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

const textOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : null;

const isNull = (node: unknown): boolean => isNode(node) && node.type === 'Literal' && node['value'] === null;

/** The reason of a call such as `needsYou('reason', ...)`, where the call says that something is missing. */
function reasonOfCall(node: Node): string | null {
  const given = listOf(node, 'arguments');
  switch (nameOf(node['callee'])) {
    case 'needsYou':
    case 'needs':
      return textOf(given[0]);
    case 'off':
      return given[2] === undefined || isNull(given[2]) ? null : textOf(given[0]);
    case 'verdictOf':
      return given[3] === undefined || isNull(given[3]) || textOf(given[0]) === 'checking' ? null : textOf(given[1]);
    default:
      return null;
  }
}

/** The reason of a verdict that is written as an object, where it says that something is missing. */
function reasonOfObject(node: Node): string | null {
  const fields = new Map(listOf(node, 'properties').map((one) => [nameOf(one['key']), one['value']] as const));
  if (!['reason', 'detail', 'missing'].every((name) => fields.has(name))) return null;
  return isNull(fields.get('missing')) ? null : textOf(fields.get('reason'));
}

/** The reasons of the verdicts in a source that are written out and say that something is missing. */
export function missingReasons(file: string, text: string): readonly string[] {
  const program: unknown = parseAst(text, { lang: 'ts' });
  if (!isNode(program)) throw new TypeError(`${file} has no syntax tree.`);
  return within(program).flatMap((node) => {
    if (node.type === 'CallExpression') return reasonOfCall(node) ?? [];
    return node.type === 'ObjectExpression' ? (reasonOfObject(node) ?? []) : [];
  });
}
