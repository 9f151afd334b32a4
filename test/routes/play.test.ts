import { describe, expect, test } from 'vitest';

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
): Promise<Response> =>
  Promise.resolve(
    app.fetch(
      new Request(`http://panel.invalid${path}`, {
        method: 'POST',
        body,
        headers: type === undefined ? {} : { 'content-type': type },
      }),
      {},
    ),
  );

describe.each(paths)('%s', (path) => {
  test.each([
    ['text/plain', url],
    ['application/x-www-form-urlencoded', url],
    ['application/x-www-form-urlencoded', JSON.stringify({ url })],
    ['application/json', JSON.stringify({ url })],
    ['audio/mpeg', url],
    ['nonsense', url],
    [undefined, url],
  ])('takes %s with the body %s', async (type, body) => {
    const deps = fakeDeps();
    const response = await send(createApp(deps), path, new TextEncoder().encode(body), type);
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
      const problem = Problem.parse(await response.json());
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
      expect([response.status, Problem.parse(await response.json()).error]).toEqual([503, 'stopping']);
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
    expect([refused.status, Problem.parse(await refused.json())]).toMatchObject([
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
    expect(spec).toMatchObject({ method: 'post', guard: 'write', protects: 'REMOTE_MEDIA', maxBodyBytes: 16_384 });
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
