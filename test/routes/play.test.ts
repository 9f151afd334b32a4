import { describe, expect, test } from 'vitest';
import { createActor, type EventObject } from 'xstate';
import { z } from 'zod';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AnnouncerEvent, PlayerCommand, PlayerFact } from '#machines/announcer/events.ts';
import { announcerMachine } from '#machines/announcer/machine.ts';
import { working } from '#machines/kit/verdict.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const url = 'http://192.0.2.1:8123/api/tts_proxy/a.mp3?authSig=marker';
const paths = ['/play', '/api/v1/play'] as const;
const send = (
  app: ReturnType<typeof createApp>,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  type?: string,
  accept?: string,
): Promise<Response> =>
  Promise.resolve(
    app.fetch(
      new Request(`http://panel.invalid${path}`, {
        method: 'POST',
        body,
        headers: {
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(accept === undefined ? {} : { accept }),
        },
      }),
      {},
    ),
  );

describe.each(paths)('%s', (path) => {
  test.each([
    ['application/json', JSON.stringify({ url }), undefined],
    ['application/json; charset=utf-8', JSON.stringify({ url }), '*/*'],
    ['application/vnd.panel+json', JSON.stringify({ url }), undefined],
    ['application/x-www-form-urlencoded', JSON.stringify({ url }), '*/*'],
    [undefined, JSON.stringify({ url }), undefined],
    ['text/plain', url, 'application/json'],
    ['text/plain', url, 'application/json, text/plain, */*'],
    [undefined, url, 'text/plain;q=0.5, application/json'],
  ])('answers %s with the body %s and Accept %s by the announcement that was accepted', async (type, body, accept) => {
    const facts = settledFacts();
    facts['announcer'] = { ...(facts['announcer'] as object), phase: 'queued', generation: 7, startedAt: 9 };
    const deps = fakeDeps({}, facts);
    const response = await send(createApp(deps), path, new TextEncoder().encode(body), type, accept);
    expect([response.status, await response.json()]).toEqual([202, { ok: true, generation: 7, state: 'queued' }]);
    expect(deps.registry.told).toHaveLength(1);
  });

  test.each([
    ['text/plain', url],
    ['application/x-www-form-urlencoded', url],
    ['application/x-www-form-urlencoded', `url=${encodeURIComponent(url)}`],
    ['audio/mpeg', url],
    ['nonsense', url],
    [undefined, url],
  ])('takes %s with the body %s', async (type, body) => {
    const deps = fakeDeps();
    const response = await send(createApp(deps), path, new TextEncoder().encode(body), type, '*/*');
    expect([response.status, await response.text()]).toEqual([200, 'playing\n']);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(deps.registry.told).toEqual([
      { id: 'announcer', event: { type: 'announcement.play', url, at: deps.now() } },
    ]);
  });

  test.each(['', 'hello marker', '{}', '{"url":"ftp://marker/"}', 'file:///marker'])(
    '%j holds no address: 400 no-url, and it is not repeated',
    async (body) => {
      const deps = fakeDeps();
      const response = await send(createApp(deps), path, body);
      const problem = Problem().parse(await response.json());
      expect([response.status, problem.error]).toEqual([400, 'no-url']);
      expect(problem.message).not.toContain('marker');
      expect(deps.registry.told).toEqual([]);
    },
  );

  test('is closed while the agent stops', async () => {
    const deps = fakeDeps({ stopping: () => true });
    for (const body of [url, '']) {
      // oxlint-disable-next-line no-await-in-loop -- one body after another
      const response = await send(createApp(deps), path, body);
      expect([response.status, Problem().parse(await response.json()).error]).toEqual([503, 'stopping']);
    }
    expect(deps.registry.told).toEqual([]);
  });

  test('says which command is missing where nothing can play, and tries where only the sound system is down', async () => {
    const facts = settledFacts();
    const announcer = { player: null, phase: 'idle', reason: null, generation: 0, startedAt: null };
    facts['announcer'] = {
      ...announcer,
      verdict: { state: 'needs_you', reason: 'no-player', detail: 'Nothing plays.', missing: null, fix: null },
    };
    const refused = await send(createApp(fakeDeps({}, facts)), path, url);
    expect([refused.status, Problem().parse(await refused.json())]).toMatchObject([
      409,
      { error: 'not-here', message: 'Nothing plays.' },
    ]);
    facts['announcer'] = {
      ...announcer,
      verdict: { state: 'not_here', reason: 'no-sound-card', detail: 'No card.', missing: null, fix: null },
    };
    expect((await send(createApp(fakeDeps({}, facts)), path, url)).status).toBe(200);
    delete facts['announcer'];
    const deps = fakeDeps({}, facts);
    expect((await send(createApp(deps), path, url)).status).toBe(409);
    const restarting: typeof deps = { ...deps, registry: { ...deps.registry, ids: () => ['announcer'] } };
    expect((await send(createApp(restarting), path, url)).status).toBe(503);
  });
});

