import { expect, it } from 'vitest';
import { createUnproven } from '#drivers/companion/unproven.ts';
import { wireLimits } from '#machines/companion/wire.ts';

const { unprovenOfPeer, unprovenOfNetwork, unproven } = wireLimits;

it('leaves room beside one machine that uses every address of its network', () => {
  const waiting = createUnproven(wireLimits, () => 0);
  const own = Array.from({ length: 40 }, (_, one) => waiting.enter(`fd00::${one.toString(16)}`));
  expect(own.filter((release) => release !== null)).toHaveLength(unprovenOfNetwork);
  expect(waiting.enter('192.168.1.2')).not.toBeNull();
  expect(waiting.enter('fd00:0:0:1::2')).not.toBeNull();
  // What has left has left its network too.
  own[0]?.();
  own[0]?.();
  expect(waiting.enter('fd00::ffff')).not.toBeNull();
  expect(waiting.enter('fd00::fffe')).toBeNull();
});

it('lets in as many of one peer and of all as it may, and none that begins too fast', () => {
  let now = 0;
  const waiting = createUnproven(wireLimits, () => now);
  const enter = (address: string) => waiting.enter(address) !== null;
  expect(Array.from({ length: unprovenOfPeer + 1 }, () => enter('10.0.0.1')).filter(Boolean)).toHaveLength(
    unprovenOfPeer,
  );
  const others = Array.from({ length: unproven }, (_, one) => enter(`10.0.1.${one}`));
  expect(others.filter(Boolean)).toHaveLength(unproven - unprovenOfPeer);
  expect(waiting.size()).toBe(unproven);

  const fast = createUnproven(wireLimits, () => now);
  for (let one = 0; one < wireLimits.handshakesPerSecond; one += 1) fast.enter('10.0.0.1')?.();
  expect(fast.enter('10.0.0.1')).toBeNull();
  now = 1000;
  expect(fast.enter('10.0.0.1')).not.toBeNull();
});
