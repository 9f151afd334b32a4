import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';

import { sourceFiles, writtenEdges } from './read-edges.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * What came to browsers after Chromium 83, the oldest that a panel may have (MDN, browser compatibility data): the
 * bundler lowers syntax, not methods, and the compiler cannot tell, since a page's types reach code of the server.
 */
const tooNew: ReadonlySet<string> = new Set(
  [
    'at findLast findLastIndex toReversed toSorted toSpliced with fromAsync replaceAll isWellFormed',
    'toWellFormed hasOwn groupBy any withResolvers try structuredClone randomUUID replaceChildren',
    'getSetCookie scheduler timeout throwIfAborted union intersection difference symmetricDifference',
    'isSubsetOf isSupersetOf isDisjointFrom WeakRef FinalizationRegistry AggregateError',
  ].flatMap((line) => line.split(' ')),
);

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nameOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' && typeof node['name'] === 'string' ? node['name'] : null;

/** Names of methods and constructors that a source calls. */
function calledIn(code: string, lang: 'ts' | 'tsx'): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isNode(value)) return;
    if (value.type === 'CallExpression' || value.type === 'NewExpression') {
      const callee = value['callee'];
      const name = isNode(callee) && callee.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee);
      // A field of our own may be a function called `at`; the method of lists takes a number.
      const first: unknown = Array.isArray(value['arguments']) ? value['arguments'][0] : undefined;
      const isNumber = isNode(first) && (first.type === 'UnaryExpression' || typeof first['value'] === 'number');
      if (name !== null && (name !== 'at' || isNumber)) found.push(name);
    }
    for (const inner of Object.values(value)) if (typeof inner === 'object') visit(inner);
  };
  visit(parseAst(code, { lang }).body);
  return found;
}

const newIn = (code: string, lang: 'ts' | 'tsx'): readonly string[] =>
  calledIn(code, lang).filter((name) => tooNew.has(name));

/** Files of this repository that a page loads: its entries and what they import at run time. */
function loadedBy(entries: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { to, kind } of writtenEdges(root, file))
      if (kind === 'value' && /^ui\/.*\.tsx?$/.test(to)) waiting.push(to);
  }
  return [...seen].toSorted();
}

describe('what runs on pages', () => {
  it('is found when it is too new, and left alone when it is not', () => {
    expect(newIn('[3, 1].toSorted(); list?.at(-1); new WeakRef(x);', 'ts')).toEqual(['toSorted', 'at', 'WeakRef']);
    expect(newIn('[...list].sort(); list[list.length - 1]; const at = 3; text.replace(/a/g, "b");', 'ts')).toEqual([]);
  });

  const files = loadedBy(sourceFiles(root, ['ui/elements']));

  it('calls nothing that Chromium 83 lacks', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(
      files.flatMap((file) => {
        const names = newIn(readFileSync(join(root, file), 'utf8'), file.endsWith('x') ? 'tsx' : 'ts');
        return names.length === 0 ? [] : [`${file}: ${names.join(', ')}`];
      }),
    ).toEqual([]);
  });

  it('spreads no list into a call that may be left out, which fails before Chromium 91', () => {
    const spreads = (code: string): boolean => /\?\.(?:\w+)?\((?:[^()]|\([^()]*\))*\.\.\./.test(code);
    expect(spreads('list?.push(1, ...more)') && spreads('run?.(of(a), ...more)')).toBe(true);
    expect(spreads('list?.push(1); of(...more)')).toBe(false);
    expect(files.filter((file) => spreads(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('has private members only in classes that extend an element of the browser at most', () => {
    const bases = files.flatMap((file) =>
      Array.from(readFileSync(join(root, file), 'utf8').matchAll(/\bclass \w* ?extends (\w+)/g), ([, base]) => base),
    );
    expect(bases.length).toBeGreaterThan(10);
    expect(new Set(bases)).toEqual(new Set(['HTMLElement']));
  });
});
