import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';

import { createLogger } from '#drivers/log/logger.ts';
import { tailDriver } from '#drivers/log/tail-driver.ts';
import { createLogTail } from '#drivers/log/tail.ts';
import { liveLogMachine } from '#machines/live-log/machine.ts';
import { until } from '#test/scenarios/live-agent.ts';

function make(lines = 4) {
  const tail = createLogTail({ lines, scrub: (text) => text });
  const keep = (text: string, more: object = {}): void =>
    tail.keep(`${JSON.stringify({ level: 'info', time: 7, msg: text, ...more })}\n`);
  const texts = (seq: number, limit = 100): readonly string[] => tail.after(seq, limit).lines.map((line) => line.text);
  return { tail, keep, texts };
}

describe('the newest lines', () => {
  it('are read in order from any position, as many as are asked for', () => {
    const { tail, keep, texts } = make();
    expect([tail.newest(), texts(0)]).toEqual([0, []]);
    for (const text of ['a', 'b', 'c']) keep(text);
    expect([tail.newest(), texts(0), texts(1, 1), texts(3), texts(99)]).toEqual([3, ['a', 'b', 'c'], ['b'], [], []]);
  });

  it('drop the oldest, and whoever comes too late is told how many are missing', () => {
    const { tail, keep, texts } = make();
    for (let index = 1; index <= 10; index += 1) keep(String(index));
    expect(texts(0)).toEqual(['7', '8', '9', '10']);
    expect([
      tail.after(0, 1).missed,
      tail.after(5, 9).missed,
      tail.after(6, 9).missed,
      tail.after(9, 9).missed,
    ]).toEqual([6, 1, 0, 0]);
    expect(tail.after(2, 9).lines.map((line) => line.seq)).toEqual([7, 8, 9, 10]);
  });

  it('hold the words and the facts apart, and bound them', () => {
    const { tail, keep } = make();
    keep('Lost', { level: 'warn', part: 'mqtt', code: 'ECONNRESET', attempt: 2 });
    expect(tail.after(0, 1).lines[0]).toEqual({
      seq: 1,
      at: 7,
      level: 'warn',
      part: 'mqtt',
      text: 'Lost',
      facts: 'code=ECONNRESET attempt=2',
    });
    keep('Long', { body: 'x'.repeat(5000) });
    keep('Longer', { body: 'x'.repeat(500_000) });
    const [long, longer] = tail.after(1, 2).lines;
    expect([long?.facts.length, longer?.text, longer?.facts]).toEqual([2001, 'Longer', '']);
  });

  it('of the log itself are as redacted as what it writes, also what became secret later', () => {
    const log = createLogger({ level: 'info', secretKeys: ['mqtt_password'], human: true, write: () => {} });
    log.info('Saved', { mqtt_password: 'hunter2-a', deep: { list: [{ mqtt_password: 'hunter2-b' }] } });
    log.info('Dialling https://me:hunter2-c@host/x?authSig=hunter2-d&b=1', { header: 'Bearer hunter2-eeeeeeee' });
    log.info('Before it was known: hunter2-f');
    log.protect('hunter2-f');
    log.info('After: hunter2-f');
    const text = JSON.stringify(log.tail.after(0, 10).lines);
    expect(log.tail.newest()).toBe(4);
    expect(text).not.toContain('hunter2');
    expect(text.match(/\[redacted\]/g)?.length).toBe(7);
  });
});

describe('the report of how far the log has come', () => {
  it('comes at once and then gathered, and ends with the driver', async () => {
    const { tail, keep } = make();
    keep('early');
    const actor = createActor(liveLogMachine.provide({ actors: { source: tailDriver(tail) } }));
    actor.start();
    expect(actor.getSnapshot().context.revision).toBe(1);
    let reports = 0;
    actor.subscribe(() => {
      reports += 1;
    });
    for (let index = 0; index < 500; index += 1) keep('many');
    await until('the report', () => actor.getSnapshot().context.revision === 501);
    expect(reports).toBe(1);
    actor.stop();
    keep('late');
    await new Promise((resolve) => {
      setTimeout(resolve, 150);
    });
    expect([reports, actor.getSnapshot().context.revision]).toEqual([1, 501]);
  });

  it('that fails is a failure of its machine', () => {
    const broken = {
      newest: () => 0,
      onMove: () => {
        throw new Error('broken');
      },
    };
    const actor = createActor(liveLogMachine.provide({ actors: { source: tailDriver(broken) } }));
    actor.subscribe({ error: () => {} });
    actor.start();
    expect(actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'log-tail' });
  });
});
