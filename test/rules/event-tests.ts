import { parseAst } from 'rolldown/parseAst';

import { isNode, lineOf, nameOf, type Node, within } from './syntax.ts';

const comparisons: ReadonlySet<unknown> = new Set(['===', '!==', '==', '!=']);
const functions: ReadonlySet<string> = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
]);
/** The parts of `setup()` whose functions are given the event that led to them. */
const given: ReadonlySet<unknown> = new Set(['actions', 'guards']);

/** `event` itself, or something's event: `scope.event`. */
const isEvent = (node: unknown): boolean =>
  nameOf(node) === 'event' ||
  (isNode(node) && node.type === 'MemberExpression' && nameOf(node['property']) === 'event') ||
  (isNode(node) && /^TS(?:As|NonNull|Satisfies)Expression$|^ParenthesizedExpression$/.test(node.type)
    ? isEvent(node['expression'])
    : false);

/** Whether a pattern takes `field` out: `{ field }`, `{ field: inner }`. */
function fieldOf(pattern: unknown, field: string): Node | undefined {
  const properties: unknown = isNode(pattern) && pattern.type === 'ObjectPattern' ? pattern['properties'] : [];
  return Array.isArray(properties)
    ? properties.filter(isNode).find((property) => nameOf(property['key']) === field)
    : undefined;
}
const isEventType = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === 'ChainExpression'
    ? isEventType(node['expression'])
    : node.type === 'MemberExpression' && nameOf(node['property']) === 'type' && isEvent(node['object']));

/** What asks which event it is; null for anything else. */
function testIn(node: Node): string | null {
  if (node.type === 'BinaryExpression') {
    if (node['operator'] === 'in') return isEvent(node['right']) ? 'a field of the event is looked for' : null;
    return comparisons.has(node['operator']) && (isEventType(node['left']) || isEventType(node['right']))
      ? 'the event is compared'
      : null;
  }
  if (node.type === 'SwitchStatement' && isEventType(node['discriminant'])) return 'the event is compared';
  // `({ event: { type } })` is `event.type` under another name.
  const inner = fieldOf(node, 'event');
  return inner !== undefined && fieldOf(inner['value'], 'type') !== undefined ? 'the type is taken out' : null;
}

/** Functions that are given what XState gives: `({ event }) => ...`. */
function isGivenEvent(node: Node): boolean {
  const parameters: unknown = node['params'];
  return functions.has(node.type) && Array.isArray(parameters) && fieldOf(parameters[0], 'event') !== undefined;
}

/** The actions and guards in a call of `setup()`. */
function implementationsIn(node: Node): readonly Node[] {
  if (node.type !== 'CallExpression' || nameOf(node['callee']) !== 'setup') return [];
  const [config]: readonly unknown[] = Array.isArray(node['arguments']) ? node['arguments'] : [];
  const properties: unknown = isNode(config) && config.type === 'ObjectExpression' ? config['properties'] : [];
  return Array.isArray(properties) ? properties.filter(isNode).filter(({ key }) => given.has(nameOf(key))) : [];
}

/** Whether formatted text may have one: a look at the type of an event, or into it. Most machines have none. */
const mayHave = (text: string): boolean =>
  /\bevent\b[^\n]*\.type\b|\bin\b[^\n]*\bevent\b|\bevent: ?\{[^]{0,300}?\btype\b/.test(text);

/**
 * Each place at which an action or guard asks which event it stands at (X16), as `line: what`: in `setup()`, in what is
 * given to it by name in the same file, and in every function that takes XState's `{ event }`.
 */
export function eventTests(file: string, text: string): readonly string[] {
  if (!mayHave(text)) return [];
  const program: unknown = parseAst(text, { lang: 'ts' });
  if (!isNode(program)) throw new TypeError(`${file} has no syntax tree.`);
  const nodes = within(program);
  const named = new Map(
    nodes
      .filter(({ type }) => type === 'VariableDeclarator' || type === 'FunctionDeclaration')
      .map((node) => [nameOf(node['id']), node]),
  );
  const reached = new Set<Node>();
  const reach = (node: Node): void => {
    for (const one of within(node)) {
      if (reached.has(one)) continue;
      reached.add(one);
      const declared = named.get(nameOf(one));
      if (declared !== undefined && !reached.has(declared)) reach(declared);
    }
  };
  for (const node of nodes) for (const one of implementationsIn(node)) reach(one);
  for (const node of nodes) if (isGivenEvent(node)) reach(node);
  return nodes
    .filter((node) => reached.has(node))
    .flatMap((node) => {
      const what = testIn(node);
      return what === null ? [] : [`${lineOf(text, node)}: ${what}`];
    });
}
