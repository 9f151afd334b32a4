import { parseAst } from 'rolldown/parseAst';

import { below, isNode, lineOf, nameOf, type Node, within } from './syntax.ts';

/** Files that parse JSON which was validated before, or which only Sconce writes, with the reason. */
export const ownJson: Readonly<Record<string, string>> = {
  'machines/kit/foreign-json.ts': 'judges first',
  'machines/install/manifest.ts': 'note of an installation, beside the program, written by root',
  'machines/log-files/records.ts': 'own log on the disk, 0600; each line is bounded',
  'machines/sign-in/credential.ts': 'own section of the durable document',
  'drivers/auto-brightness/minute-files.ts': 'own files of minutes, 0600; each line is bounded',
  'drivers/backup/files.ts': 'own document of the entity filter, 0600, bounded',
  'drivers/backup/staged.ts': 'own plan of a restore, 0600, bounded, by its digest',
  'drivers/http/light-fetch.ts': 'the method itself; a body is read by a handler, which judges it',
  'drivers/install/given-file.ts': 'own file of an installation, 0600, bounded',
  'drivers/log/human-line.ts': 'a line that the log itself has written',
  'drivers/log/tail.ts': 'a line that the log itself has written',
  'drivers/profiles/at-start.ts': 'own record of the selected profile, 0600, bounded',
  'drivers/reset/at-start.ts': 'the durable document, 0600',
  'drivers/storage-health/disk.ts': 'the durable document, 0600',
  'drivers/store/adapter.ts': 'the durable document, 0600',
  'drivers/store/credentials.ts': 'the durable document of another format, 0600',
  'drivers/store/stored-sections.ts': 'a copy of what it holds',
  'drivers/store/document.ts': 'the durable document, 0600',
  'drivers/store/recorded-file.ts': 'own record of recipients, 0600, bounded',
  'routes/kit/declare.ts': 'own answers, held against their schemas in tests',
  'bin/assets.ts': 'the index of the own assets, beside the program',
  'bin/build-facts.ts': 'written by the build',
  'bin/install/given.ts': 'the durable document, 0600',
  'profiles/bundled.ts': 'written by the build',
};

/** Whether a node reads `json()` of an answer, which parses whatever came. */
const isAnswerRead = (node: Node): boolean => {
  const { callee, arguments: given } = node;
  return (
    node.type === 'CallExpression' &&
    Array.isArray(given) &&
    given.length === 0 &&
    isNode(callee) &&
    callee.type === 'MemberExpression' &&
    nameOf(callee['property']) === 'json'
  );
};

/** `JSON.stringify`, the one use of `JSON` that parses nothing. */
const isWriting = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  nameOf(node['object']) === 'JSON' &&
  node['computed'] !== true &&
  nameOf(node['property']) === 'stringify';

/** Each place of a source at which JSON is parsed, or could be: `line: what`. */
export function jsonParses(file: string, text: string): readonly string[] {
  const program: unknown = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' });
  if (!isNode(program)) throw new TypeError(`${file} has no syntax tree.`);
  const nodes = within(program);
  const writing = new Set(nodes.filter(isWriting).flatMap(below));
  return nodes.flatMap((node) => {
    if (isAnswerRead(node)) return [`${lineOf(text, node)}: json() of an answer`];
    return nameOf(node) === 'JSON' && !writing.has(node) ? [`${lineOf(text, node)}: JSON that is not judged`] : [];
  });
}
