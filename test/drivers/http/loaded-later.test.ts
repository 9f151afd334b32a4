import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import { serve, type Serving, until } from './serving.ts';

/** Sends bytes on one connection; tells all that came back so far. */
function send(serving: Serving, bytes: string): () => string {
  let heard = '';
  const socket = connect(serving.port, serving.address, () => socket.write(bytes));
  socket.on('data', (piece) => (heard += piece.toString('latin1')));
  return () => heard;
}
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

describe('a request that comes before the routes are loaded', () => {
  let serving: Serving;
  let loaded = (): void => {};
  let isLoaded = false;
  const asked: string[] = [];
  const begin = async (): Promise<void> => {
    asked.splice(0);
    isLoaded = false;
    const loading = new Promise<void>((resolve) => {
      loaded = () => {
        isLoaded = true;
        resolve();
      };
    });
    serving = await serve({
      whenLoaded: (method, target) => (isLoaded || (method === 'GET' && target === '/early') ? null : loading),
      activeGets: (path) => isLoaded && path === '/active',
      fetch: (request) => {
        asked.push(new URL(request.url).pathname);
        return new Response(`about ${new URL(request.url).pathname}`);
      },
    });
  };
  afterEach(() => serving.stop());

  it('waits for them, and is answered then', async () => {
    await begin();
    const late = send(serving, get('/plain'));
    const early = send(serving, get('/early'));
    await until(() => early().includes('about /early'), 'the early answer');
    expect([late(), asked]).toEqual(['', ['/early']]);
    loaded();
    await until(() => late().includes('about /plain'), 'the answer');
  });

  it('is overtaken by none behind it on its connection', async () => {
    await begin();
    const both = send(serving, get('/plain') + get('/early'));
    const other = send(serving, get('/early'));
    await until(() => other().includes('about /early'), 'the other answer');
    expect(asked).toEqual(['/early']);
    loaded();
    await until(() => both().includes('about /early'), 'both answers');
    expect(asked).toEqual(['/early', '/plain', '/early']);
    expect(both().indexOf('about /plain')).toBeLessThan(both().indexOf('about /early'));
  });

  it('is judged by what they say of it', async () => {
    await begin();
    const origin = 'Origin: http://example.org\r\n';
    const active = send(serving, get('/active').replace('\r\n\r\n', `\r\n${origin}\r\n`));
    loaded();
    await until(() => active().includes('HTTP/1.1 403'), 'the refusal');
    expect(asked).toEqual([]);
  });
});
