import { describe, expect, it } from 'vitest';

import { wideLines } from './line-width.mjs';

const long = 'word '.repeat(30);
const half = 'word '.repeat(12);
const names = Array.from({ length: 30 }, (_, index) => `name${index}`).join(' + ');
const address = `https://example.org/${'a'.repeat(120)}`;
const indent = ' '.repeat(90);

const good: readonly (readonly [what: string, code: string])[] = [
  ['120 columns', `const a = '${'x'.repeat(107)}';`],
  ['120 columns of letters that take two units', `const a = '${'😀'.repeat(107)}';`],
  ['one long string', `const a = '${long}';`],
  ['one long string between other code', `call(a, '${long}', 'b');`],
  ['one long string after letters of several bytes', `call('ü😀', '${long}');`],
  ['one long pattern', `const a = /${long}/u;`],
  ['one long template', `const a = \`${long}\`;`],
  ['a template with short expressions', `const a = \`${half}\${b} ${half}\${c.d(e)}\`;`],
  ['a long type', `type A = '${long}';`],
  ['a long type with a part in it', `type A = \`${long}\${B}\`;`],
  ['a line of another language', `const a = \`\n${names}\n\`;`],
  ['the end of a text of another language', `const a = \`\n${long}\${b} ${half}\`;`],
  ['a comment that is one address', `// ${address}`],
  ['a comment whose excess is one address', `/**\n * See ${address} there.\n */\nconst a = 1;`],
  ['text of a page', `const a = (\n  <p>\n    ${long}\n  </p>\n);`],
];

const bad: readonly (readonly [what: string, code: string])[] = [
  ['long code', `const a = ${names};`],
  ['121 columns of code', `const a = ${'b'.repeat(110)};`],
  ['two long strings', `call('${long}', '${long}');`],
  ['a string that is not what makes it long', `call('${half}', ${names});`],
  ['a short string', `${indent}call('a short text that is here', b);`],
  ['a template with a template in it', `const a = \`${long}\${b ? '' : \`\${c}\`}\`;`],
  ['a template with a string in it', `const a = \`${long}\${b === 'c'}\`;`],
  ['a template that is mostly code', `const a = \`${half}\${call({ ${names.replaceAll(' +', ',')} })}\`;`],
  ['a comment in plain words', `// ${long}`],
  ['a comment with two addresses', `// ${address} ${address}`],
  ['a comment after code', `const a = 1; // ${long}`],
  ['an address after code', `const a = 1; // ${address}`],
  ['code in a template of several lines', `const a = \`\n\${call({ ${names.replaceAll(' +', ',')} })}\n\`;`],
];

describe('a line over 120 columns', () => {
  it.each(good)('passes: %s', (_, code) => {
    expect(wideLines(code, 'tsx')).toEqual([]);
  });

  it.each(bad)('fails: %s', (_, code) => {
    const lines = code.split('\n');
    const at = lines.findIndex((line) => line.length > 120);
    expect(wideLines(code, 'tsx')).toEqual([{ line: at + 1, columns: lines[at]?.length }]);
  });
});
