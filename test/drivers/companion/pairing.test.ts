import { afterEach, describe, expect, it } from 'vitest';

import { PairingAnswer } from '#machines/companion/messages.ts';
import type { SessionFact } from '#machines/companion/events.ts';
import { keyPairOf } from '#drivers/companion/x25519.ts';
import { agree, beginPairing, commitOf } from '#drivers/companion/pairing.ts';
import { isFact } from '#test/drivers/run-driver.ts';
import { until } from '#test/drivers/http/serving.ts';
import { connectCompanion, Ended, greet, homeClient, openLine, pairCompanion } from '#test/fakes/companion-client.ts';
import { pairedKey, servePanel, type ServedPanel } from './served.ts';

let running: ServedPanel | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
const start = async (...args: Parameters<typeof servePanel>): Promise<ServedPanel> =>
  (running = await servePanel(...args));
const wanted = (panel: ServedPanel, from = 0) =>
  panel.driver.until(isFact<SessionFact, 'pairing.wanted'>('pairing.wanted'), from);
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Ended ? error.refused?.code : error),
  );

describe('a pairing', () => {
  it('has the same digits and key at both ends, and the key opens a session', async () => {
    const panel = await start({ keys: [] });
    const home = await pairCompanion({ port: panel.port });
    const fact = await wanted(panel);
    const { id, ...rest } = homeClient;
    expect(fact).toMatchObject({ client: { clientId: id, ...rest }, peer: '127.0.0.1', digits: home.agreed.digits });
    expect(fact.digits).toMatch(/^\d{6}$/);
    expect(fact.key).toEqual({ keyId: home.agreed.keyId, key: home.agreed.key });
    home.confirm();
    await panel.driver.until(isFact<SessionFact, 'pairing.confirmed'>('pairing.confirmed'));
    panel.driver.tell({ type: 'sessions.keys', keys: [{ ...pairedKey(1), ...fact.key }] });
    panel.driver.tell({ type: 'pairing.end', pairing: fact.pairing, outcome: 'paired' });
    const key = await home.paired();
    expect(await home.closed).toBe(1000);
    const session = await connectCompanion({ port: panel.port, key });
    expect((await session.set('screen', null)).ok).toBe(true);
    expect(panel.driver.facts.map(({ type }) => type)).not.toContain('pairing.left');
  });

  it.each(['denied', 'expired', 'no-place', 'pairing-busy', 'pairing-too-often', 'busy'] as const)(
    'ends as the panel says: %s',
    async (outcome) => {
      const panel = await start();
      const home = await pairCompanion({ port: panel.port });
      const { pairing } = await wanted(panel);
      panel.driver.tell({ type: 'pairing.end', pairing, outcome });
      expect(await codeOf(home.paired())).toBe(outcome);
    },
  );

  it('is told when Home Assistant leaves', async () => {
    const panel = await start();
    const home = await pairCompanion({ port: panel.port });
    const { pairing } = await wanted(panel);
    home.cut();
    expect(await panel.driver.until(isFact<SessionFact, 'pairing.left'>('pairing.left'))).toEqual({
      type: 'pairing.left',
      pairing,
    });
    panel.driver.tell({ type: 'pairing.end', pairing, outcome: 'paired' });
  });

  it('waits for the person as long as it may, if both ends answer', async () => {
    const panel = await start({ times: { question: 65_000 } });
    const silent = await pairCompanion({ port: panel.port, pongs: false });
    await wanted(panel);
    panel.clock.pass(25_100);
    expect(await silent.closed).toBe(1006);
    const home = await pairCompanion({ port: panel.port });
    await until(() => panel.driver.facts.filter(({ type }) => type === 'pairing.wanted').length === 2, 'two');
    for (let passed = 0; passed < 60_000; passed += 15_000) {
      const pinged = home.pinged();
      panel.clock.pass(15_000, 500);
      await pinged;
      const line = await openLine({ port: panel.port });
      await codeOf(greet(line, {}, 'ff'.repeat(8)));
    }
    expect(panel.driver.facts.map(({ type }) => type).filter((type) => type === 'pairing.left')).toHaveLength(1);
    panel.clock.pass(6_000, 500);
    expect(await codeOf(home.paired())).toBe('expired');
  });
});

describe('one who pairs', () => {
  const begin = async (panel: ServedPanel) => {
    const line = await openLine({ port: panel.port });
    await greet(line, {});
    return { line, say: (message: object): void => line.socket.send(JSON.stringify(message)) };
  };
  const client = { key: keyPairOf(Buffer.alloc(32, 5)).publicKey, nonce: Buffer.alloc(16, 1) };
  const commit = commitOf(client).toString('hex');
  const reveal = { type: 'reveal', key: client.key.toString('hex'), nonce: client.nonce.toString('hex') };
  const lastOf = async (line: Awaited<ReturnType<typeof openLine>>): Promise<unknown> =>
    JSON.parse((await line.next()).bytes.toString());

  it.each([
    ['another key than it committed to', { ...reveal, key: '11'.repeat(32) }],
    ['another nonce', { ...reveal, nonce: '11'.repeat(16) }],
    ['a short key', { ...reveal, key: '11' }],
    ['the steps in another order', { type: 'confirm' }],
    ['the first step again', { type: 'pair', commit }],
    ['no step', []],
  ])('is refused with %s', async (_, second) => {
    const panel = await start();
    const { line, say } = await begin(panel);
    say({ type: 'pair', commit });
    expect(PairingAnswer().parse(await lastOf(line)).type).toBe('pair');
    say(second);
    expect(await lastOf(line)).toMatchObject({ type: 'refused', code: 'malformed' });
    expect(panel.driver.facts.map(({ type }) => type)).not.toContain('pairing.wanted');
  });

  it('is refused with a key of zeros, whatever was committed', async () => {
    const panel = await start();
    const { line, say } = await begin(panel);
    const zero = { key: Buffer.alloc(32), nonce: client.nonce };
    say({ type: 'pair', commit: commitOf(zero).toString('hex') });
    await lastOf(line);
    say({ type: 'reveal', key: zero.key.toString('hex'), nonce: zero.nonce.toString('hex') });
    expect(await lastOf(line)).toMatchObject({ code: 'malformed' });
  });

  it('has 10 s for each step', async () => {
    const panel = await start();
    const { line, say } = await begin(panel);
    panel.clock.pass(9_000);
    say({ type: 'pair', commit });
    await lastOf(line);
    panel.clock.pass(9_000);
    say(reveal);
    await wanted(panel);
    const late = await begin(panel);
    panel.clock.pass(10_100);
    expect(await lastOf(late.line)).toMatchObject({ code: 'too-slow' });
  });

  it('has other digits at each end if one is in between', () => {
    const prologue = Buffer.from('greetings');
    // To each end it shows its own keys, which it had to choose before it knew the other's.
    const [home, between] = [keyPairOf(Buffer.alloc(32, 1)), keyPairOf(Buffer.alloc(32, 2))];
    const nonce = Buffer.alloc(16, 3);
    const ofHome = { key: home.publicKey, nonce };
    const ofBetween = { key: between.publicKey, nonce };
    const panel = beginPairing(prologue, commitOf(ofBetween));
    const atPanel = panel.reveal(ofBetween);
    const secret = home.shareWith(between.publicKey);
    const atHome = secret === null ? null : agree(prologue, secret, ofBetween, ofHome);
    expect(atPanel?.digits).not.toBe(atHome?.digits);
    expect(atPanel?.key).not.toBe(atHome?.key);
    // And it cannot show Home Assistant's key in place of the one that it committed to.
    expect(panel.reveal(ofHome)).toBeNull();
  });
});
