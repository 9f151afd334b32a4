import { describe, expect, it } from 'vitest';

import { messageJudge } from '#drivers/home-assistant/message-judge.ts';

const SECOND = 1000;
function start() {
  let now = 0;
  const judge = messageJudge(() => now);
  return {
    pass: (ms: number) => {
      now += ms;
    },
    take: (text: string, times = 1) => {
      const message = Buffer.from(text);
      let found: string | null = null;
      for (let round = 0; round < times; round += 1) found ??= judge(message, true);
      return found;
    },
    ping: (times: number) => {
      let found: string | null = null;
      for (let round = 0; round < times; round += 1) found ??= judge(Buffer.from('[[[['.repeat(30)), false);
      return found;
    },
  };
}

describe('the messages of one connection', () => {
  it.each([
    ['one that is short', null, '{"id":1}'],
    ['100 levels', null, '['.repeat(100)],
    ['101 levels', 'message-too-deep', '['.repeat(101)],
    ['a million and one tokens', 'message-too-many', `[${',1'.repeat(1_000_000)}`],
  ])('%s: %s', (_, code, text) => expect(start().take(text)).toBe(code));

  it.each([
    [
      'in number',
      (rig: ReturnType<typeof start>) => rig.take('7', 50_000),
      (rig: ReturnType<typeof start>) => rig.take('7'),
    ],
    ['pings', (rig: ReturnType<typeof start>) => rig.ping(50_000), (rig: ReturnType<typeof start>) => rig.ping(1)],
    [
      'in parts',
      (rig: ReturnType<typeof start>) => rig.take(`[${',1'.repeat(999_999)}`, 6),
      (rig: ReturnType<typeof start>) => rig.take('[]'),
    ],
    [
      'in bytes',
      (rig: ReturnType<typeof start>) => rig.take(`"${'a'.repeat(16 * 1024 * 1024 - 2)}"`, 8),
      (rig: ReturnType<typeof start>) => rig.take('7'),
    ],
  ])('are a flood by how many they are in ten seconds: %s', (_, most, more) => {
    const rig = start();
    expect(most(rig)).toBeNull();
    rig.pass(10 * SECOND);
    expect(most(rig)).toBeNull();
    rig.pass(10 * SECOND - 1);
    expect(more(rig)).toBe('message-flood');
  });
});
