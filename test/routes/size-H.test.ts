import { test } from 'vitest';
import { writeFileSync } from 'node:fs';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';
test('x', async () => {
  for (const [name, over] of [
    ['plain', {}],
    ['inspect', { inspection: { charts: [], records: () => [], onNext: () => () => {} } }],
  ] as const) {
    const r = await createApp(fakeDeps(over)).fetch(new Request('http://x/api/v1/openapi.json'), {});
    const t = await r.text();
    writeFileSync(`/tmp/hH-out/openapi-${name}.json`, t);
    const d = JSON.parse(t);
    const n = (x: unknown): number => new TextEncoder().encode(JSON.stringify(x)).length;
    let examples = 0;
    const walk = (x: unknown): void => {
      if (typeof x !== 'object' || x === null) return;
      for (const [k, v] of Object.entries(x))
        if (k === 'example') examples += n(v) + 11;
        else walk(v);
    };
    walk(d);
    console.log(
      name,
      r.status,
      n(d),
      'paths',
      n(d.paths),
      'schemas',
      n(d.components.schemas),
      'responses',
      n(d.components.responses),
      'examples',
      examples,
    );
  }
});
