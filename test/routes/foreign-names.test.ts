import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { foreignNames, titleOf, watchPrototypes } from '#test/fakes/foreign-names.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const deps = fakeDeps({ inspection: { charts: [], records: () => [], onNext: () => () => {} } });
const app = createApp(deps);
const own = { 'x-proximity-ui': '1', origin: 'http://panel.invalid' };

/** What is wrong with the answer; null where it is declared. A stream has no end, and a page is for people. */
async function faultOf(path: string, init: RequestInit): Promise<string | null> {
  const response = await app.fetch(new Request(`http://panel.invalid${path}`, init), {});
  const type = response.headers.get('content-type') ?? '';
  if (response.status < 400) {
    await response.body?.cancel();
    return null;
  }
  const text = await response.text();
  const isDeclared = type.startsWith('text/html') || Problem().safeParse(JSON.parse(text)).success;
  return response.status === 500 || !isDeclared ? `${response.status} ${text.slice(0, 200)}` : null;
}

const isHeaderName = (name: string): boolean => /^[\w-]+$/.test(name);
/** Half a character has no spelling in a URL or a form: it comes as the sign for one. */
const spelled = (name: string): string => encodeURIComponent(name.toWellFormed());
/** A JSON object with that field first; a literal would set the prototype. */
function withField(name: string, value: string, fields: object): string {
  const rest = JSON.stringify(fields).slice(1, -1);
  return `{${JSON.stringify(name)}:${value}${rest === '' ? '' : `,${rest}`}}`;
}

interface Way {
  readonly how: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly type?: string;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** The bodies that carry a name to a route: as a field, as a value, within a field, and in a form. */
function bodiesOf(
  name: string,
  fields: Readonly<Record<string, unknown>>,
): readonly Pick<Way, 'how' | 'body' | 'type'>[] {
  const within: unknown = JSON.parse(withField(name, '1', {}));
  return [
    { how: 'a field', body: withField(name, '"x"', fields) },
    { how: 'an object', body: withField(name, '{"a":1}', fields) },
    { how: 'the only field', body: withField(name, 'null', {}) },
    { how: 'a form', body: `${spelled(name)}=x`, type: form },
    ...Object.keys(fields).flatMap((field) => [
      { how: `the value of ${field}`, body: JSON.stringify({ ...fields, [field]: name }) },
      { how: `a field within ${field}`, body: JSON.stringify({ ...fields, [field]: within }) },
    ]),
  ];
}

/** What a path holds a place for. */
const places = /\{\w+\}|:\w+/g;

/** Each way on which a name reaches a route. */
function waysOf({ path, query, body }: (typeof app.table)[number], name: string): readonly Way[] {
  const plain = path.replaceAll(places, 'x');
  // An example is the JSON of a body.
  const fields = body !== undefined && 'example' in body ? ((body.example ?? {}) as Record<string, unknown>) : {};
  const filled = body === undefined ? {} : { body: JSON.stringify(fields) };
  return [
    {
      how: 'a query, twice, and a header',
      path: `${plain}?${spelled(name)}=x&${spelled(name)}=y`,
      headers: isHeaderName(name) ? { [name]: 'x' } : {},
      ...filled,
    },
    ...Object.keys(query?.shape ?? {}).map((asked) => ({
      how: `the value of ${asked}`,
      path: `${plain}?${asked}=${spelled(name)}`,
      ...filled,
    })),
    ...(plain === path ? [] : [{ how: 'a path', path: path.replaceAll(places, spelled(name)), ...filled }]),
    ...(body === undefined ? [] : bodiesOf(name, fields).map((one) => ({ ...one, path: plain }))),
  ];
}

describe('a name from outside', () => {
  let isKept: () => void;
  beforeEach(() => {
    isKept = watchPrototypes();
  });
  afterEach(() => isKept());

  it.each(foreignNames.map((name) => [titleOf(name), name]))(
    '%s is refused or ignored by every route',
    async (_, name) => {
      const faults: string[] = [];
      let sent = 0;
      for (const spec of app.table)
        for (const { how, path, headers, body, type = json } of waysOf(spec, name)) {
          sent += 1;
          // oxlint-disable-next-line no-await-in-loop -- one request after another
          const fault = await faultOf(path, {
            method: spec.method.toUpperCase(),
            headers: { ...own, ...(body !== undefined && { 'content-type': type }), ...headers },
            ...(body !== undefined && { body }),
          });
          if (fault !== null) faults.push(`${spec.operationId}, ${how}: ${fault}`);
        }
      expect(faults).toEqual([]);
      expect(sent).toBeGreaterThan(app.table.length);
    },
  );
});
