import { afterEach, describe, expect, it } from 'vitest';

import { createClock } from '#test/fakes/kit-clock.ts';
import { dial, get, hangUp, statusesOf, syncing, type Client } from './peers.ts';
import { serve, until, type Serving } from './serving.ts';

let running: Serving | undefined;
afterEach(async () => {
  hangUp();
  await running?.stop();
  running = undefined;
});

const reader = '127.0.0.2';
const other = '127.0.0.3';
/** More than the kernel keeps for both ends. */
const whole = 'x'.repeat(48 * 1024 * 1024);
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const live = (body: ReadableStream): Response =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } });

/** Serves one answer on a stepped clock; each peer has a single connection. */
async function serveLong(answer: () => Response) {
  const clock = createClock();
  const serving = (running = await serve({
    nameOf: (address) => ({ name: address, network: '' }),
    bounds: { connectionsPerPeer: 1 },
    clock: {
      now: clock.now,
      setTimeout: (callback, ms) => clock.clock.setTimeout(callback, ms),
      clearTimeout: (timer) => clock.clock.clearTimeout(timer as number),
    },
    fetch: (request) => (request.url.endsWith('/sync') ? new Response('') : answer()),
  }));
  const sync = await syncing(serving, other);
  return {
    /** Asks for the answer and reads nothing of it. */
    ask: async (): Promise<Client> => {
      const client = await dial(serving, reader, false);
      client.socket.write(get('/'));
      for (const _ of times(20)) await sync();
      return client;
    },
    /** Lets time pass second by second, with what the sockets do meanwhile. */
    pass: async (seconds: number): Promise<void> => {
      for (const _ of times(seconds)) {
        clock.pass(1000);
        await turn();
        await turn();
      }
      await sync();
    },
    /** True if the reader's connection was ended; it may then connect again. */
    isEnded: async (): Promise<boolean> => {
      const again = await dial(serving, reader);
      again.socket.write(get('/sync'));
      await until(() => again.isClosed() || statusesOf(again).length === 1, 'a word');
      return !again.isClosed();
    },
  };
}

describe('a reader who takes nothing', () => {
  it.each([
    ['a whole answer', (): Response => new Response(whole)],
    [
      'a live stream',
      (): Response =>
        live(new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(256 * 1024, 'x')) })),
    ],
  ])('is ended after 20 s, whatever it sends meanwhile: %s', async (_, answer) => {
    const { ask, pass, isEnded } = await serveLong(answer);
    const client = await ask();
    await pass(10);
    client.socket.write(get('/again'));
    await pass(9);
    expect(await isEnded()).toBe(false);
    await pass(3);
    expect(await isEnded()).toBe(true);
  });

  it('is not one that takes some of it every ten seconds, until it stops', async () => {
    const { ask, pass, isEnded } = await serveLong(() => new Response(whole));
    const { socket } = await ask();
    /** Reads so much that the server has to send more. */
    const readOn = async (bytes: number): Promise<void> => {
      for (let taken = 0; taken < bytes;) {
        // A socket without an encoding gives bytes.
        const chunk = socket.read() as Buffer | null;
        if (chunk === null) await new Promise((resolve) => socket.once('readable', resolve));
        else taken += chunk.length;
      }
    };
    for (const _ of times(4)) {
      await readOn(4 * 1024 * 1024);
      await pass(10);
    }
    expect(await isEnded()).toBe(false);
    await pass(22);
    expect(await isEnded()).toBe(true);
  });

  it('is not one of a stream in which nothing happens', async () => {
    const { ask, pass, isEnded } = await serveLong(() => live(new ReadableStream()));
    const { socket } = await ask();
    socket.resume();
    await pass(60);
    expect(await isEnded()).toBe(false);
  });

  it('is not one whose answer is still being made', async () => {
    const { ask, pass, isEnded } = await serveLong(() => new Response(new ReadableStream()));
    await ask();
    await pass(60);
    expect(await isEnded()).toBe(false);
  });
});
