import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defaultPort } from '#bin/arguments.ts';
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
    ['a folder is named whose agent names no port', '/data', defaultPort, { port: null }, null],
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

  it('takes nothing for an answer that is no status document, whoever gives it', async () => {
    const asked: string[] = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{"ok":true}');
    });
    await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
    // A server that listens on TCP has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const lock = await lockFolder(folder);
    if (!lock.ok) throw new Error(lock.message);
    lock.value.tellPort(() => port);
    expect(await askRunning({ data: folder, port: defaultPort }, folder)).toEqual({ held: true });
    expect(asked).toEqual(['/api/v1/status?refresh=1']);
    await lock.value.release();
    expect(await askRunning({ data: folder, port: defaultPort }, folder)).toEqual({ held: false });
    expect(asked).toHaveLength(1);
  });
});
