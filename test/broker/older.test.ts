import { createServer } from 'node:net';

import { Aedes } from 'aedes';
import { afterEach, describe, expect, it } from 'vitest';

import { startAgent } from './agent.ts';
import { freePort, until } from './mosquitto.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** A broker in this process that speaks 3.1.1 only. */
async function olderBroker(
  port: number,
): Promise<{ readonly close: () => Promise<void>; readonly versions: number[] }> {
  const aedes = await Aedes.createBroker();
  const versions: number[] = [];
  aedes.preConnect = (_, packet, done) => {
    versions.push(packet.protocolVersion ?? 0);
    done(null, true);
  };
  const server = createServer(aedes.handle);
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    versions,
    close: () =>
      new Promise((resolve) => {
        aedes.close(() => server.close(() => resolve()));
      }),
  };
}

describe('a broker that speaks 3.1.1 only', () => {
  it('is spoken to in 3.1.1 at once, and again after it restarted', async () => {
    const port = await freePort();
    const first = await olderBroker(port);
    const agent = startAgent({ port });
    open.push(agent.stop);
    await until('live', () => agent.publisher()?.phase === 'live');
    expect(agent.link()).toMatchObject({ phase: 'connected', protocol: 4, failure: null });
    await first.close();
    await until('lost', () => agent.link()?.phase !== 'connected');
    const second = await olderBroker(port);
    open.push(second.close);
    await until('connected again', () => agent.link()?.session === 2);
    await until('live', () => agent.publisher()?.phase === 'live');
    expect(second.versions).toEqual([4]);
  });

  it('says that nobody answers, without a crash, and connects when somebody does', async () => {
    const port = await freePort();
    const agent = startAgent({ port });
    open.push(agent.stop);
    await until('unreachable', () => agent.link()?.phase === 'unreachable' && agent.link());
    expect(agent.link()?.failure).toBe('ECONNREFUSED');
    const broker = await olderBroker(port);
    open.push(broker.close);
    await until('connected', () => agent.link()?.phase === 'connected', 5000);
  });
});
