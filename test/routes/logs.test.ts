import { describe, expect, test } from 'vitest';
import { createLogTail } from '#drivers/log/tail.ts';
import { maxLogViewers } from '#machines/logs/events.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const path = '/api/v1/logs/stream';

const start = (facts = settledFacts()) => {
  const logs = createLogTail({ lines: 200, scrub: (text) => text });
  const deps = fakeDeps({ logs }, facts);
  const app = createApp(deps);
  const keep = (count: number): void => {
    for (let index = 0; index < count; index += 1)
      logs.keep(JSON.stringify({ level: 'info', time: 1, msg: `line ${logs.newest() + 1}` }));
  };
  const announce = (): void => deps.registry.put('logs', { revision: logs.newest(), viewers: 1 });
  const get = (query = '', init: RequestInit = {}): Promise<Response> =>
    Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}${query}`, init), {}));
  return { logs, deps, app, keep, announce, get };
};

/** Reads a stream until `wanted` has been seen. */
const readUntil = async (response: Response, wanted: string): Promise<string> => {
  if (response.body === null) throw new Error('no body');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes(wanted)) {
    // oxlint-disable-next-line no-await-in-loop -- one piece after another
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value);
  }
  await reader.cancel();
  return text;
};

const seqs = (text: string): number[] =>
  [...text.matchAll(/^id: [0-9a-f]{8}-(\d+)$/gm)].map((match) => Number(match[1]));

describe('the live log', () => {
  test('begins with the newest lines, at most as many as are wanted', async () => {
    const { keep, get, announce } = start();
    keep(500);
    expect(seqs(await readUntil(await get(), 'line 500"'))).toEqual(
      Array.from({ length: 200 }, (_, index) => 301 + index),
    );
    expect(seqs(await readUntil(await get('?backlog=3'), 'line 500"'))).toEqual([498, 499, 500]);
    const none = await get('?backlog=0');
    keep(1);
    announce();
    expect(seqs(await readUntil(none, 'line 501"'))).toEqual([501]);
  });

  test('goes on from the position that a viewer knows, in the query or as browsers send it', async () => {
    const { keep, get, logs } = start();
    keep(10);
    expect(seqs(await readUntil(await get(`?after=${logs.run}-8`), 'line 10"'))).toEqual([9, 10]);
    expect(
      seqs(
        await readUntil(await get('?after=00000000-1', { headers: { 'Last-Event-ID': `${logs.run}-9` } }), 'line 10"'),
      ),
    ).toEqual([10]);
    expect(seqs(await readUntil(await get('?after=00000000-9&backlog=4'), 'line 10"'))).toEqual([7, 8, 9, 10]);
  });

  test('tells a viewer that fell behind how many lines it lost', async () => {
    const { keep, get, announce } = start();
    keep(1);
    const response = await get();
    const reader = response.body?.getReader();
    await reader?.read();
    reader?.releaseLock();
    keep(1000);
    announce();
    const text = await readUntil(response, 'line 1001"');
    expect(text).toMatch(/event: dropped\ndata: \{"count":\d+\}/);
    const lost = Number(/"count":(\d+)/.exec(text)?.[1]);
    expect(lost).toBeGreaterThanOrEqual(736);
    const seen = seqs(text);
    expect(seen.at(-1)).toBe(1001);
    expect(seen.length + lost).toBe(1000);
  });

  test('counts its viewers, and forgets the one that leaves', async () => {
    const { deps, keep, get } = start();
    keep(1);
    await readUntil(await get(), 'line 1"');
    await expect
      .poll(() => deps.registry.told.map(({ event }) => event.type))
      .toEqual(['logs.viewer-joined', 'logs.viewer-left']);
  });

  test('a HEAD is no viewer', async () => {
    const { deps, get } = start();
    for (let n = 0; n < 20; n += 1) expect((await get('', { method: 'HEAD' })).status).toBe(200);
    expect(deps.registry.told).toEqual([]);
  });

  test('one viewer too many is told when to come again', async () => {
    const { get } = start({ ...settledFacts(), logs: { revision: 0, viewers: maxLogViewers } });
    const response = await get();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
    expect(Problem.parse(await response.json()).error).toBe('too-many-viewers');
  });

  test.each(['?source=system', '?backlog=-1', '?backlog=many', '?after=1', `?after=00000000-${'9'.repeat(40)}`])(
    '%s is refused',
    async (query) => {
      const response = await start().get(query);
      expect([response.status, Problem.parse(await response.json()).error]).toEqual([400, 'invalid-query']);
    },
  );

  test('starts real work, so browsers must say where they come from', () => {
    expect(start().app.isActiveGet(path, '')).toBe(true);
    expect(start().app.isActiveGet('/logs/stream', '')).toBe(true);
  });
});
