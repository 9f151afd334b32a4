import { describe, expect, it } from 'vitest';

import { yamlLimits } from '#profiles/yaml/limits.ts';
import { lineAndColumn } from '#profiles/yaml/places.ts';
import { readYaml } from '#profiles/yaml/read-yaml.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
function refusal(text: string | Uint8Array) {
  const read = readYaml(typeof text === 'string' ? bytes(text) : text);
  if (read.ok) throw new Error('it was taken');
  return read.issue;
}
const list = (entries: number): string => `a:\n${'- 1\n'.repeat(entries)}`;
const map = (entries: number): string => Array.from({ length: entries }, (_, at) => `k${at}: 1\n`).join('');
/** `levels` maps and lists, the document's own map among them. */
const deep = (levels: number): string => `a: ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`;

describe('what YAML a profile may be', () => {
  it('reads texts, numbers, truth values, null, lists and maps', () => {
    expect(
      readYaml(bytes('a: x\nb: [1, 1.5, true, null, "y", 0x10]\nc: { d: "\\u00e9" }\ne: |\n  two\n  lines\n')),
    ).toMatchObject({
      ok: true,
      value: { document: { a: 'x', b: [1, 1.5, true, null, 'y', 16], c: { d: 'é' }, e: 'two\nlines\n' } },
    });
  });

  it.each([
    ['an alias', 'a: &x 1\nb: *x\n', 'anchor', 1, 4],
    ['an alias of nothing', 'a: 1\nb: *x\n', 'alias', 2, 4],
    ['an anchor that nothing uses', 'a: 1\nb: &x [1]\n', 'anchor', 2, 4],
    ['a tag', 'a: !!str 1\n', 'tag', 1, 4],
    ['a tag of its own', 'a: !x {}\n', 'tag', 1, 4],
    ['a key that is there twice', 'a: 1\nb:\n  c: 1\n  c: 2\n', 'duplicate-key', 4, 3],
    ['a key that is there twice, in other quotes', 'a: 1\n"a": 2\n', 'duplicate-key', 2, 2],
    ['a merge', 'a: 1\n<<: { b: 1 }\n', 'merge', 2, 1],
    ['a key that is a list', '? [a]\n: 1\n', 'key-not-text', 1, 3],
    ['a second document', 'a: 1\n---\nb: 1\n', 'second-document', 4, 1],
    ['a directive', '%YAML 1.2\n---\na: 1\n', 'directive', 1, 1],
    ['nothing', '', 'empty', 1, 1],
    ['a comment alone', '# nothing\n', 'empty', 1, 1],
    ['a list', '- a\n', 'not-a-map', 1, 1],
    ['a text', 'hello', 'not-a-map', 1, 1],
    ['bad indentation', 'a:\n  b: 1\n c: 2\n', 'yaml', 3, 2],
    ['a quote that is not closed', 'a: "x\n', 'yaml', 2, 1],
    ['a tab for indentation', 'a:\n\tb: 1\n', 'yaml', 2, 1],
    ['a NUL', 'a: 1\nb: \u0000\n', 'control-character', 2, 4],
    ['an escape character', 'a: \u001B[0m\n', 'control-character', 1, 4],
    ['text that is turned around', 'a: 1\r\nb: \u202Eevil\r\n', 'control-character', 2, 4],
    ['a byte order mark', '\uFEFFa: 1\n', 'byte-order-mark', 1, 1],
    ['a byte order mark inside', 'a: 1\n\uFEFFb: 1\n', 'control-character', 2, 1],
  ] as const)('refuses %s where it stands', (_what, text, reason, line, column) => {
    expect(refusal(text)).toMatchObject({ severity: 'error', reason, line, column });
    expect(refusal(text).message).toMatch(/\.$/);
  });

  it('names the line that is not UTF-8', () => {
    expect(refusal(new Uint8Array([...bytes('a: 1\nb: '), 0xff, ...bytes('\n')]))).toMatchObject({
      reason: 'not-utf8',
      line: 2,
    });
    expect(refusal(new Uint8Array([0xff, 0xfe, 0x61, 0x00]))).toMatchObject({ reason: 'not-utf8', line: 1 });
  });

  it.each([
    ['size', 'too-large', `a: 1 #${'x'.repeat(yamlLimits.bytes - 6)}`, `a: 1 #${'x'.repeat(yamlLimits.bytes - 5)}`],
    ['levels', 'too-deep', deep(yamlLimits.levels), deep(yamlLimits.levels + 1)],
    ['entries of a list', 'too-many-entries', list(yamlLimits.entries), list(yamlLimits.entries + 1)],
    ['entries of a map', 'too-many-entries', map(yamlLimits.entries), map(yamlLimits.entries + 1)],
    [
      'characters of a text',
      'text-too-long',
      `a: ${'x'.repeat(yamlLimits.characters)}`,
      `a: ${'x'.repeat(yamlLimits.characters + 1)}`,
    ],
  ] as const)('takes the greatest %s and refuses one more', (_what, reason, greatest, more) => {
    expect(readYaml(bytes(greatest)).ok).toBe(true);
    expect(refusal(more).reason).toBe(reason);
  });

  it('refuses more parts than it may have, though no list is too long', () => {
    const inner = `[${'1,'.repeat(400)}]`;
    expect(refusal(map(60).replaceAll(': 1', `: ${inner}`)).reason).toBe('too-many-parts');
  });

  it('keeps a key with the name of a prototype as a key like any other', () => {
    const read = readYaml(bytes('__proto__: { polluted: true }\nconstructor: 1\n'));
    expect(read.ok && Object.keys(read.value.document)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('bombs', () => {
  const laughs = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghijkl'
    .split('')
    .map((key, at) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${'abcdefghijk'[at]}`).join(',')}]\n`)
    .join('')}`;
  it.each([
    ['a billion laughs', bytes(laughs)],
    ['ten thousand open brackets', bytes('['.repeat(10_000))],
    ['a hundred thousand open braces', bytes('{'.repeat(100_000))],
    ['nested keys', bytes('? '.repeat(40_000))],
    ['nested dashes', bytes('- '.repeat(60_000))],
    ['a list of a hundred thousand', bytes(`[${'1,'.repeat(60_000)}]`)],
    ['a map of empty keys', bytes(': \n'.repeat(40_000))],
    ['a text of a hundred thousand', bytes(`a: ${'x'.repeat(130_000)}`)],
    ['an escaped text', bytes(`a: "${'\\x41'.repeat(30_000)}"`)],
    ['a quote that never ends', bytes(`a: "${'x '.repeat(60_000)}`)],
    ['lines that go on and on', bytes(`a: ${'x\n '.repeat(40_000)}`)],
    ['commas alone', bytes(`[${','.repeat(130_000)}`)],
    ['anchors alone', bytes('&a '.repeat(40_000))],
    ['a hundred thousand line ends', bytes('\n'.repeat(131_000))],
    ['10 MB', new Uint8Array(10_000_000).fill(0x61)],
  ] as const)('%s is refused within a second in bounded memory', (_what, bomb) => {
    const before = process.memoryUsage().rss;
    const from = performance.now();
    expect(refusal(bomb).reason).not.toBe('');
    expect(performance.now() - from).toBeLessThan(1000);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024);
  });
});

describe('line and column', () => {
  it.each([
    [0, 1, 1],
    [2, 1, 3],
    [3, 2, 1],
    [6, 3, 1],
    [9, 4, 1],
    [99, 4, 2],
  ])('offset %i is line %i, column %i', (offset, line, column) => {
    expect(lineAndColumn('ab\ncd\re\r\ng', offset)).toEqual({ line, column });
  });
});
