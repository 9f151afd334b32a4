import { createServer, type RequestListener, type Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defaultPort } from '#bin/usage.ts';
import { askRunning, portToAsk } from '#bin/running-agent.ts';
import { lockFolder } from '#drivers/store/lock.ts';

describe('the port that the doctor asks at', () => {
  it.each([
    ['nothing is named and nobody has the folder', null, defaultPort, 'free', defaultPort],
    ['nothing is named and an agent has the folder', null, defaultPort, { port: 18_201 }, 18_201],
    ['nothing is named and the agent names no port', null, defaultPort, { port: null }, defaultPort],
    ['a port is named', null, 18_101, { port: 18_201 }, 18_101],
    ['a folder is named that nobody has', '/data', defaultPort, 'free', null],
    ['a folder is named that an agent has', '/data', defaultPort, { port: 18_201 }, 18_201],
    ['a folder is named whose agent names no port', '/data', defaultPort, { port: null }, defaultPort],
    ['both are named and nobody has the folder', '/data', 18_101, 'free', 18_101],
    ['both are named and an agent has the folder', '/data', 18_101, { port: 18_201 }, 18_201],
    ['both are named and the agent names no port', '/data', 18_101, { port: null }, 18_101],
  ] as const)('where %s', (_, data, port, holder, asked) => {
    expect(portToAsk({ data, port }, holder)).toBe(asked);
  });
});

describe('asking the agent of a folder', () => {
  let folder = '';
  let server: Server | undefined;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sconce-ask-'))));
  afterEach(() => {
    server?.close();
    rmSync(folder, { recursive: true });
  });

  const listen = async (answer: RequestListener): Promise<number> => {
    const listening = createServer(answer);
    server = listening;
    await new Promise<void>((ready) => listening.listen(0, '127.0.0.1', ready));
    // A server that listens on TCP has an AddressInfo.
    return (listening.address() as AddressInfo).port;
  };
  const holdFolder = async (port: number) => {
    const lock = await lockFolder(folder);
    if (!lock.ok) throw new Error(lock.message);
    lock.value.notePort(port);
    return lock;
  };

  it('takes nothing for an answer that is no status document, whoever gives it', async () => {
    const asked: string[] = [];
    const port = await listen((request, response) => {
      asked.push(request.url ?? '');
      response.end('{"ok":true}');
    });
    const lock = await holdFolder(port);
    expect(await askRunning({ data: folder, port: defaultPort }, folder)).toEqual({ found: 'mute', port });
    expect(asked).toEqual(['/api/v1/status?refresh=1']);
    lock.value.release();
    expect(await askRunning({ data: folder, port: defaultPort }, folder)).toEqual({ found: 'none', port: null });
    expect(asked).toHaveLength(1);
  });

  it('reads no answer without an end, and follows none to another address', async () => {
    const asked: string[] = [];
    let written = 0;
    const port = await listen((request, response) => {
      asked.push(request.url ?? '');
      if (asked.length === 2) {
        response.writeHead(308, { location: '/elsewhere' }).end();
        return;
      }
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536))) written += 65_536;
      };
      response.on('drain', more).on('error', () => {});
      more();
    });
    const lock = await holdFolder(port);
    expect(await askRunning({ data: folder, port: defaultPort }, folder)).toEqual({ found: 'mute', port });
    expect(written).toBeLessThan(64 * 1024 * 1024);
    expect(await askRunning({ data: folder, port: defaultPort }, folder)).toEqual({ found: 'mute', port });
    expect(asked).toEqual(['/api/v1/status?refresh=1', '/api/v1/status?refresh=1']);
    lock.value.release();
  });

  it('asks at the default port where its agent names none, and says so', async () => {
    const named = await listen((_, response) => response.end('{}'));
    const lock = await lockFolder(folder);
    if (!lock.ok) throw new Error(lock.message);
    expect(await askRunning({ data: folder, port: named }, folder)).toEqual({ found: 'silent', port: named });
    lock.value.release();
  });
});
