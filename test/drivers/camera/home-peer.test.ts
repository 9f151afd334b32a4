import { describe, expect, it } from 'vitest';

import { createHomePeer } from '#drivers/camera/home-peer.ts';

function peerOf(url: string, addresses: readonly string[] | null = []) {
  const looked: string[] = [];
  let [now, address] = [0, url];
  const isHome = createHomePeer(
    () => address,
    () => now,
    (host) => {
      looked.push(host);
      return addresses === null ? Promise.reject(new Error('no such name')) : Promise.resolve(addresses);
    },
  );
  return {
    isHome,
    looked,
    later: (ms: number) => void (now += ms),
    moveTo: (next: string) => void (address = next),
  };
}

describe('the configured Home Assistant as a peer', () => {
  it.each([
    ['http://192.0.2.7:8123', '192.0.2.7', true],
    ['http://192.0.2.7:8123', '::ffff:192.0.2.7', true],
    ['http://[2001:db8::7]:8123', '2001:db8:0:0::7', true],
    ['http://192.0.2.7:8123', '192.0.2.8', false],
    ['', '192.0.2.7', false],
    ['no address', '192.0.2.7', false],
    ['http://192.0.2.7:8123', 'nothing', false],
  ])('%s is %s: %s', (url, address, is) => {
    const { isHome, looked } = peerOf(url);
    expect([isHome(address), looked]).toEqual([is, []]);
  });

  it('looks a name up once, and again later or for another name', async () => {
    const home = peerOf('http://home.example:8123', ['192.0.2.7', '2001:db8::7']);
    expect(home.isHome('192.0.2.7')).toBe(false);
    await Promise.resolve();
    expect([home.isHome('192.0.2.7'), home.isHome('2001:db8::7'), home.isHome('192.0.2.9')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(home.looked).toEqual(['home.example']);
    home.later(5 * 60_000);
    home.isHome('192.0.2.7');
    home.moveTo('https://other.example');
    home.isHome('192.0.2.7');
    expect(home.looked).toEqual(['home.example', 'home.example', 'other.example']);
  });

  it('takes a name that has no address for no peer', async () => {
    const home = peerOf('http://home.example:8123', null);
    home.isHome('192.0.2.7');
    await Promise.resolve();
    expect(home.isHome('192.0.2.7')).toBe(false);
  });
});