test('both paths are the same route: bounded to 16 KiB and protected as remote media', () => {
  const app = createApp(fakeDeps());
  const specs = paths.map((path) => app.table.find((spec) => spec.path === path));
  for (const spec of specs)
    expect(spec).toMatchObject({
      method: 'post',
      guard: 'write',
      operations: ['REMOTE_MEDIA'],
      maxBodyBytes: 16_384,
    });
  expect(specs.map((spec) => spec?.operationId)).toEqual(['playAtRoot', 'play']);
  const own = { path: '', operationId: '', description: '' };
  expect({ ...specs[0], ...own }).toEqual({ ...specs[1], ...own });
});

test('the status says what became of it, in a code and in words', async () => {
  const facts = settledFacts();
  facts['announcer'] = {
    verdict: working('player-found', 'x'),
    player: 'mpv',
    phase: 'failed',
    reason: 'certificate-untrusted',
    generation: 4,
    startedAt: 9,
  };
  const response = await createApp(fakeDeps({}, facts)).fetch(new Request('http://panel.invalid/api/v1/status'), {});
  expect(await response.json()).toMatchObject({
    announcement: {
      phase: 'failed',
      reason: 'certificate-untrusted',
      generation: 4,
      started_at: 9,
      detail: expect.stringContaining('not trusted'),
    },
  });
});

test('a caller that wants the plain word gets it, whatever it sends', async () => {
  const response = await send(
    createApp(fakeDeps()),
    '/play',
    JSON.stringify({ url }),
    'application/json',
    'text/plain',
  );
  expect([response.status, await response.text()]).toEqual([200, 'playing\n']);
});

test('an announcement is answered by its own generation, and the status tells by it what became of it', async () => {
  const actor = createActor(
    announcerMachine.provide({
      actors: {
        player: fromDriver<PlayerCommand, undefined, PlayerFact>(() => {}),
        duck: fromDriver<EventObject, undefined, never>(() => {}),
      },
    }),
  );
  actor.start();
  const base = fakeDeps();
  const show = (): void => base.registry.put('announcer', actor.getSnapshot().context);
  const deps: typeof base = {
    ...base,
    registry: {
      ...base.registry,
      tell: (_, event) => {
        // The route tells nothing but announcements.
        actor.send(event as AnnouncerEvent);
        show();
        return 'delivered';
      },
    },
  };
  const app = createApp(deps);
  const play = async (): Promise<unknown> => (await send(app, '/play', JSON.stringify({ url }))).json();
  const announced = async (): Promise<unknown> =>
    z
      .object({ announcement: z.object({ generation: z.number(), phase: z.string(), reason: z.string().nullable() }) })
      .parse(await (await app.fetch(new Request('http://panel.invalid/api/v1/status'), {})).json()).announcement;
  expect(await play()).toEqual({ ok: true, generation: 1, state: 'queued' });
  expect(await play()).toEqual({ ok: true, generation: 2, state: 'queued' });
  for (const generation of [1, 2]) actor.send({ type: 'player.refused', generation, reason: 'not-audio' });
  show();
  expect(await announced()).toEqual({ generation: 2, phase: 'failed', reason: 'not-audio' });
  actor.stop();
});
