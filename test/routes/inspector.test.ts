import { describe, expect, test } from 'vitest';
import { createInspector } from '#actors/kit/inspector.ts';
import { EventFrame, Machines } from '#machines/status/inspection.ts';
import { createApp } from '#routes/app.ts';
import type { Inspection } from '#routes/kit/deps.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';
import { fixtureMachines } from '#test/ui/fixture.ts';

const charts = fixtureMachines.machines.map(({ id, chart, cut }) => ({ id, root: chart, cut }));

function open(more: Partial<Inspection> = {}, viewers = 0) {
  const inspector = createInspector(() => 5);
  const happen = (event: string): void =>
    // What the inspector reads of the library's own report.
    inspector.inspect({
      type: '@xstate.snapshot',
      snapshot: { value: 'on' },
      actorRef: { systemId: 'screen' },
      event: { type: event, password: 'hunter2' },
    } as never);
  const inspection: Inspection = { charts, records: inspector.records, onNext: inspector.onNext, ...more };
  const deps = fakeDeps({ inspection }, { ...settledFacts(), inspector: { viewers } });
  return { app: createApp(deps), deps, happen };
}

const call = (app: ReturnType<typeof createApp>, path: string, init?: RequestInit): Promise<Response> =>
  Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}`, init), {}));

/** Reads frames of a stream one after another. */
function framesOf(response: Response) {
  const reader = response.body?.getReader();
  let text = '';
  return {
    next: async () => {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const frame = text.slice(0, end);
          text = text.slice(end + 2);
          return EventFrame().parse(JSON.parse(frame.slice(frame.indexOf('data: ') + 6)));
        }
        // oxlint-disable-next-line no-await-in-loop -- one piece after another
        const piece = await reader?.read();
        if (piece === undefined || piece.done) throw new Error('the stream ended');
        text += new TextDecoder().decode(piece.value);
      }
    },
    close: () => reader?.cancel(),
  };
}

describe('without --inspect', () => {
  const app = createApp(fakeDeps());
  test.each(['/inspector', '/api/v1/dev/machines', '/api/v1/dev/stream'])('%s does not exist', async (path) => {
    const response = await call(app, path);
    expect([response.status, Problem().parse(await response.json()).error]).toEqual([404, 'not-found']);
    expect((await call(app, path, { method: 'POST' })).status).toBe(404);
  });

  test('it is in no description and no navigation', async () => {
    expect(await (await call(app, '/api/v1/openapi.json')).text()).not.toContain('/dev/');
    expect(await (await call(app, '/')).text()).not.toContain('/inspector');
  });
});

describe('with --inspect', () => {
  test('the machines are answered with the state each is in', async () => {
    const { app } = open();
    const { machines } = Machines().parse(await (await call(app, '/api/v1/dev/machines')).json());
    expect(machines.map(({ id, value }) => [id, value])).toEqual([
      ['stream', 'active'],
      ['volume', 'active'],
    ]);
    expect(machines[1]?.chart).toEqual(charts[1]?.root);
  });

  test('the page is there, and under More', async () => {
    const { app } = open();
    const page = await call(app, '/inspector?part=volume');
    expect([page.status, (await page.text()).includes('<h2 id="inspect-chart">volume</h2>')]).toEqual([200, true]);
    expect(await (await call(app, '/more')).text()).toContain('href="/inspector"');
    expect(await (await call(app, '/')).text()).not.toContain('href="/inspector"');
    expect((await call(app, '/inspector', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
  });

  test('the stream brings what was before, then what happens, without payloads', async () => {
    const { app, deps, happen } = open();
    for (let n = 1; n <= 120; n += 1) happen(`before-${n}`);
    const response = await call(app, '/api/v1/dev/stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const frames = framesOf(response);
    const first = await frames.next();
    expect([first.records.length, first.records[0]?.event, first.dropped]).toEqual([100, 'before-21', 0]);
    happen('later');
    const second = await frames.next();
    expect(second).toEqual({
      records: [{ n: 121, actor: 'screen', of: null, event: 'later', value: 'on', at: 5 }],
      dropped: 0,
    });
    expect(deps.registry.told.map(({ event }) => event.type)).toEqual(['inspector.viewer-joined']);
    await frames.close();
    happen('after the end');
    await expect.poll(() => deps.registry.told.at(-1)?.event.type).toBe('inspector.viewer-left');
  });

  test('what came too fast is dropped, the oldest first, and counted', async () => {
    const { app, happen } = open();
    happen('first');
    const frames = framesOf(await call(app, '/api/v1/dev/stream'));
    await frames.next();
    for (let n = 2; n <= 701; n += 1) happen(`fast-${n}`);
    const frame = await frames.next();
    expect([frame.records.length, frame.dropped, frame.records[0]?.event]).toEqual([500, 200, 'fast-202']);
    await frames.close();
  });

  test('viewers are bounded, and a HEAD is none', async () => {
    const full = open({}, 4);
    const refused = await call(full.app, '/api/v1/dev/stream');
    expect([refused.status, Problem().parse(await refused.json()).error]).toEqual([429, 'too-many-viewers']);
    const { app, deps } = open();
    expect((await call(app, '/api/v1/dev/stream', { method: 'HEAD' })).status).toBe(200);
    expect(deps.registry.told).toEqual([]);
  });

  test('it answers 503 while it restarts or the agent stops', async () => {
    const inspection: Inspection = { charts, records: () => [], onNext: () => () => {} };
    expect((await call(createApp(fakeDeps({ inspection })), '/api/v1/dev/stream')).status).toBe(503);
    const stopping = createApp(fakeDeps({ inspection, stopping: () => true }));
    expect(Problem().parse(await (await call(stopping, '/api/v1/dev/stream')).json()).error).toBe('stopping');
  });

  test('every route is described', async () => {
    const { app } = open();
    const document = (await (await call(app, '/api/v1/openapi.json')).json()) as { paths: Record<string, unknown> };
    expect(Object.keys(document.paths).filter((path) => path.includes('/dev/'))).toEqual([
      '/api/v1/dev/machines',
      '/api/v1/dev/stream',
    ]);
    expect(app.table.filter(({ tag }) => tag === 'inspector').map(({ guard, protects }) => [guard, protects])).toEqual([
      ['ordinary', null],
      ['ordinary', null],
    ]);
  });
});
