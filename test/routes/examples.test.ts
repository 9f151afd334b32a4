import { describe, expect, it, test } from 'vitest';
import type { z } from 'zod';
import { defaultConfiguration, mergeSettings } from '#machines/settings/merge.ts';
import { readProfile } from '#profiles/read.ts';
import { createApp } from '#routes/app.ts';
import { schemaOf } from '#routes/kit/describe.ts';
import recorded from '#routes/examples.json' with { type: 'json' };
import { exampleKey, recordedExample } from '#routes/recorded-examples.ts';
import type { RouteSpec } from '#routes/kit/route-spec.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

/** Most bytes of the document, and of the examples in it. */
const mostBytes = 440_000;
const mostExampleBytes = 60_000;

const recordedKeys = Object.keys(recorded);

interface Shown {
  readonly key?: string;
  readonly type: string;
  readonly schema: z.ZodType;
  readonly example?: unknown;
}

const inspection = { charts: [], records: () => [], onNext: () => () => {} };
const { table } = createApp(fakeDeps({ inspection }));
const nameOf = ({ operationId }: RouteSpec): string => operationId;

/** Everything of a route that can be shown by an example: its answers, and the ways in which its body is written. */
function shownOf({ operationId, answers, body }: RouteSpec): readonly Shown[] {
  const of = (what: string, one: Shown): Shown => ({
    key: exampleKey(operationId, what, one.type),
    type: one.type,
    schema: one.schema,
    example: one.example ?? recordedExample(operationId, what, one.type),
  });
  const given = Object.entries(answers).flatMap(([status, answer]) => [
    of(status, answer),
    ...(answer.also === undefined ? [] : [of(status, answer.also)]),
  ]);
  if (body === undefined) return given;
  if (body.reads === 'raw' || body.reads === 'file')
    return [...given, ...Object.entries(body.types).map(([type, one]) => of('body', { type, ...one }))];
  return [
    ...given,
    of('body', {
      type: 'application/json',
      schema: schemaOf(body),
      ...('example' in body ? { example: body.example } : {}),
    }),
  ];
}

const isJson = ({ type }: Shown): boolean => type === 'application/json';

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** The examples of a document, wherever they stand. */
function examplesIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => (key === 'example' ? [one] : examplesIn(one)));
}

/** The fields that a document says nothing of, by their place. */
function unsaid(value: unknown, place: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) => {
    if (key === 'example') return [];
    if (key !== 'properties' || typeof one !== 'object' || one === null) return unsaid(one, `${place}/${key}`);
    return Object.entries(one).flatMap(([name, field]: [string, object]) => [
      ...('description' in field || '$ref' in field ? [] : [`${place}.${name}`]),
      ...unsaid(field, `${place}.${name}`),
    ]);
  });
}

async function readDocument(more: Parameters<typeof fakeDeps>[0] = {}) {
  const response = await createApp(fakeDeps(more)).fetch(new Request('http://panel.invalid/api/v1/openapi.json'), {});
  const text = await response.text();
  // The document is tested against its routes elsewhere.
  return { text, document: JSON.parse(text) as { readonly components: { readonly schemas: object } } };
}

describe('examples', () => {
  const current = table.filter(({ deprecated }) => deprecated !== true);

  it('stand at each JSON answer and each body, save other names of an operation', () => {
    const without = current.filter((spec) => shownOf(spec).some((one) => isJson(one) && one.example === undefined));
    expect(without.map(nameOf)).toEqual([]);
    const bodies = current.filter(({ body }) => body?.reads === 'raw');
    expect(bodies.length).toBeGreaterThan(3);
    for (const spec of bodies)
      expect([
        nameOf(spec),
        shownOf(spec).some(({ key, example }) => key?.includes(' body ') === true && example !== undefined),
      ]).toEqual([nameOf(spec), true]);
  });

  test.each(table.map((spec) => [nameOf(spec), spec] as const))('of %s fit their schemas', (_, spec) => {
    for (const { schema, example } of shownOf(spec))
      if (example !== undefined) expect(schema.safeParse(example).error).toBeUndefined();
  });

  it('that were recorded are each of something that the document shows, and have no second one', () => {
    const shown = new Map(table.flatMap(shownOf).map(({ key = '', example }) => [key, example]));
    expect(recordedKeys.length).toBeGreaterThan(30);
    for (const key of recordedKeys) {
      const [id = '', what = '', type = ''] = key.split(' ');
      expect([key, shown.get(key)]).toEqual([key, recordedExample(id, what, type)]);
    }
  });

  it('that were recorded name neither the machine nor the moment', () => {
    const text = recordedKeys
      .map((key) => {
        const [id = '', what = '', type = ''] = key.split(' ');
        return JSON.stringify(recordedExample(id, what, type));
      })
      .join('\n');
    const distinct = (pattern: RegExp): readonly string[] => [...new Set(text.match(pattern))].toSorted();
    expect(distinct(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g)).toEqual(['192.168.1.10']);
    expect(distinct(/\b\d{13}\b/g)).toEqual(['1795352177000']);
    expect(distinct(/\d{4}-\d\d-\d\dT[\d:.]+Z/g)).toEqual(['2026-11-22T12:56:17.000Z']);
    expect(distinct(/\b[0-9a-f]{64}\b/g)).toHaveLength(1);
    expect(distinct(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g)).toHaveLength(1);
    expect(text).not.toMatch(/\/(?:tmp|home|root|var)\b|localhost/);
  });

  it('of a save and of a profile are taken as they stand', () => {
    const save = table.find(({ operationId }) => operationId === 'changeConfig')?.body;
    const example = save?.reads === 'flat' ? save.example : undefined;
    // A body as JSON gives it.
    expect(mergeSettings(defaultConfiguration, example as Readonly<Record<string, unknown>>).status).toBe('saved');
    const yaml = String(recordedExample('importProfile', 'body', 'application/yaml'));
    expect(readProfile(new TextEncoder().encode(yaml))).toMatchObject({ ok: true, warnings: [] });
  });
});

describe('the document', () => {
  it('stays light', async () => {
    const { text, document } = await readDocument();
    expect(bytesOf(JSON.parse(text))).toBeLessThan(mostBytes);
    const examples = examplesIn(document);
    expect(examples.length).toBeGreaterThan(50);
    expect(examples.reduce((sum: number, one) => sum + bytesOf(one), 0)).toBeLessThan(mostExampleBytes);
  });

  it('says of each field and parameter what it is', async () => {
    const { document } = await readDocument({ inspection });
    // What Home Assistant shows is described once, for all of them.
    const fields = unsaid(document.components.schemas, '').filter((place) => !place.includes('.ha_expose_'));
    expect(fields).toEqual([]);
    for (const spec of table)
      for (const schema of [spec.params, spec.query, spec.headers])
        for (const [name, field] of Object.entries(schema?.shape ?? {}))
          expect(field.meta()?.['description'], `${nameOf(spec)} ${name}`).toEqual(expect.any(String));
  });

  it('has no reference that may be null and is described as what null never fits', async () => {
    const { text } = await readDocument({ inspection });
    expect(text).not.toMatch(/"allOf":\[\{"\$ref":"[^"]*"\},\{"type":\["[a-z]+","null"\]/);
  });
});
