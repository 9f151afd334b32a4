// Fails for words in comments and READMEs that have a plainer one, and for doc comments that only repeat a name:
// node test/rules/plain-words.mjs
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listed, readIfThere } from './listed.mjs';

/**
 * Words that a comment or a README does not use. A program is not a person, so verbs of persons do not fit it; the
 * others have a plainer word in every place.
 */
const unused = new Map([
  ['somebody', 'a person, an owner, or the part by its name'],
  ['nobody', 'no one, or the part by its name'],
  ['whoever', 'the part by its name'],
  ['whereto', 'where'],
  ['hears', 'is called with, or receives'],
  ['wants to know', 'needs'],
  ['as far as it has', 'if any'],
  ['for ever', 'forever, or stable'],
  ['what came of', 'the result of'],
  ['goes before', 'takes precedence over'],
  ['anew', 'again'],
]);

const plainPattern = new RegExp(
  String.raw`\b(${[...unused.keys()].map((word) => word.replaceAll(' ', String.raw`\s+`)).join('|')})\b`,
  'giu',
);

const commentPattern = /^\s*(?:\/\/|\/\*\*?|\*)\s?(.*)$/u;

/** Each use of such a word in a text's comments, or anywhere in prose, as `line: word (what to write)`. */
export function strangeWords(file, text) {
  const isProse = file.endsWith('.md');
  return text.split('\n').flatMap((line, index) => {
    const words = isProse ? line : (commentPattern.exec(line)?.[1] ?? '');
    return [...words.matchAll(plainPattern)].map(([word]) => {
      const plain = word.toLowerCase().replaceAll(/\s+/gu, ' ');
      return `${index + 1}: ${plain} (${unused.get(plain) ?? ''})`;
    });
  });
}

/** Words that say nothing beside a name. */
const fillers = new Set(
  'a an and any are as at be by each every for from has in is it its of on one or that the them these this those to which whose with'.split(
    ' ',
  ),
);

const LONGEST_ECHO = 4;

/** A word without the ending that a name would not have. */
const stemOf = (word) => word.toLowerCase().replace(/(?:ies|es|s|ing|ed)$/u, '');

const wordsOf = (text) => text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/gu) ?? [];

/** The name that a line of code declares: a constant, function, type, field or method. */
const declaredName = (line) =>
  /^\s*(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?(?:readonly\s+)?(?:const|let|function\*?|async function|class|interface|type|enum|readonly)?\s*['"]?([A-Za-z_$][\w$]*)/u.exec(
    line,
  )?.[1] ?? null;

/** Doc comments of up to four words that only repeat the name which they describe, as `line: name`. */
export function echoedNames(text) {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const said = /^\s*\/\*\* (.+?)\.? \*\/$/u.exec(line)?.[1];
    const name = said === undefined ? null : declaredName(lines[index + 1] ?? '');
    if (said === undefined || name === null || said.split(/\s+/u).length > LONGEST_ECHO) return [];
    const known = new Set(wordsOf(name).map(stemOf));
    const adds = wordsOf(said).some((word) => !fillers.has(word.toLowerCase()) && !known.has(stemOf(word)));
    return adds ? [] : [`${index + 1}: ${name}`];
  });
}

/** What owners read: there a person may be a person. */
const texts = ['CHANGELOG.md', 'TROUBLESHOOTING.md'];

function main() {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = listed(root, ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.md']);
  for (const file of files.filter((each) => !each.startsWith('test/rules/bad/') && !texts.includes(each)).toSorted()) {
    const text = readIfThere(join(root, file));
    const echoes = file.endsWith('.md') ? [] : echoedNames(text).map((echo) => `${echo} is only repeated`);
    for (const fault of [...strangeWords(file, text), ...echoes]) {
      process.stdout.write(`${file}:${fault}\n`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();
