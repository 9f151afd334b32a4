import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';
import { type ApiDocument, type Break, breaksOf, isAnnounced } from './api-breaks.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

describe('the API of now', () => {
  it('breaks nothing of the version before that the changelog does not name', async () => {
    const before = JSON.parse(read('openapi-before.json')) as ApiDocument;
    const answer = await createApp(fakeDeps()).fetch(new Request('http://panel.invalid/api/v1/openapi.json'), {});
    const now = (await answer.json()) as ApiDocument;
    expect(Object.keys(before.paths).length).toBeGreaterThan(80);
    const changelog = read('../../CHANGELOG.md');
    const unnamed = breaksOf(before, now).filter((one) => !isAnnounced(one, changelog));
    // Were it not read, nothing would be found.
    const gone = structuredClone(now) as unknown as { paths: Record<string, unknown> };
    delete gone.paths['/api/v1/status'];
    expect(breaksOf(before, gone as unknown as ApiDocument)).toContainEqual({
      method: 'GET',
      path: '/api/v1/status',
      field: null,
      what: 'the path is gone',
    });
    expect(unnamed.map(({ method, path, field, what }) => `${method} ${path} ${field ?? ''}: ${what}`)).toEqual([]);
  });
});

type Node = Readonly<Record<string, unknown>>;
const json = (schema: Node): Node => ({ content: { 'application/json': { schema } } });
const api = (operation: Node, components: Node = {}): ApiDocument =>
  ({ paths: { '/x': { post: operation } }, components }) as unknown as ApiDocument;
const taking = (schema: Node, components?: Node): ApiDocument => api({ requestBody: json(schema) }, components);
const answering = (schema: Node, components?: Node, status = '200'): ApiDocument =>
  api({ responses: { [status]: json(schema) } }, components);
const object = (properties: Node, more: Node = {}): Node => ({ type: 'object', properties, ...more });
const of = (schema: Node): Node => object({ a: schema });
const text = { type: 'string' };
const number = { type: 'integer' };

const said = (before: ApiDocument, now: ApiDocument): readonly string[] =>
  breaksOf(before, now).map(({ method, path, field, what }) => `${method} ${path} ${field ?? '-'}: ${what}`);

describe('a break of an operation', () => {
  const get = { get: {} };
  it.each<readonly [string, Node, Node, string]>([
    ['path', { '/x': get, '/y': get }, { '/y': get }, 'GET /x -: the path is gone'],
    ['method', { '/x': { get: {}, post: {} } }, { '/x': get }, 'POST /x -: it is gone'],
  ])('is named: %s', (_, before, now, expected) => {
    const document = (paths: Node): ApiDocument => ({ paths }) as unknown as ApiDocument;
    expect(said(document(before), document(now))).toEqual([expected]);
    expect(said(document(now), document(before))).toEqual([]);
  });

  const query = (name: string, more: Node = {}): Node => ({ name, in: 'query', schema: text, ...more });
  const both = { responses: { 200: json(text), 404: json(text) } };
  it.each<readonly [string, Node, Node, string]>([
    ['status of an answer', both, { responses: { 200: json(text) } }, '-: the answer 404 is gone'],
    [
      'media type of an answer',
      { responses: { 200: { content: { 'image/png': {}, 'image/jpeg': {} } } } },
      { responses: { 200: { content: { 'image/png': {} } } } },
      '-: the answer 200: image/jpeg is gone',
    ],
    [
      'media type of a body',
      { requestBody: { content: { 'text/plain': {}, 'text/html': {} } } },
      { requestBody: { content: { 'text/html': {} } } },
      '-: the body: text/plain is gone',
    ],
    [
      'body that may no longer be missing',
      { requestBody: json(text) },
      { requestBody: { ...json(text), required: true } },
      '-: the body is required now',
    ],
    ['parameter', { parameters: [query('a')] }, { parameters: [] }, 'a: the query parameter is gone'],
    [
      'parameter that is required now',
      { parameters: [query('a')] },
      { parameters: [query('a', { required: true })] },
      'a: the query parameter is required now',
    ],
    [
      'schema of a parameter',
      { parameters: [query('a')] },
      { parameters: [query('a', { schema: { ...text, maxLength: 8 } })] },
      'a: maxLength is 8, it was open',
    ],
  ])('is named: %s', (_, before, now, expected) => {
    expect(said(api(before), api(now))).toEqual([`POST /x ${expected}`]);
    expect(said(api(before), api(before))).toEqual([]);
  });

  it('is named: a new parameter that has to be there', () => {
    const now = api({ parameters: [query('a', { required: true }), query('b')] });
    expect(said(api({}), now)).toEqual(['POST /x a: the query parameter is required now']);
  });
});

