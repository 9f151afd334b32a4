import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unseenBrowser } from '#test/browser/program.ts';
import { amount } from '#test/fakes/amount.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { HomeClient } from '../home-assistant/client.ts';
import type { Home } from '../home-assistant/home.ts';
import { resident, tokenOf } from '../home-assistant/onboard.ts';
import { Agent } from '../kit/agent.ts';
import { type Broker, passwords } from '../kit/broker.ts';
import { join, panelCalled } from '../kit/panel.ts';
import { until } from '../kit/until.ts';
import { own } from './own.ts';

const bundle = fileURLToPath(new URL('../../../dist/sconce.cjs', import.meta.url));
const panel = panelCalled('stairs', 'Stairs panel');
/** How soon every reader has to say that Home Assistant is gone, in milliseconds. */
const goneWithinMs = 15_000;

let broker: Broker;
let home: Home;
let client: HomeClient;
let agent: Agent;
/** A panel that is not signed in, on the same broker. */
let other: Agent;

beforeAll(async () => {
  ({ broker, home } = await own());
  [agent, other] = await Promise.all([
    Agent.start({ args: ['--renderer', 'headless'], env: unseenBrowser() }),
    Agent.start(),
  ]);
  client = await home.client();
  await agent.configure({ ha_url: home.url, ha_token: await tokenOf(home.url, resident) });
  await join(agent, panel, broker.port);
  await join(other, panelCalled('bath', 'Bath panel'), broker.port);
});

afterAll(async () => {
  await agent?.stop();
  await other?.stop();
});

/** The verdict on Home Assistant, by its reason. */
const reason = ({ capabilities }: StatusDocument): string | undefined =>
  capabilities.find(({ id }) => id === 'platform')?.reason;
const says = (what: string, of: Agent = agent, withinMs = 30_000): Promise<boolean> =>
  until(`it says ${what}`, async () => reason(await of.status()) === what, withinMs).catch(async (error: unknown) => {
    const { home_presence: presence, home_assistant: link } = await of.status();
    throw new Error(`${String(error)}: ${JSON.stringify([presence, link])}`, { cause: error });
  });

/** What `sconce doctor` prints of the agent, and how it ends. */
const doctor = (of: Agent): Promise<{ readonly status: number | null; readonly text: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [bundle, 'doctor', '--port', String(of.port)], (_, text) =>
      resolve({ status: child.exitCode, text }),
    );
  });

const state = (status: StatusDocument, id: string): string | undefined =>
  status.capabilities.find((row) => row.id === id)?.state;
/** What each reader says now, one a line. */
async function readers(of: Agent): Promise<Readonly<Record<string, unknown>>> {
  const [status, page, kiosk, told] = await Promise.all([of.status(), of.text('/'), of.text('/glass'), doctor(of)]);
  return {
    header: status.state,
    headline: status.next?.title ?? status.sentence,
    card: [state(status, 'platform'), status.home_presence?.detail],
    drawn: /<text class="tile-word[^>]*>([^<]*)</.exec(page)?.[1]?.trim() ?? null,
    broker: state(status, 'mqtt'),
    dashboard: state(status, 'dashboard'),
    kiosk: /class="glass-title">([^<]*)</.exec(kiosk)?.[1],
    doctor: [told.status, /^Needs you.*$/m.exec(told.text)?.[0] ?? null],
    evidence: status.home_presence?.evidence,
    warnings: status.warnings,
  };
}

async function mqttEntry(): Promise<string> {
  const [entry] = await client.call<readonly { readonly entry_id: string }[]>('config_entries/get', { domain: 'mqtt' });
  if (entry === undefined) throw new Error('no MQTT integration');
  return entry.entry_id;
}

describe('shown in Home Assistant', () => {
  it('is what was seen there, and announced what cannot be', async () => {
    await says('shown');
    expect(['live', 'live-unconfirmed']).toContain(reason(await other.status()));
    expect((await agent.status()).home_presence).toMatchObject({ state: 'there', shows: 'shown' });
    expect((await other.status()).home_presence).toMatchObject({ shows: null });
  });

  it('is not so with a disabled MQTT integration, to an account that may not see its entry', async () => {
    const entry = await mqttEntry();
    await client.call('config_entries/disable', { entry_id: entry, disabled_by: 'user' });
    // It leaves the broker in order; a look is due each half minute, and here at once.
    await agent.configure({ ha_expose_diag_cpu: true });
    await says('mqtt-disabled', agent, 15_000);
    expect(await doctor(agent)).toMatchObject({ status: 1, text: expect.stringContaining('MQTT integration') });
    await client.call('config_entries/disable', { entry_id: entry, disabled_by: null });
    await says('shown');
  });

  // The broker restarts twice, and all is published again each time: not in a plain run.
  it.each(amount<readonly string[]>([], ['the broker']))(
    'is not so while the integration waits for the new password of %s',
    async () => {
      broker.setPassword('home', 'another-password');
      await broker.kill();
      await broker.startAgain();
      type Issues = { readonly issues: readonly { readonly issue_id: string }[] };
      await until('Home Assistant was refused', async () =>
        (await client.call<Issues>('repairs/list_issues')).issues.some(({ issue_id: id }) =>
          id.includes('reauth_mqtt'),
        ),
      );
      await agent.configure({ ha_expose_diag_cpu: false });
      await says('mqtt-waits-for-password', agent, 15_000);
      broker.setPassword('home', passwords.home);
      await broker.kill();
      await broker.startAgain();
      await fetch(`${home.url}/api/config/config_entries/entry/${await mqttEntry()}/reload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${home.token}` },
      });
      await says('shown', agent, 40_000);
    },
  );
});

describe('Home Assistant killed', () => {
  it('is said by every reader within 15 s', async () => {
    const since = performance.now();
    await home.kill();
    await says('home-assistant-gone', agent, goneWithinMs);
    console.log(`gone after ${Math.round(performance.now() - since)} ms`);
    await says('home-assistant-gone', other, goneWithinMs);
    await until('15 s have passed', () => performance.now() - since > goneWithinMs, goneWithinMs + 1000);
    const [seen, heard] = await Promise.all([readers(agent), readers(other)]);
    console.log('with a sign-in', seen, '\nwithout', heard);
    for (const said of [seen, heard]) {
      expect(said).toMatchObject({
        header: 'needs_you',
        headline: "Home Assistant isn't responding",
        card: ['needs_you', expect.stringContaining('Home Assistant has gone offline.')],
        drawn: 'needs you',
        broker: 'working',
        doctor: [1, 'Needs you: Home Assistant.'],
      });
    }
    expect(seen).toMatchObject({ dashboard: 'checking', kiosk: 'Home Assistant isn’t responding' });
  });
});
