import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { mdnsResponder } from '#drivers/advertiser/responder.ts';
import type { AdvertiserCommand, AdvertiserFact, Lan } from '#machines/advertiser/events.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

// Programs that behave as the real one may: what it says to the network is tried in test/network.
const folder = mkdtempSync(join(tmpdir(), 'sconce-responder-'));
function program(name: string, source: string): string {
  const file = join(folder, `${name}.cjs`);
  writeFileSync(file, source);
  return file;
}
const polite = program(
  'polite',
  "process.on('message', (m) => (m.type === 'end' ? process.exit(0) : process.send({ type: 'up', instance: m.advertisement.instance })));",
);
const taken = program(
  'taken',
  "process.on('message', (m) => { if (m.type === 'end') process.exit(0); process.send({ type: 'up', instance: 'hall (2)' }); process.send({ type: 'renamed', instance: 'hall (3)' }); });",
);
const babbling = program(
  'babbling',
  "process.on('message', (m) => { if (m.type === 'end') process.exit(0); for (const s of [1, null, {}, { type: 'up' }]) process.send(s ?? 0); process.send({ type: 'up', instance: 'hall' }); });",
);
const pidFile = JSON.stringify(join(folder, 'deaf.pid'));
const deaf = program(
  'deaf',
  `process.on('message', (m) => { if (m.type !== 'end') { require('node:fs').writeFileSync(${pidFile}, String(process.pid)); process.send({ type: 'up', instance: 'hall' }); } }); process.on('disconnect', () => {}); setInterval(() => {}, 1000);`,
);
const dying = program(
  'dying',
  "process.on('message', () => process.send({ type: 'up', instance: 'hall' }, () => { throw new Error('from a timer'); }));",
);
const greedy = program(
  'greedy',
  "process.on('message', () => process.send({ type: 'up', instance: 'hall' }, () => { const kept = []; for (;;) kept.push(Array.from({ length: 10_000 }, Math.random)); }));",
);
const stillborn = program('stillborn', 'process.exit(1);');

const lan: Lan = { interface: 'lo', address: '127.0.0.1', family: 'ipv4' };
const start = (generation: number): AdvertiserCommand => ({
  type: 'responder.start',
  generation,
  lan,
  advertisement: { instance: 'hall', host: 'sconce-hall', port: 8888, txt: { path: '/play' } },
});

const drivers: { readonly stop: () => void; readonly settled: () => Promise<void> }[] = [];
function run(file: string) {
  const driver = runDriver<AdvertiserCommand, AdvertiserFact>(mdnsResponder(file));
  drivers.push(driver);
  return driver;
}
afterEach(async () => {
  const ended = drivers.splice(0);
  for (const { stop } of ended) stop();
  await Promise.all(ended.map(({ settled }) => settled()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the process of the responder', () => {
  it('reports that the network was told', async () => {
    const driver = run(polite);
    driver.tell(start(4));
    expect(await driver.until(isFact('responder.up'))).toEqual({ type: 'responder.up', generation: 4, renamed: false });
  });

  it('reports another name than the wanted one', async () => {
    const driver = run(taken);
    driver.tell(start(1));
    expect(await driver.until(isFact('responder.up'))).toMatchObject({ renamed: true });
    expect(await driver.until(isFact('responder.renamed'))).toEqual({ type: 'responder.renamed', generation: 1 });
  });

  it('is not believed when it says something else', async () => {
    const driver = run(babbling);
    driver.tell(start(1));
    await driver.until(isFact('responder.up'));
    expect(driver.facts).toHaveLength(1);
    expect(driver.crashed()).toBeUndefined();
  });

  it('harms nobody when it throws from a timer', async () => {
    const driver = run(dying);
    driver.tell(start(2));
    expect(await driver.until(isFact('responder.failed'))).toEqual({
      type: 'responder.failed',
      generation: 2,
      code: 'responder-died',
    });
    expect(driver.crashed()).toBeUndefined();
  });

  it('ends before it takes the memory of a small panel', async () => {
    const driver = run(greedy);
    driver.tell(start(2));
    expect(await driver.until(isFact('responder.failed'))).toEqual({
      type: 'responder.failed',
      generation: 2,
      code: 'responder-died',
    });
    expect(driver.crashed()).toBeUndefined();
  });

  it.each([
    ['dies at its start', stillborn],
    ['is not there', join(folder, 'absent.cjs')],
  ])('is reported when it %s', async (_, file) => {
    const driver = run(file);
    driver.tell(start(3));
    expect(await driver.until(isFact('responder.failed'))).toEqual({
      type: 'responder.failed',
      generation: 3,
      code: 'recreation-failed',
    });
  });

  it('makes room for the next one', async () => {
    const driver = run(polite);
    driver.tell(start(1));
    await driver.until(isFact('responder.up'));
    driver.tell(start(2));
    await driver.until(isFact('responder.up', ({ generation }) => generation === 2));
    expect(driver.facts.filter(isFact('responder.failed'))).toEqual([]);
  });

  it('is killed when it does not end, and nothing is left behind', async () => {
    const driver = run(deaf);
    driver.tell(start(1));
    await driver.until(isFact('responder.up'));
    const { readFileSync } = await import('node:fs');
    const pid = readFileSync(join(folder, 'deaf.pid'), 'utf8');
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    driver.stop();
    await driver.settled();
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  it('cannot be asked about while none runs', async () => {
    const driver = run(polite);
    driver.tell({ type: 'responder.ask', ask: 5 });
    expect(await driver.until(isFact('responder.asked'))).toEqual({
      type: 'responder.asked',
      ask: 5,
      result: 'unavailable',
    });
  });

  it('that does not answer the network is missed', async () => {
    const driver = run(polite);
    driver.tell(start(1));
    await driver.until(isFact('responder.up'));
    driver.tell({ type: 'responder.ask', ask: 6 });
    expect(await driver.until(isFact('responder.asked'))).toEqual({
      type: 'responder.asked',
      ask: 6,
      result: 'missing',
    });
  });
});
