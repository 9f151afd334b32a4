import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { answerCompanion, installIntegration } from '#bin/companion.ts';
import { type Person, pairWith } from '#bin/companion-pair.ts';
import { lockFolder } from '#drivers/store/lock.ts';
import { emergencyProfile } from '#profiles/emergency.ts';
import { connectCompanion, Ended, type PairingClient, pairCompanion } from '#test/fakes/companion-client.ts';
import { type LiveAgent, startLive, statusOf, until } from './live-agent.ts';

let live: LiveAgent;
let lines: string[];
let unlock: () => void;
beforeEach(async () => {
  lines = [];
  live = await startLive({ profile: emergencyProfile(), renderer: 'none' });
  // As bin/run does for its agent.
  const lock = await lockFolder(live.folder);
  if (!lock.ok) throw new Error(lock.message);
  lock.value.notePort(port());
  unlock = () => lock.value.release();
  await until('the part', async () => (await statusOf(live.url)).companion?.surface === 'mqtt');
  await until('the place', async () => (await statusOf(live.url)).security.place_reason === 'no-renderer');
});
afterEach(async () => {
  unlock();
  await live.close();
});

const port = (): number => Number(new URL(live.url).port);
const meant = () => ({ folder: live.folder, again: 'sconce companion pair' });
const socket = (): string => join(live.folder, 'pairing.sock');

/** A person who waits for the digits of that pairing, and then does something. */
const person = (pairing: Promise<PairingClient>, act: (one: PairingClient) => boolean | null): Person => ({
  say: (...said) => void lines.push(...said),
  agrees: async (_, signal) => {
    const one = await pairing;
    expect(lines.join('\n')).toContain(one.agreed.digits);
    expect(statSync(socket()).mode & 0o777).toBe(0o600);
    const answer = act(one);
    if (answer === null && !signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    return answer;
  },
});
const pairHere = (who: Person, signal = new AbortController().signal) => pairWith(meant(), who, signal);

describe('a panel without a screen', () => {
  it('is paired in a terminal, shows it, and ends it again', async () => {
    const pairing = pairCompanion({ port: port() });
    const [said, key] = await Promise.all([
      pairHere(
        person(pairing, (one) => {
          one.confirm();
          return true;
        }),
      ),
      pairing.then((one) => one.paired()),
    ]);
    expect(said).toEqual({ status: 0, lines: ['Paired with Home.'] });
    expect(existsSync(socket())).toBe(false);
    const client = await connectCompanion({ port: port(), key });
    await client.untilType('catalogue');
    const shown = await answerCompanion({ do: 'show' }, meant());
    expect(shown.status).toBe(0);
    expect(shown.lines.join('\n')).toMatch(
      new RegExp(`through the MQTT broker[^]*Home\\n +connected \\(2026[^]*${key.keyId}`),
    );
    expect(await answerCompanion({ do: 'revoke', prefix: '0'.repeat(16) }, meant())).toMatchObject({ status: 1 });
    expect(await answerCompanion({ do: 'revoke', prefix: key.keyId.slice(0, 6) }, meant())).toMatchObject({
      status: 0,
      lines: [expect.stringMatching(/^Home is no longer paired/)],
    });
    await client.closed;
    expect((await answerCompanion({ do: 'show' }, meant())).lines.join('\n')).toContain('No Home Assistant is paired');
  });

  it('keeps no key after a no, nor after a yes to digits that Home Assistant never accepted', async () => {
    const first = pairCompanion({ port: port() });
    const refused = first.then((one) => one.paired().catch((error: unknown) => error));
    expect(
      await pairHere(
        person(first, (one) => {
          one.confirm();
          return false;
        }),
      ),
    ).toMatchObject({ status: 1, lines: [expect.stringMatching(/^Denied/)] });
    expect(await refused).toMatchObject({ refused: { code: 'denied' } });

    const second = pairCompanion({ port: port() });
    const said = pairHere(person(second, () => true));
    await until('the answer', () => lines.includes('Approved. Waiting for Home Assistant.'));
    (await second).cut();
    expect(await said).toMatchObject({ status: 1, lines: [expect.stringMatching(/did not accept the digits/)] });
    expect((await statusOf(live.url)).companion?.paired).toBe(0);
  });

  it('goes on to the next one when Home Assistant leaves, and ends with the person', async () => {
    const interrupted = new AbortController();
    const pairing = pairCompanion({ port: port() });
    const who = person(pairing, (one) => {
      one.cut();
      return null;
    });
    const said = pairHere(who, interrupted.signal);
    await until('the end of it', () => lines.some((line) => line.startsWith('Home Assistant has ended it')));
    interrupted.abort();
    expect(await said).toEqual({ status: 0, lines: ['Nothing was changed.'] });
  });

  it('refuses without a terminal that waits, and nothing listens after it', async () => {
    const pairing = await pairCompanion({ port: port() });
    const refused: unknown = await pairing.paired().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Ended);
    expect(refused).toMatchObject({ refused: { code: 'no-place' } });
    await until('the socket to be gone', () => !existsSync(socket()));
  });
});

describe('sconce companion install', () => {
  it('copies the integration, and says why not', async () => {
    const built = join(live.folder, 'built');
    const config = join(live.folder, 'config');
    mkdirSync(join(built, 'custom_components/sconce'), { recursive: true });
    mkdirSync(config);
    const manifest = join(built, 'custom_components/sconce/manifest.json');
    writeFileSync(manifest, JSON.stringify({ domain: 'sconce', version: '1.0.0' }));
    expect(await installIntegration(config, built)).toMatchObject({
      status: 1,
      lines: [expect.stringMatching(/no configuration folder/)],
    });
    writeFileSync(join(config, 'configuration.yaml'), '');
    writeFileSync(join(config, '.HA_VERSION'), '2026.11.0');
    expect((await installIntegration(config, built)).lines).toEqual([
      expect.stringMatching(/^The integration 1\.0\.0 is in /),
      expect.stringMatching(/^Restart Home Assistant, then add/),
    ]);
    writeFileSync(manifest, JSON.stringify({ domain: 'sconce', version: '1.1.0' }));
    expect((await installIntegration(config, built)).lines).toEqual([
      'The integration 1.1.0 replaces 1.0.0.',
      expect.stringMatching(/^Restart Home Assistant: until then/),
    ]);
    writeFileSync(join(config, 'custom_components/sconce/manifest.json'), '{}');
    expect(await installIntegration(config, built)).toMatchObject({
      status: 1,
      lines: [expect.stringMatching(/something else/), 'Move it away, then try again.'],
    });
    expect(await installIntegration(config, join(live.folder, 'none'))).toMatchObject({
      status: 1,
      lines: [expect.stringMatching(/npm run build/)],
    });
  });
});
