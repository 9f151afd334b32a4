import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { serveFiles, type Source } from '../drivers/announcer/source.ts';
import { wav } from '../drivers/announcer/tones.ts';
import { startLive, statusOf, until, type LiveAgent } from './live-agent.ts';

const marker = 'marker-signature-77';

describe('an announcement through the whole agent', () => {
  let source: Source;
  let live: LiveAgent;
  beforeAll(async () => {
    source = await serveFiles({
      [`/long.wav?authSig=${marker}`]: wav(440, 1),
      '/short.wav': wav(440, 0.02),
      '/list.m3u8': Buffer.from('#EXTM3U\n/etc/passwd\n'),
    });
  });
  afterAll(() => source.end());
  beforeEach(async () => {
    live = await startLive();
    await until('the first look', async () =>
      (await live.agent.status()).capabilities.some((row) => row.id === 'announcements' && row.state === 'working'),
    );
  });
  afterEach(() => live.close());

  const play = (path: string, at = '/play'): Promise<Response> =>
    fetch(`${live.url}${at}`, { method: 'POST', body: path.startsWith('/') ? `${source.url}${path}` : path });
  const phase = async (): Promise<string | undefined> => (await live.agent.status()).announcement?.phase;

  test('is fetched and played, and a newer one takes its place', async () => {
    expect(await (await play(`/long.wav?authSig=${marker}`)).text()).toBe('playing\n');
    await until('playing', async () => (await phase()) === 'playing');
    expect((await play('/short.wav', '/api/v1/play')).status).toBe(200);
    await until('idle', async () => (await phase()) === 'idle');
    expect((await statusOf(live.url)).announcement).toMatchObject({ phase: 'idle', reason: null, generation: 2 });
    expect(readdirSync(join(live.folder, 'tmp'))).toEqual([]);
  });

  test('that is refused says why', async () => {
    const origin = new URL(source.url).origin;
    await fetch(`${live.url}/api/v1/config`, { method: 'POST', body: JSON.stringify({ ha_url: origin }) });
    await play('/list.m3u8');
    await until('failed', async () => (await phase()) === 'failed');
    expect((await live.agent.status()).announcement?.reason).toBe('playlist');
    await play('http://127.0.0.1:9/list.m3u8');
    await until('refused', async () => (await live.agent.status()).announcement?.reason === 'source-on-panel');
    await play(`${live.url}/api/v1/status`);
    await until('refused', async () => (await live.agent.status()).announcement?.reason === 'own-address');
    expect((await play('hello')).status).toBe(400);
    expect((await play('x'.repeat(20_000))).status).toBe(413);
  });

  test('leaves its signed address nowhere', async () => {
    await fetch(`${live.url}/api/v1/config`, { method: 'POST', body: '{"log_level":"trace"}' });
    await play(`/long.wav?authSig=${marker}`);
    await until('playing', async () => (await phase()) === 'playing');
    await play(`http://127.0.0.1:9/a?authSig=${marker}`);
    await until('failed', async () => (await phase()) === 'failed');
    live.agent.kill('announcer');
    await until('back', async () => (await phase()) === 'idle');
    for (const path of ['/', '/api/v1/status', '/api/v1/diag', '/api/v1/config']) {
      // oxlint-disable-next-line no-await-in-loop -- one page after another
      expect(await (await fetch(`${live.url}${path}`)).text(), path).not.toContain(marker);
    }
    expect(live.lines.length).toBeGreaterThan(0);
    expect(live.lines.join('\n')).not.toContain(marker);
  });

  test('is taken no more once shutdown has begun, and its file is gone after it', async () => {
    await play(`/long.wav?authSig=${marker}`);
    await until('playing', async () => (await phase()) === 'playing');
    const port = new URL(live.url).port;
    const asked: Promise<Response>[] = [];
    const ended = live.agent.shutdown();
    asked.push(fetch(`http://127.0.0.1:${port}/play`, { method: 'POST', body: `${source.url}/short.wav` }));
    const [answer] = await Promise.allSettled(asked);
    // The listener goes last; if it was quicker than the request, the connection is refused, which is no admission
    // either.
    if (answer?.status === 'fulfilled')
      expect([answer.value.status, await answer.value.json()]).toMatchObject([503, { error: 'stopping' }]);
    await ended;
    expect(readdirSync(join(live.folder, 'tmp'))).toEqual([]);
  });
});
