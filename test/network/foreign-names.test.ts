import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { until } from '#test/broker/mosquitto.ts';

import { type Lan, makeLan } from './lan.ts';
import { whyNoNamespaces } from './routed.ts';

const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const besides = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const missing = whyNoNamespaces() ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');

const PORT = 8888;
const SERVICE = '_home-assistant._tcp.local';
/** More than stopped the finder (one), and more than parked it (seven). */
const PACKETS = amount(20, 500);
const withinMs = { timeout: 20_000, interval: 200 };

/** Names that every object has, and others that are none; as long as a label may be. */
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '', ' ', 'x'.repeat(63)];

/** Every kind of record that the finder reads, under a name as it is and as an instance of the service. */
const recordsOf = (name: string, address: string, ttl: number): readonly object[] =>
  [name, `${name}.local`, `${name}.${SERVICE}`].flatMap((full) => [
    { type: 'A', name: full, ttl, data: address },
    { type: 'PTR', name: SERVICE, ttl, data: full },
    { type: 'PTR', name: full, ttl, data: name },
    { type: 'SRV', name: full, ttl, data: { target: name, port: 1 } },
    { type: 'TXT', name: full, ttl, data: [`${name}=1`, `uuid=${name}`, '__proto__', '=x'] },
  ]);

/** What a genuine Home Assistant announces. */
const advert = (address: string): readonly object[] => [
  { type: 'PTR', name: SERVICE, ttl: 120, data: `Home.${SERVICE}` },
  { type: 'SRV', name: `Home.${SERVICE}`, ttl: 120, data: { target: 'genuine.local', port: 8123 } },
  { type: 'TXT', name: `Home.${SERVICE}`, ttl: 120, data: ['uuid=genuine'] },
  { type: 'A', name: 'genuine.local', ttl: 120, data: address },
];

describe('mDNS records whose names every object has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-names-'));
  let lan: Lan | undefined;
  beforeAll(async () => {
    if (missing === null) lan = await makeLan(3);
  }, 20_000);
  afterAll(async () => {
    await lan?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('stop no part, cost nothing, and hide no Home Assistant', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const [panel, home, forger] = lan?.machines ?? [];
    if (panel === undefined || home === undefined || forger === undefined) throw new Error('no network');
    const caller = panel.start(process.execPath, besides('caller.mjs'), String(PORT));
    let number = 0;
    const diag = async (): Promise<string> => {
      number += 1;
      const mark = `{"number":${number},`;
      const answered = (): string | undefined =>
        caller
          .printed()
          .split('\n')
          .slice(0, -1)
          .find((line) => line.startsWith(mark));
      caller.tell(JSON.stringify({ number, path: '/api/v1/diag' }));
      // As the caller prints it.
      return (JSON.parse(await until('the diagnostics', answered)) as { readonly text: string }).text;
    };
    const finder = async (): Promise<string | undefined> => /^\[finder\] (.*)$/m.exec(await diag())?.[1];
    /** Asks for /health from another peer. */
    const probe = async (count: number): Promise<readonly number[]> => {
      const words = JSON.stringify({ from: home.address, to: panel.address, port: PORT, count });
      const prober = home.start(process.execPath, besides('attacks/prober.mjs'), words);
      const text = await until('the probes', () => (prober.printed().endsWith('\n') ? prober.printed() : undefined));
      // As the prober prints it; a refused one counts as endless.
      const times = JSON.parse(text) as readonly (number | null)[];
      return times.map((ms) => ms ?? Infinity).toSorted((one, other) => one - other);
    };

    const words = ['run', '--profile', 'simulated', '--data', folder, '--port', String(PORT)];
    const agent = panel.start(process.execPath, bundle, ...words);
    const residentMb = (): number =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${agent.pid}/status`, 'utf8'))?.[1]) / 1024;
    /** How long it has waited for a processor that others had, in milliseconds (Linux, schedstat). */
    const starvedMs = (): number =>
      Number(readFileSync(`/proc/${agent.pid}/schedstat`, 'utf8').split(' ')[1]) / 1_000_000;
    await expect.poll(finder, withinMs).toContain('state=searching');
    await probe(50);
    const quietMb = residentMb();

    const how = JSON.stringify({ address: forger.address });
    const attacker = forger.start('nice', '-n', '10', process.execPath, besides('neighbour.mjs'), how);
    await until('the attacker', () => attacker.printed().startsWith('ready'));
    const before = starvedMs();
    const probing = probe(amount(200, 1000));
    for (let packet = 0; packet < PACKETS; packet += 1) {
      const name = names[packet % names.length] ?? '';
      attacker.tell(JSON.stringify(recordsOf(name, forger.address, packet % 5 === 4 ? 0 : 120)));
    }
    const times = await probing;
    const starved = starvedMs() - before;
    const p99 = times[Math.floor(times.length * 0.99)] ?? Infinity;

    // What was forged goes with its farewell; the genuine one is told apart from nothing then.
    for (const name of names) attacker.tell(JSON.stringify(recordsOf(name, forger.address, 0)));
    const genuine = home.start(
      process.execPath,
      besides('neighbour.mjs'),
      JSON.stringify({ address: home.address, advertises: advert(home.address) }),
    );
    await until('the genuine one', () => genuine.printed().startsWith('ready'));
    genuine.tell(JSON.stringify(advert(home.address)));
    await expect.poll(finder, withinMs).toMatch(/state=found .*count=1 /);

    console.info(
      `${PACKETS} packets: /health p99 ${p99.toFixed(0)} ms, longest ${times.at(-1)?.toFixed(0)} ms, of ` +
        `which others had the processor for at most ${starved.toFixed(0)} ms in all; memory ${(residentMb() - quietMb).toFixed(0)} MB more`,
    );
    expect(agent.printed()).not.toMatch(/failed|parked|TypeError/);
    // What else runs on the machine is no cost of the attack.
    expect(p99 - starved).toBeLessThan(250);
    expect(residentMb() - quietMb).toBeLessThan(60);
  });
});
