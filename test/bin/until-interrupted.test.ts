import { afterEach, expect, it, vi } from 'vitest';

import { untilInterrupted } from '#bin/until-interrupted.ts';

afterEach(() => vi.restoreAllMocks());

it('tidies up before a signal ends the process', async () => {
  const order: string[] = [];
  vi.spyOn(process, 'kill').mockImplementation((pid, ending) => {
    order.push(`${pid} ${String(ending)}`);
    return true;
  });
  const work = untilInterrupted(async (signal) => {
    await new Promise((aborted) => signal.addEventListener('abort', aborted));
    order.push('tidied');
  });
  process.emit('SIGINT', 'SIGINT');
  await work;
  expect(order).toEqual(['tidied', `${process.pid} SIGINT`]);
});

it('leaves nothing behind where no signal came', async () => {
  const kill = vi.spyOn(process, 'kill');
  const before = process.listenerCount('SIGINT');
  expect(await untilInterrupted(() => Promise.resolve('done'))).toBe('done');
  expect(process.listenerCount('SIGINT')).toBe(before);
  expect(kill).not.toHaveBeenCalled();
});
