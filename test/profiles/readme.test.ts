import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { readProfile } from '#profiles/read.ts';
import { yamlLimits } from '#profiles/yaml/limits.ts';

import { fieldTable, profileTable } from './reference.ts';

const file = fileURLToPath(new URL('../../profiles/README.md', import.meta.url));
const text = readFileSync(file, 'utf8');
const between = (name: string, part: string, whole: string): string =>
  whole.replace(
    new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- end -->)`),
    (_all, start: string, end: string) => `${start}${part}${end}`,
  );

describe('the guide to profiles', () => {
  it('has the tables that the schema and the bundled files give; run with -u to write them anew', async () => {
    await expect(between('fields', fieldTable(), between('profiles', profileTable(), text))).toMatchFileSnapshot(file);
  });

  it('shows a profile that passes as it is', () => {
    const [, example = ''] = /```yaml\n([^]*?)```/.exec(text) ?? [];
    expect(readProfile(new TextEncoder().encode(example))).toMatchObject({ ok: true, warnings: [] });
  });

  it('names the limits as they are', () => {
    for (const limit of [yamlLimits.bytes / 1024, yamlLimits.levels, yamlLimits.entries, yamlLimits.characters])
      expect(text.replaceAll(',', '')).toContain(String(limit));
  });
});
