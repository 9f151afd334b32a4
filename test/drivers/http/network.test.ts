import { afterEach, describe, expect, it } from 'vitest';

import { LOOPBACK, type PeerName } from '#machines/kit/peer-name.ts';
import { dial, get, hangUp, holding, statusesOf, syncing, type Client } from './peers.ts';
import { serve, until, type Serving } from './serving.ts';

let running: Serving | undefined;
afterEach(async () => {
  hangUp();
  await running?.stop();
  running = undefined;
});

/** The loopback range as one IPv6 network in which every address but the first is a machine of its own. */
const nameOf = (address: string): PeerName =>
  address === '127.0.0.1' ? { name: LOOPBACK, network: '' } : { name: address, network: 'fe80::/10' };
const start = async (deps: Parameters<typeof serve>[0]): Promise<Serving> =>
  (running = await serve({ nameOf, ...deps }));
const household = '127.0.0.2';
const greedy = '127.0.0.3';
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
/** Addresses that one machine changes among. */
const addresses = (count: number): readonly string[] => numbers(count).map((index) => `127.0.1.${index + 1}`);
/** Connects from each address in turn, and has all of them let in. */
async function dialEach(serving: Serving, from: readonly string[]): Promise<readonly Client[]> {
  const dialled: Client[] = [];
  for (const one of from) dialled.push(await dial(serving, one));
  await (
    await syncing(serving, '127.0.0.1')
  )();
  return dialled;
}

describe('neighbours of one IPv6 network', () => {
  it('are let in while one of them is not', async () => {
    const serving = await start({});
    const burst = await dial(serving, greedy);
    burst.socket.write(get('/burst').repeat(1000));
    await until(burst.isClosed, 'the end of the connection');
    await until((await dial(serving, greedy)).isClosed, 'the end of the next one');
    await (
      await syncing(serving, household)
    )();
  });

  it('have connections of their own where one of them has as many as it can', async () => {
    const serving = await start({ bounds: { connectionsPerPeer: 3 } });
    const all = await dialEach(serving, [greedy, greedy, greedy]);
    await until((await dial(serving, greedy)).isClosed, 'the end of one too many');
    await (
      await syncing(serving, household)
    )();
    expect(all.some(({ isClosed }) => isClosed())).toBe(false);
  });

  it('have places of their own, and requests that wait', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch, bounds: { waiting: 2 } });
    const sent = await dialEach(
      serving,
      numbers(11).map(() => greedy),
    );
    for (const [index, { socket }] of sent.entries()) {
      socket.write(get(`/${index}`));
      if (index < 8) await until(() => hold.begun.length === index + 1, `the turn of ${index}`);
    }
    await until(() => sent.some((client) => statusesOf(client).includes(503)), 'the refusal');
    const [asking] = await dialEach(serving, [household]);
    asking?.socket.write(get('/household'));
    await until(() => hold.begun.length === 9, 'the turn of another');
    expect(hold.begun.at(-1)).toBe('/household');
  });

  it('get the connection of who has most where the network has as many as it can', async () => {
    const serving = await start({ bounds: { connectionsPerNetwork: 6 } });
    const few = await dialEach(serving, [household, household]);
    const most = await dialEach(serving, [greedy, greedy, greedy, greedy]);
    const newcomer = await syncing(serving, '127.0.0.4');
    await newcomer();
    await until(() => most[0]?.isClosed() === true, 'the end of the one idle longest');
    expect([...few, ...most].filter(({ isClosed }) => isClosed())).toHaveLength(1);
  });

  it('get those of many addresses that have one each', async () => {
    const serving = await start({ bounds: { connectionsPerNetwork: 6 } });
    const many = await dialEach(serving, addresses(9));
    const browser = [await dial(serving, household), await dial(serving, household)];
    for (const { socket } of browser) socket.write(get('/'));
    await until(() => browser.every((client) => statusesOf(client).length === 1), 'an answer on each');
    await until(() => many.filter(({ isClosed }) => isClosed()).length === 5, 'the end of those idle longest');
    expect(many.slice(0, 5).every(({ isClosed }) => isClosed())).toBe(true);
  });

  it('keep what they have in use from one who comes with many addresses', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch, bounds: { connectionsPerNetwork: 6 } });
    const browser = await dialEach(
      serving,
      numbers(5).map(() => household),
    );
    browser.forEach(({ socket }, index) => socket.write(get(`/${index}`)));
    await until(() => hold.begun.length === 5, 'all five');
    const many = await dialEach(serving, addresses(9));
    await until(() => many.filter(({ isClosed }) => isClosed()).length === 8, 'the end of all but one');
    expect(browser.some(({ isClosed }) => isClosed())).toBe(false);
  });

  it('come next when a place of the network is free, whoever is served least first', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch, bounds: { making: 2, networkMaking: 4 } });
    const [first, second] = ['127.0.1.1', '127.0.1.2'] as const;
    const sent = await dialEach(serving, [first, first, second, second, first, second]);
    for (const [index, { socket }] of sent.entries()) {
      socket.write(get(`/${index}`));
      if (index < 4) await until(() => hold.begun.length === index + 1, `${index}`);
    }
    const [late] = await dialEach(serving, [household]);
    late?.socket.write(get('/late'));
    const sync = await syncing(serving, '127.0.0.1');
    for (const _ of numbers(5)) await sync();
    expect(hold.most()).toBe(4);
    hold.release('/0');
    await until(() => hold.begun.length === 5, 'the next');
    expect(hold.begun.at(-1)).toBe('/late');
    for (const index of [1, 2, 3]) hold.release(`/${index}`);
    await until(() => hold.begun.length === 7, 'all others');
    expect(hold.most()).toBe(4);
  });

  it('whose turn was held up and who have left keep no place from others', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch, bounds: { making: 1, networkMaking: 1 } });
    const [busy, gone] = await dialEach(serving, [greedy, household]);
    busy?.socket.write(get('/busy'));
    await until(() => hold.begun.length === 1, 'the first');
    gone?.socket.write(get('/gone'));
    const sync = await syncing(serving, '127.0.0.1');
    for (const _ of numbers(5)) await sync();
    gone?.socket.destroy();
    for (const _ of numbers(5)) await sync();
    hold.release('/busy');
    await (
      await syncing(serving, '127.0.0.4')
    )();
    expect(hold.begun).toEqual(['/busy']);
  });
});
