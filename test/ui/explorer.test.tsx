import { describe, expect, it, test } from 'vitest';
import { createApp } from '#routes/app.ts';
import { marks } from '#routes/kit/tags.ts';
import { Body, Operation } from '#ui/parts/explorer-operation.tsx';
import { Explorer } from '#ui/parts/explorer-view.tsx';
import { type OpenApi, type OperationFacts, operationsOf } from '#ui/parts/openapi.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';
import { markupOf } from './markup.ts';

/** The document of this build, as the page reads it. */
async function read(): Promise<OpenApi> {
  const response = await createApp(fakeDeps()).fetch(new Request('http://panel.invalid/api/v1/openapi.json'), {});
  // The page reads the same document so, and takes each of its fields for one that may be missing.
  return (await response.json()) as OpenApi;
}
const document = await read();
const operations = operationsOf(document);
function at(method: string, path: string): OperationFacts {
  const found = operations.find((one) => one.method === method && one.path === path);
  if (found === undefined) throw new Error(`there is no ${method} ${path}`);
  return found;
}
const drawn = (operation: OperationFacts): string => markupOf(<Operation operation={operation} />);

describe('a body', () => {
  const touch = at('POST', '/api/v1/simulator');

  it('starts from its example, in the shape that the example has', () => {
    const action = at('POST', '/api/v1/action').bodies[0];
    expect(JSON.parse(action?.alternatives[action.first]?.text ?? '')).toEqual({
      a: 'light',
      id: 'led',
      brightness: 128,
      rgb: [255, 120, 0],
    });
    expect(drawn(at('POST', '/api/v1/action'))).toContain('&quot;rgb&quot;');
  });

  it('can be chosen among its shapes, each with something to start from', () => {
    const json = touch.bodies.find(({ type }) => type === 'application/json');
    expect(json?.alternatives.map(({ label }) => label).slice(0, 3)).toEqual([
      'Presses a button once',
      'Holds a button down',
      'Changes the light in the room',
    ]);
    expect(json?.alternatives.map(({ text }) => Object.keys(JSON.parse(text)))).toContainEqual(['plug', 'plugged']);
  });

  it('is a form of inputs where it can be sent as one', () => {
    const index = touch.bodies.findIndex(({ form }) => form);
    const form = touch.bodies[index];
    expect(form?.alternatives.find(({ label }) => label === 'Holds a button down')?.fields).toEqual([
      {
        name: 'hold',
        description: 'Which button.',
        required: true,
        options: null,
        number: true,
        value: '1',
      },
      {
        name: 'down',
        description: 'False releases it.',
        required: true,
        options: ['true', 'false'],
        number: false,
        value: 'true',
      },
    ]);
    if (form === undefined) return;
    const markup = markupOf(<Body body={form} id="b" />);
    expect(markup).toContain('name="press"');
    expect(markup).toContain('data-in="form"');
    expect(markup).not.toContain('textarea');
  });

  it('is text where its media type is', () => {
    const play = at('POST', '/api/v1/play').bodies;
    expect(play.map(({ type, alternatives }) => [type, alternatives[0]?.text.slice(0, 9)])).toEqual([
      ['text/plain', 'http://19'],
      ['application/json', '{\n  "url"'],
      ['application/x-www-form-urlencoded', '{\n  "url"'],
    ]);
    expect(play[2]?.alternatives[0]?.fields[0]?.value).toMatch(/^http:\/\/192\.0\.2\./);
    for (const { alternatives } of at('POST', '/api/v1/profiles/preview').bodies)
      expect(alternatives[0]?.text).toMatch(/^schema: 1\n/);
  });
});

describe('an answer', () => {
  test('that several requests share is shown with its codes, and one of its own with its example', () => {
    const markup = drawn(at('GET', '/api/v1/sensors'));
    expect(markup).toContain('<code>peer-not-local</code>');
    expect(markup).toContain('&quot;lux&quot;: 120');
    for (const { answers, path } of operations)
      for (const { description, status } of answers) expect(description, `${path} ${status}`).not.toBe('');
  });
});

describe('a request', () => {
  test('is tried before it is refused: its refusals are folded, and counted', () => {
    const markup = drawn(at('GET', '/api/v1/sensors'));
    const fold = markup.indexOf('<details class="fold"><summary><span class="fold-title">');
    expect(markup.indexOf('Try it')).toBeGreaterThan(-1);
    expect(markup.indexOf('Try it')).toBeLessThan(fold);
    const reset = drawn(at('POST', '/api/v1/setup/reset'));
    expect(reset.indexOf('Try it')).toBeLessThan(reset.indexOf('First the entities are removed'));
    const refusals = at('GET', '/api/v1/sensors').answers.filter(({ codes }) => codes.length > 0).length;
    expect(markup).toContain(`>${refusals} error responses</span>`);
    expect(markup.slice(0, fold)).not.toContain('peer-not-local');
    expect(markup.slice(0, fold)).toContain('&quot;lux&quot;: 120');
  });
});

describe('the list', () => {
  const markup = markupOf(<Explorer document={document} operations={operations} />);

  it('has every request, in the order of the families, each with what it is about', () => {
    expect(markup.match(/data-operation=/g)).toHaveLength(operations.length);
    const families = [...markup.matchAll(/data-tag="([^"]+)"/g)].map(([, name]) => name);
    // Marks are groups of the document alone: what has one is in its family too.
    const groups = document.tags?.filter(({ name }) => !(name in marks)) ?? [];
    expect(families).toEqual(groups.map(({ name }) => name));
    for (const { description } of groups) expect(markup).toContain((description ?? '').split('`')[0]);
  });

  it('folds what is another name or gone', () => {
    const older = markup.split('data-older').slice(1).join('');
    expect(older).toContain('/api/v1/profiles/activate');
    expect(markup.split('data-older')[0]).not.toContain('/api/v1/profiles/activate');
    expect(operations.filter(({ deprecated }) => deprecated).length).toBeGreaterThan(10);
  });

  it('says once what holds for every request', () => {
    expect(markup).toContain('About all requests');
    expect(markup).toContain('<code>not-found</code>');
  });
});

test('headers and parameters of the path can be filled in, and choices are chosen', () => {
  expect(drawn(at('POST', '/api/v1/profiles/import'))).toContain('name="x-profile-preview-token" data-in="header"');
  expect(drawn(at('GET', '/api/v1/profiles/{id}/revisions/{revision}'))).toContain('data-in="path"');
  expect(drawn(at('GET', '/api/v1/sensortrace'))).toContain('<option value="csv"');
});
