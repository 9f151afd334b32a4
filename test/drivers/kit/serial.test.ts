import { describe, expect, it } from 'vitest';

import { serial } from '#drivers/kit/serial.ts';

function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe('serial', () => {
  it('runs one task after another and settles each as it does', async () => {
    const run = serial();
    const seen: string[] = [];
    const held = gate();
    const first = run(async () => {
      seen.push('first starts');
      await held.passed;
      seen.push('first ends');
      return 1;
    });
    const second = run(() => {
      seen.push('second');
      return 2;
    });
    await Promise.resolve();
    expect(seen).toEqual(['first starts']);
    held.open();
    expect(await Promise.all([first, second])).toEqual([1, 2]);
    expect(seen).toEqual(['first starts', 'first ends', 'second']);
  });

  it('starts nothing within the call', async () => {
    let isRun = false;
    const done = serial()(() => {
      isRun = true;
    });
    expect(isRun).toBe(false);
    await done;
    expect(isRun).toBe(true);
  });

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('runs the next after one that %s', async (_, fail) => {
    const run = serial();
    const failed = run(fail);
    const next = run(() => 'run');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('run');
  });

  it('runs nothing after one that threw, where it stops at that', async () => {
    const run = serial({ stopsAtThrow: true });
    const seen: string[] = [];
    expect(await run(() => 'before')).toBe('before');
    const failed = run(() => Promise.reject(new Error('no')));
    const queued = run(() => seen.push('queued'));
    await expect(failed).rejects.toThrow('no');
    await expect(queued).rejects.toThrow('no');
    await expect(run(() => seen.push('later'))).rejects.toThrow('no');
    expect(seen).toEqual([]);
  });

  it('keeps two queues apart', async () => {
    const held = gate();
    const waiting = serial()(() => held.passed);
    expect(await serial()(() => 'free')).toBe('free');
    held.open();
    await waiting;
  });
});
