import { parseAst } from 'rolldown/parseAst';

import { isNode, lineOf, nameOf, type Node, within } from './syntax.ts';

/** Whether something uses what only a function of its own would change: `this`, `arguments` or `new.target`. */
const borrows = (node: Node): boolean =>
  within(node).some(
    (one) => one.type === 'ThisExpression' || one.type === 'MetaProperty' || nameOf(one) === 'arguments',
  );

/**
 * Whether formatted text may have such a function: a line that begins without a space and ends the head of an arrow
 * with a brace, or one that leaves the head to the next line. A tree is made of those files alone.
 */
const mayHave = (text: string): boolean =>
  /^(?:(?:export )?const\b|[)>}\]|&])[^\n]*=> \{|^(?:export )?const [^\n]*=$/m.test(text);

/**
 * Each function at the top level of a source that is an arrow with a body in braces, as `line: name`. As a `function`
 * declaration it stands in outlines and stack traces. One that is a single expression, and one whose constant has a
 * type of its own, may stay an arrow.
 */
export function arrowFunctions(file: string, text: string): readonly string[] {
  if (!mayHave(text)) return [];
  const program: unknown = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  if (!isNode(program) || !Array.isArray(program['body'])) throw new TypeError(`${file} has no syntax tree.`);
  return program['body'].filter(isNode).flatMap((statement) => {
    const exported = statement['declaration'];
    const declaration = isNode(exported) ? exported : statement;
    if (declaration.type !== 'VariableDeclaration' || declaration['kind'] !== 'const') return [];
    if (!Array.isArray(declaration['declarations'])) return [];
    return declaration['declarations'].filter(isNode).flatMap(({ id, init }) => {
      if (!isNode(id) || isNode(id['typeAnnotation']) || !isNode(init)) return [];
      const body = init.type === 'ArrowFunctionExpression' ? init['body'] : undefined;
      if (!isNode(body) || body.type !== 'BlockStatement' || borrows(init)) return [];
      return [`${lineOf(text, init)}: ${String(nameOf(id))}`];
    });
  });
}