describe('a break of a request', () => {
  it.each<readonly [string, Node, Node, string]>([
    ['field gone', object({ a: text, b: text }), of(text), 'b: the field is not taken any more'],
    ['field required', of(text), object({ a: text }, { required: ['a'] }), 'a: the field is required now'],
    ['new field required', of(text), object({ a: text, b: text }, { required: ['b'] }), 'b: the field is required now'],
    ['type', of({ type: ['string', 'null'] }), of(text), 'a: null is not taken any more'],
    ['number to integer', of({ type: 'number' }), of(number), 'a: number is not taken any more'],
    ['any value to one type', of({}), of(text), 'a: any is not taken any more'],
    ['alternative', of({ anyOf: [text, number] }), of({ oneOf: [text] }), 'a: integer is not taken any more'],
    ['enum', of({ ...text, enum: ['x', 'y'] }), of({ ...text, const: 'x' }), 'a: "y" is not taken any more'],
    ['enum of free text', of(text), of({ ...text, enum: ['x', 'y'] }), 'a: only "x", "y" is taken'],
    ['format', of(text), of({ ...text, format: 'uri' }), 'a: format uri is asked for'],
    ['pattern', of({ ...text, pattern: '^a' }), of({ ...text, pattern: '^ab' }), 'a: pattern ^ab is asked for'],
    ['minimum', of({ ...number, minimum: 0 }), of({ ...number, minimum: 1 }), 'a: minimum is 1, it was 0'],
    ['maximum', of({ ...number, maximum: 9 }), of({ ...number, maximum: 8 }), 'a: maximum is 8, it was 9'],
    ['length', of({ ...text, maxLength: 9 }), of({ ...text, maxLength: 8 }), 'a: maxLength is 8, it was 9'],
    ['least length', of(text), of({ ...text, minLength: 1 }), 'a: minLength is 1, it was open'],
    [
      'number of items',
      of({ type: 'array', items: text }),
      of({ type: 'array', items: text, maxItems: 2 }),
      'a: maxItems is 2, it was open',
    ],
    [
      'item',
      of({ type: 'array', items: of(text) }),
      of({ type: 'array', items: of(number) }),
      'a[].a: string is not taken any more',
    ],
    [
      'value of a map',
      of({ type: 'object', additionalProperties: text }),
      of({ type: 'object', additionalProperties: number }),
      'a.*: string is not taken any more',
    ],
    [
      'closed',
      of(object({})),
      of(object({}, { additionalProperties: false })),
      'a: other fields are not taken any more',
    ],
  ])('is named: %s', (_, before, now, expected) => {
    expect(said(taking(before), taking(now))).toEqual([`POST /x ${expected}`]);
    expect(said(taking(before), taking(before))).toEqual([]);
  });

  it.each<readonly [string, Node, Node]>([
    ['a new field', of(text), object({ a: text, b: text })],
    ['a field that may be missing', object({ a: text }, { required: ['a'] }), of(text)],
    ['a further type', of(number), of({ type: ['number', 'null'] })],
    ['a further value', of({ ...text, const: 'x' }), of({ ...text, enum: ['x', 'y'] })],
    ['a wider range', of({ ...number, minimum: 1, maximum: 2 }), of({ ...number, minimum: 0, maximum: 3 })],
    ['a rule that is gone', of({ ...text, format: 'uri', pattern: '^a', maxLength: 2 }), of(text)],
    ['any value', of(text), of({})],
  ])('is none: %s', (_, before, now) => {
    expect(said(taking(before), taking(now))).toEqual([]);
  });
});

