// Fails for every line over 120 columns that could be broken: node test/rules/line-width.mjs
import { realpathSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { listed, readIfThere } from './listed.mjs';

const WIDTH = 120;
const LONG_TEXT = 40;
const EXPRESSIONS = 60;
const langs = { '.ts': 'ts', '.tsx': 'tsx', '.mjs': 'js', '.cjs': 'js' };

const columns = (text) => [...text].length;

/** The part of a node that lies within a line, null where there is none. */
function within(node, line) {
  const start = Math.max(node.start, line.start);
  const end = Math.min(node.end, line.end);
  return start < end ? { start, end } : null;
}

const isText = (node) =>
  (node.type === 'Literal' && (typeof node.value === 'string' || node.regex !== undefined)) || node.type === 'JSXText';

function walk(node, visit) {
  if (Array.isArray(node)) for (const each of node) walk(each, visit);
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const key of Object.keys(node)) if (typeof node[key] === 'object') walk(node[key], visit);
  }
}

/** What of the code may excuse a line: texts, templates, and where code begins at all. */
function readNodes(code, lang) {
  const found = { texts: [], templates: [], starts: [] };
  walk(parseAst(code, { lang }), (node) => {
    if (node.type === 'Program') return;
    found.starts.push(node.start);
    if (isText(node)) found.texts.push(node);
    if (node.type === 'TemplateLiteral' || node.type === 'TSTemplateLiteralType') found.templates.push(node);
  });
  return found;
}

/** Whether the line, once these parts of it are gone, fits. */
function fitsWithout(code, line, parts) {
  const taken = parts.map((part) => columns(code.slice(part.start, part.end))).reduce((sum, each) => sum + each, 0);
  return taken > LONG_TEXT && columns(code.slice(line.start, line.end)) - taken <= WIDTH;
}

function templateExcuses(code, line, template, { texts, templates }) {
  const expressions = (template.expressions ?? template.types).filter((node) => within(node, line) !== null);
  const quoted = [...texts.filter((node) => node.regex === undefined), ...templates];
  const nested = quoted.some(
    (part) =>
      within(part, line) !== null && expressions.some((node) => part.start >= node.start && part.end <= node.end),
  );
  const spoken = expressions
    .map((node) => within(node, line))
    .reduce((sum, part) => sum + columns(code.slice(part.start, part.end)), 0);
  const parts = template.quasis.map((node) => within(node, line)).filter((part) => part !== null);
  return !nested && spoken <= EXPRESSIONS && fitsWithout(code, line, parts);
}

function commentExcuses(code, line, { starts }) {
  const text = code.slice(line.start, line.end);
  if (!/^\s*(?:\/\/|\/\*|\*)/.test(text)) return false;
  if (starts.some((start) => start >= line.start && start < line.end)) return false;
  const longest = Math.max(...text.split(/\s+/).map(columns));
  return longest > LONG_TEXT && columns(text) - longest <= WIDTH;
}

const isWhollyIn = (line) => (node) => node.start <= line.start && node.end >= line.end;

const isExcused = (code, line, nodes) =>
  nodes.templates.some((template) => template.quasis.some(isWhollyIn(line))) ||
  nodes.texts.some((node) => {
    const part = within(node, line);
    return part !== null && fitsWithout(code, line, [part]);
  }) ||
  nodes.templates.some((template) => templateExcuses(code, line, template, nodes)) ||
  commentExcuses(code, line, nodes);

/** The lines of this code that are too long and could be broken, each with its number and its columns. */
export function wideLines(code, lang) {
  const lines = [];
  let start = 0;
  for (const [index, text] of code.split('\n').entries()) {
    if (columns(text) > WIDTH) lines.push({ line: index + 1, columns: columns(text), start, end: start + text.length });
    start += text.length + 1;
  }
  if (lines.length === 0) return [];
  const nodes = readNodes(code, lang);
  return lines
    .filter((line) => !isExcused(code, line, nodes))
    .map((line) => ({ line: line.line, columns: line.columns }));
}

function main() {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const patterns = Object.keys(langs).map((extension) => `*${extension}`);
  const files = listed(root, patterns).filter((file) => extname(file) in langs && !file.startsWith('test/rules/bad/'));
  for (const file of files.toSorted())
    for (const { line, columns: wide } of wideLines(readIfThere(join(root, file)), langs[extname(file)])) {
      process.stdout.write(`${file}:${line}: ${wide} columns\n`);
      process.exitCode = 1;
    }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();
