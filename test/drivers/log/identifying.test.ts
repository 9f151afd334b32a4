import { describe, expect, it } from 'vitest';

import { stripIdentifying } from '#drivers/log/identifying.ts';

describe('what is kept of the log', () => {
  it.each([
    ['mqtt://broker.example:1883/x failed', 'mqtt://[address]/x failed'],
    ['https://[redacted]@home.example/a?b=1', 'https://[redacted]@[address]/a?b=1'],
    ['http://[fd00::1]:8123/', 'http://[address]/'],
    ['from 192.168.1.20:8123 to 10.0.0.1.', 'from [address]:8123 to [address].'],
    ['at fe80::1%eth0, ::1 and fd00:aaaa:0:0:1:2:3:4', 'at [address], [address] and [address]'],
    ['{"ip":"::ffff:10.1.2.3"}', '{"ip":"[address]"}'],
    ['aa:bb:cc:dd:ee:ff and 01-23-45-67-89-AB', '[address] and [address]'],
    ['kitchen-panel.local, router.fritz.box', '[address], [address]'],
    ['someone@example.org asked', '[address] asked'],
    ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', '[identifier]'],
    ['00112233445566778899aabbccddeeff', '[identifier]'],
  ])('holds no address and no identifier: %s', (text, kept) => {
    expect(stripIdentifying(text)).toBe(kept);
  });

  it.each(['a', 'a.', 'a-', 'a@', 'http', '1.'])('is done in a moment with a long run of %s', (piece) => {
    const started = performance.now();
    stripIdentifying(piece.repeat(60_000 / piece.length));
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it.each([
    'The broker does not answer. phase=unreachable failure=ECONNREFUSED',
    '{"level":"info","time":1795352177718,"msg":"12:34:56, 5.33.3, Sconce 0.2.0-dev"}',
    '"frames":["crashHere dist/sconce.cjs:12:34","node:internal/process/task_queues:95:5"]',
    'zigbee-driver/EMFILE c0ffee bab2f93b-17 std::move',
    'file:///usr/share and C:/x',
  ])('leaves the rest alone: %s', (text) => {
    expect(stripIdentifying(text)).toBe(text);
  });
});
