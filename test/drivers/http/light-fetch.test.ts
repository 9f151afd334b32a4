import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import { LightHeaders, LightResponse } from '#drivers/http/light-fetch.ts';
import { amount } from '#test/fakes/amount.ts';

/** Node's own class, whatever stands in its place. */
let NodeHeaders: typeof Headers;
beforeAll(async () => {
  NodeHeaders = (await fetch('data:,')).headers.constructor as typeof Headers;
});

const streamOf = (...pieces: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });

/** The value, or the name of the error. */
function outcome(act: () => unknown): unknown {
  try {
    return act() ?? null;
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

const names = fc.constantFrom('accept', 'Accept', 'Cookie', 'Set-Cookie', 'x-b', 'a b', '', 'é', '__proto__', 'A');
const values = fc.oneof(
  fc.string(),
  fc.constantFrom('', ' a\t', '\r\nb\n', 'c\r\nd', 'e\0', 'ÿ', 'Ā', '\u{7f}', '\v', '\u{a0}f', 'g, h'),
);
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constantFrom('append' as const, 'set' as const), name: names, value: values }),
    fc.record({ does: fc.constantFrom('get' as const, 'has' as const, 'delete' as const), name: names }),
  ),
);

describe('the light list of headers', () => {
  it('says and refuses what that of Node does', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const [light, node] = [new LightHeaders(), new NodeHeaders()];
        for (const step of all) {
          const done = [light, node].map((list) =>
            outcome(() => ('value' in step ? list[step.does](step.name, step.value) : list[step.does](step.name))),
          );
          expect(done[0], JSON.stringify(step)).toEqual(done[1]);
        }
        expect([...light]).toEqual([...node]);
        expect([...light.keys()]).toEqual([...node.keys()]);
        expect([...light.values()]).toEqual([...node.values()]);
        expect(light.getSetCookie()).toEqual(node.getSetCookie());
        const [told, toldByNode]: string[][] = [[], []];
        light.forEach((value, name) => told?.push(name, value));
        node.forEach((value, name) => toldByNode?.push(name, value));
        expect(told).toEqual(toldByNode);
      }),
      { numRuns: amount(100, 5000) },
    );
  });

  it.each([
    ['nothing', undefined],
    ['an object', { 'X-A': '1', 'x-b': ' 2 ' }],
    ['pairs', [['x-a', '1'] as [string, string], ['X-A', '2'] as [string, string]]],
    ['what is no pair', [['x-a'] as unknown as [string, string]]],
    ['another list', new LightHeaders({ 'x-a': '1' }) as unknown as Headers],
    ['what is no name', { 'x a': '1' }],
  ])('is made from %s as that of Node', (_, init) => {
    expect(outcome(() => [...new LightHeaders(init)])).toEqual(outcome(() => [...new NodeHeaders(init)]));
  });
});

describe('the light response', () => {
  it('gives its stream, and reads it where it is asked to', async () => {
    const body = streamOf('ab', 'c');
    const response = new LightResponse(body, { status: 201, headers: { 'X-A': '1' } });
    expect(response).toMatchObject({ status: 201, ok: true, body, bodyUsed: false, statusText: '' });
    expect(response.headers.get('x-a')).toBe('1');
    expect(await response.text()).toBe('abc');
    expect(response.bodyUsed).toBe(true);
  });

  it('is one of Node for all but a stream, and leaves the globals as they are', async () => {
    const before = [globalThis.Headers, globalThis.Request, globalThis.Response];
    const response = new LightResponse('text');
    expect(response).not.toBeInstanceOf(LightResponse);
    expect([await response.text(), response.headers.get('content-type')]).toEqual(['text', 'text/plain;charset=UTF-8']);
    expect([globalThis.Headers, globalThis.Request, globalThis.Response]).toEqual(before);
  });

  it.each([
    [{ status: 199 }, 'RangeError'],
    [{ status: 600 }, 'RangeError'],
    [{ status: 204 }, 'TypeError'],
    [{ headers: { 'x-a': 'b\nc' } }, 'TypeError'],
  ])('refuses %j', (init, name) => {
    expect(outcome(() => new LightResponse(streamOf(), init))).toBe(name);
  });

  it('is read once, and fails the second time as a promise', async () => {
    const response = new LightResponse(new Response('once').body);
    expect(await response.text()).toBe('once');
    await expect(response.text()).rejects.toThrow(TypeError);
  });

  it('gives its stream twice once it is cloned', async () => {
    const response = new LightResponse(new Response('both').body, { status: 202, headers: { 'x-a': 'b' } });
    const other = response.clone();
    expect([other.status, other.headers.get('x-a')]).toEqual([202, 'b']);
    expect(await Promise.all([response.text(), other.text()])).toEqual(['both', 'both']);
  });

  it('replaces the globals once, however often its module is evaluated', async () => {
    const before = [globalThis.Headers, globalThis.Request, globalThis.Response];
    vi.resetModules();
    const again = await import('#drivers/http/light-fetch.ts');
    expect([globalThis.Headers, globalThis.Request, globalThis.Response]).toEqual(before);
    expect(again.LightResponse).not.toBe(LightResponse);
    const headers = new again.LightResponse('text').headers;
    for (const light of [LightHeaders, again.LightHeaders]) expect(headers).not.toBeInstanceOf(light);
  });

  it('refuses a stream that is in use', () => {
    const body = streamOf('a');
    body.getReader();
    expect(outcome(() => new LightResponse(body))).toBe('TypeError');
  });
});
