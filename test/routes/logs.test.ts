import { describe, expect, test } from 'vitest';
import { createLogTail } from '#drivers/log/tail.ts';
import { maxLogViewers } from '#machines/live-log/events.ts';
import { createApp } from '#routes/app.ts';
import { Logs } from '#routes/logs.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const path = '/api/v1/logs/stream';

function start(facts = settledFacts()) {
  const logs = createLogTail({ lines: 200, scrub: (text) => text });
  const deps = fakeDeps({ logs }, facts);
  const app = createApp(deps);
  const keep = (count: number): void => {
    for (let index = 0; index < count; index += 1)
      logs.keep(JSON.stringify({ level: 'info', time: 1, msg: `line ${logs.newest() + 1}` }));
  };
  const announce = (): void => deps.registry.put('live-log', { revision: logs.newest(), viewers: 1 });
  const get = (query = '', init: RequestInit = {}): Promise<Response> =>
    Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}${query}`, init), {}));
  return { logs, deps, app, keep, announce, get };
}

/** Reads a stream until `wanted` has been seen. */
async function readUntil(response: Response, wanted: string): Promise<string> {
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
}

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
    const { get } = start({ ...settledFacts(), 'live-log': { revision: 0, viewers: maxLogViewers } });
    const response = await get();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
    expect(Problem().parse(await response.json()).error).toBe('too-many-viewers');
  });

  test.each(['?source=system', '?backlog=-1', '?backlog=many', '?after=1', `?after=00000000-${'9'.repeat(40)}`])(
    '%s is refused',
    async (query) => {
      const response = await start().get(query);
      expect([response.status, Problem().parse(await response.json()).error]).toEqual([400, 'invalid-query']);
    },
  );

  test('starts real work, so browsers must say where they come from', () => {
    expect(start().app.isActiveGet(path, '')).toBe(true);
    expect(start().app.isActiveGet('/logs/stream', '')).toBe(true);
  });
});

describe('the kept log', () => {
  const kept = async (query: string, fill?: (rig: ReturnType<typeof start>) => void): Promise<Response> => {
    const rig = start();
    fill?.(rig);
    return rig.app.fetch(new Request(`http://panel.invalid/api/v1/logs${query}`), {});
  };
  const past = ({ logs, keep }: ReturnType<typeof start>): void => {
    const line = { kind: 'line', at: 5, level: 'error', part: 'mqtt', text: 'Before.', facts: 'code=1' } as const;
    logs.recall({ entries: [{ kind: 'left_out', at: 4, count: 3 }, line], before: 'crashed' });
    keep(2);
  };

  test('is text, the oldest first, of all runs', async () => {
    const response = await kept('', past);
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'no-store',
    ]);
    expect(response.headers.get('content-disposition')).toBe('inline');
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      '----- 3 lines left out here: they came too fast.',
      'error mqtt: Before. code=1',
      '----- Sconce started here: the previous run crashed.',
      'info  line 1',
      'info  line 2',
    ]);
  });

  test('is JSON with the position at which the live one goes on', async () => {
    const rig = start();
    past(rig);
    const response = await rig.app.fetch(new Request('http://panel.invalid/api/v1/logs?format=json&lines=3'), {});
    const { position, entries } = Logs().parse(await response.json());
    expect(position).toBe(`${rig.logs.run}-2`);
    expect(entries.map((entry) => entry.kind)).toEqual(['started', 'line', 'line']);
    rig.keep(1);
    expect(seqs(await readUntil(await rig.get(`?after=${position}`), 'line 3"'))).toEqual([3]);
  });

  test.each([
    ['?download=1', 'sconce-log.txt'],
    ['?download=1&format=json', 'sconce-log.json'],
  ])('%s is a file', async (query, name) => {
    expect((await kept(query)).headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  });

  test.each(['text', 'json'])('as %s is at most 1 MB, the newest of it', async (format) => {
    const text = '"'.repeat(1900);
    const line = { kind: 'line', at: 5, level: 'info', part: '', text, facts: text } as const;
    const body = await (
      await kept(`?lines=5000&format=${format}`, ({ logs, keep }) => {
        logs.recall({ entries: Array.from({ length: 199 }, () => line), before: null });
        keep(1);
      })
    ).text();
    expect(body.length).toBeLessThanOrEqual(1_001_000);
    expect(body.length).toBeGreaterThan(400_000);
    expect(body).toContain('line 1');
  });

  test.each(['?lines=0', '?lines=5001', '?lines=x', '?format=csv', '?download=yes', '?other=1'])(
    '%s is refused',
    async (query) => {
      const response = await kept(query);
      expect([response.status, Problem().parse(await response.json()).error]).toEqual([400, 'invalid-query']);
    },
  );
});

describe('a viewer', () => {
  const started = /^event: started\ndata: (.*)$/m;
  test('that begins with the first line, or knows another run, is told where this one began', async () => {
    const { keep, get, logs } = start();
    logs.recall({ entries: [], before: 'power' });
    keep(3);
    const text = await readUntil(await get(), 'line 3"');
    expect(JSON.parse(started.exec(text)?.[1] ?? '')).toEqual(logs.start());
    expect(text.indexOf('event: started')).toBeLessThan(text.indexOf('line 1"'));
    expect(await readUntil(await get('?after=00000000-9&backlog=1'), 'line 3"')).toMatch(started);
    expect(logs.start().before).toBe('power');
  });

  test.each(['?backlog=2', '?after=RUN-1'])('%s is told only its lines', async (query) => {
    const { keep, get, logs } = start();
    keep(3);
    expect(await readUntil(await get(query.replace('RUN', logs.run)), 'line 3"')).not.toMatch(started);
  });
});