describe('a break of an answer', () => {
  it.each<readonly [string, Node, Node, string]>([
    ['field gone', object({ a: text, b: text }), of(text), 'b: the field is gone'],
    ['field that may be missing', object({ a: text }, { required: ['a'] }), of(text), 'a: the field may be missing'],
    ['type', of(text), of(number), 'a: integer is a new type of it'],
    ['null', of(text), of({ type: ['string', 'null'] }), 'a: null is a new type of it'],
    ['integer to number', of(number), of({ type: 'number' }), 'a: number is a new type of it'],
    ['enum', of({ ...text, enum: ['x'] }), of({ ...text, enum: ['x', 'y'] }), 'a: may be "y"'],
    ['enum that is gone', of({ ...text, enum: ['x'] }), of(text), 'a: may be other than "x"'],
    [
      'alternative with another field',
      { oneOf: [object({ k: { const: 1 }, a: text }), object({ k: { const: 2 }, b: text })] },
      { oneOf: [object({ k: { const: 1 }, a: text }), object({ k: { const: 2 } })] },
      'b: the field is gone',
    ],
    [
      'part of a whole',
      { allOf: [of(text), object({ b: text })] },
      { allOf: [of(text), object({ c: text })] },
      'b: the field is gone',
    ],
  ])('is named: %s', (_, before, now, expected) => {
    expect(said(answering(before), answering(now))).toEqual([`POST /x ${expected}`]);
    expect(said(answering(before), answering(before))).toEqual([]);
  });

  it.each<readonly [string, Node, Node]>([
    ['a new field', of(text), object({ a: text, b: text })],
    ['a value that is gone', of({ ...text, enum: ['x', 'y'] }), of({ ...text, enum: ['x'] })],
    ['a type that is gone', of({ type: ['string', 'null'] }), of(text)],
    ['another range', of({ ...number, maximum: 9 }), of({ ...number, maximum: 8 })],
  ])('is none: %s', (_, before, now) => {
    expect(said(answering(before), answering(now))).toEqual([]);
  });

  it('is none where a refusal has a further code', () => {
    const [before, now] = [of({ ...text, enum: ['x'] }), of({ ...text, enum: ['x', 'y'] })];
    expect(said(answering(before, {}, '409'), answering(now, {}, '409'))).toEqual([]);
  });

  it('is found behind a name, and in a schema that contains itself', () => {
    const tree = (more: Node): Node => ({
      schemas: { Tree: object({ children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } }, ...more }) },
      responses: { Found: json({ $ref: '#/components/schemas/Tree' }) },
    });
    const operation = { responses: { 200: { $ref: '#/components/responses/Found' } } };
    expect(said(api(operation, tree({ a: text })), api(operation, tree({})))).toEqual(['POST /x a: the field is gone']);
    expect(() => said(api(operation, {}), api(operation, {}))).toThrow('#/components/responses/Found leads nowhere');
  });
});

describe('the changelog names a break', () => {
  const whole: Break = { method: 'GET', path: '/a', field: null, what: 'the path is gone' };
  const field: Break = { method: 'GET', path: '/a', field: 'b.c', what: 'the field is gone' };
  const changelog = (line: string, heading = 'Changed'): string =>
    `# Changelog\n\n## Unreleased\n\n### Added\n\n- x\n\n### ${heading}\n\n- ${line}\n\n### Fixed\n\n- y\n\n## 0.1.0\n\n- z\n`;

  it.each<readonly [Break, string]>([
    [whole, 'There is no `/a` any more.'],
    [whole, '`GET /a` is gone.'],
    [field, '`GET /a b.c` is gone.'],
    [field, '`/a b.c` is gone.'],
    [field, '`b.c` of `/a` is gone.'],
  ])('%o: %s', (one, line) => {
    expect(isAnnounced(one, changelog(line))).toBe(true);
    expect(isAnnounced(one, changelog(line, 'Removed'))).toBe(true);
    expect(isAnnounced(one, changelog(line, 'Added'))).toBe(false);
    expect(isAnnounced(one, changelog('x').replace('- z', `### Changed\n\n- ${line}`))).toBe(false);
  });

  it.each<readonly [Break, string]>([
    [whole, 'There is no /a any more.'],
    [whole, '`POST /a` is gone.'],
    [whole, '`/a/b` is gone.'],
    [field, '`/a` has changed.'],
    [field, '`b.c` is gone.'],
    [field, '`/a b` is gone.'],
  ])('and not, %o: %s', (one, line) => {
    expect(isAnnounced(one, changelog(line))).toBe(false);
  });
});
