import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatusDocument } from '#machines/status.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { callerOn, conversation } from '#test/network/house.ts';
import { type Lan, type Machine, makeLan, type Program } from '#test/network/lan.ts';
import { openBrowserIn, personAt } from '#test/network/person.ts';
import { whyNoNamespaces } from '#test/network/routed.ts';
import { toolsMissing } from '#test/network/tools-missing.ts';
import type { EntityState, FlowStep, HomeClient } from './home-assistant/client.ts';
import { Home } from './home-assistant/home.ts';
import { unpackIntegration } from './home-assistant/integration.ts';
import { Agent, type LaunchOptions } from './kit/agent.ts';
import { Display } from './kit/display.ts';
import { flow } from './kit/paired.ts';
import { panelCalled } from './kit/panel.ts';
import { freePort } from './kit/ports.ts';
import { until } from './kit/until.ts';
import { wayInto } from './kit/way-in.ts';

const missing =
  whyNoNamespaces() ?? (noBrowser ? 'Chromium is not installed' : null) ?? (await toolsMissing('Xvfb', 'xdotool'));
if (missing !== null) console.warn(`SKIPPED Home Assistant in a network of its own: ${missing}`);

const panel = panelCalled('found_hall', 'Found hall');
const { volume } = panel.entity;
const SERVICE = '_sconce._tcp.local';
/** Where the test looks into the browser. */
const EYE_PORT = 9334;
/** Once both ends are there, in milliseconds. */
const RIGHT_WITHIN_MS = 2000;
/** Seconds between two attempts of the integration: only what is announced can be in time. */
const FAR_APART = 'RETRY_SECONDS: Final = (60.0,)';
const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const besides = (file: string): string => fileURLToPath(new URL(`../network/${file}`, import.meta.url));

/** What a machine at an address announces that takes itself for the panel. */
const claim = (address: string, port: number) => [
  { type: 'PTR', name: SERVICE, ttl: 120, data: `${panel.id}.${SERVICE}` },
  { type: 'SRV', name: `${panel.id}.${SERVICE}`, ttl: 120, flush: true, data: { target: 'claims.local', port } },
  { type: 'TXT', name: `${panel.id}.${SERVICE}`, ttl: 120, flush: true, data: [`id=${panel.id}`, 'name=Found hall'] },
  { type: 'A', name: 'claims.local', ttl: 120, flush: true, data: address },
];

/** One day of a panel with a screen and a Home Assistant that finds it by its announcements. */
describe.skipIf(missing !== null)('in a network of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-found-'));
  const ways: Server[] = [];
  let lan: Lan;
  let machines: { readonly panel: Machine; readonly home: Machine; readonly stranger: Machine };
  let display: Display;
  let home: Home;
  let agent: Agent;
  let client: HomeClient;
  let states: ReadonlyMap<string, EntityState>;
  let eye: ReturnType<typeof conversation>;
  /** Where Home Assistant keeps its entries. */
  let stored = '';
  let announcer: Program;

  const { look, shows, hold } = personAt(() => ({ display: display.name, eye }));
  const onPanel = (): LaunchOptions => ({ discovers: true, through: machines.panel.inside() });
  const isAvailable = (): boolean => ![undefined, 'unavailable'].includes(states.get(volume)?.state);
  /** The address in the entry of the panel; Home Assistant writes it a second after it has changed. */
  const keptAddress = (): unknown => {
    const { data } = JSON.parse(readFileSync(stored, 'utf8')) as {
      readonly data: {
        readonly entries: readonly { readonly domain: string; readonly data: { readonly host?: string } }[];
      };
    };
    return data.entries.find(({ domain }) => domain === 'sconce')?.data.host;
  };
  const flows = (source: string) =>
    client
      .call<
        readonly (FlowStep & {
          readonly handler: string;
          readonly context: { readonly source: string; readonly unique_id?: string };
        })[]
      >('config_entries/flow/progress')
      .then((all) => all.filter(({ handler, context }) => handler === 'sconce' && context.source === source));
  /** Ends the panel, and waits until Home Assistant has noticed. */
  const kill = async (): Promise<void> => {
    await agent.kill();
    await until('its entities are unavailable', () => !isAvailable());
  };
  /** Starts the panel again; returns after how long its entities are there, in milliseconds. */
  const back = async (): Promise<number> => {
    await agent.startAgain(onPanel());
    const from = performance.now();
    await until('it is back', isAvailable);
    return Math.round(performance.now() - from);
  };
  const announce = async (): Promise<void> => {
    for (let times = 0; times < 3; times += 1) {
      announcer.tell(JSON.stringify(claim(machines.stranger.address, agent.port)));
      // oxlint-disable-next-line no-await-in-loop -- as a responder repeats it
      await pause(250);
    }
  };

  beforeAll(async () => {
    [lan, display] = await Promise.all([makeLan(3), Display.start()]);
    const [ofPanel, ofHome, stranger] = lan.machines;
    if (ofPanel === undefined || ofHome === undefined || stranger === undefined) throw new Error('no network');
    machines = { panel: ofPanel, home: ofHome, stranger };
    home = await Home.start(
      null,
      {},
      async (config, port) => {
        unpackIntegration(config);
        appendFileSync(join(config, 'configuration.yaml'), 'zeroconf:\n');
        const bounds = join(config, 'custom_components/sconce/const.py');
        writeFileSync(bounds, readFileSync(bounds, 'utf8').replace(/^RETRY_SECONDS.*$/m, FAR_APART));
        stored = join(config, '.storage/core.config_entries');
        ways.push(await wayInto(ofHome, port, folder));
      },
      ofHome.inside(),
    );
    client = await home.client();
    states = await client.states();
    eye = conversation(ofPanel.start(process.execPath, besides('browser-eye.mjs'), String(EYE_PORT)));
    announcer = stranger.start(
      process.execPath,
      besides('neighbour.mjs'),
      JSON.stringify({ address: stranger.address }),
    );
    const bin = openBrowserIn(folder, EYE_PORT);
    const port = await freePort();
    ways.push(await wayInto(ofPanel, port, folder));
    const screen = { DISPLAY: display.name, WAYLAND_DISPLAY: undefined, XDG_RUNTIME_DIR: undefined };
    const env = { PATH: `${bin}:${process.env['PATH']}`, ...screen };
    agent = await Agent.start({ ...onPanel(), args: ['--renderer', 'auto'], env }, port);
    await until('a place to ask', async () => (await agent.status()).security?.place === 'screen');
    await agent.configure({ panel_id: panel.id, friendly_name: panel.name, entity_surface: 'native' });
  });

  afterAll(async () => {
    await Promise.all([agent?.stop(), home?.stop()]);
    await lan?.remove();
    await display?.stop();
    for (const way of ways) way.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
  });

  it('is found, and paired by the digits on its screen and a press that holds', async () => {
    const found = await until('it is found', async () =>
      (await flows('zeroconf')).find(({ context }) => context.unique_id === panel.id),
    );
    const digits = await flow.next(client, found, {});
    expect(digits).toMatchObject({ step_id: 'digits', description_placeholders: { name: panel.name } });
    await shows('[data-title]', 'Pair Home Assistant');
    const { value } = await look('/ask', "document.querySelector('[data-code]').textContent");
    const typed = await flow.next(client, digits, { digits: value });
    expect(typed.type).toBe('progress');
    expect(await flow.after(client, typed, hold)).toMatchObject({ type: 'create_entry', title: panel.name });
    await until('its entities are there', isAvailable);
    await until('its address is kept', () => keptAddress() === machines.panel.address);
  });

  it('is right again soon after a kill, since its announcement cuts the wait', async () => {
    const took: number[] = [];
    for (let times = 0; times < 5; times += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await kill();
      // oxlint-disable-next-line no-await-in-loop -- one after another
      took.push(await back());
    }
    console.log(`right again after ${took.join(', ')} ms`);
    expect(Math.max(...took)).toBeLessThan(RIGHT_WITHIN_MS);
  });

  it('is unharmed by another machine that claims its id, and keeps its address', async () => {
    const opened = (await agent.status()).companion?.connected_at;
    await announce();
    await client.act('number.set_value', volume, { value: 23 });
    await pause(1500);
    expect((await agent.status()).companion).toMatchObject({ connected_at: opened, sessions: 1 });
    expect(keptAddress()).toBe(machines.panel.address);
  });

  it('is right again soon while that machine takes connections and says nothing', async () => {
    const swallow = `require('net').createServer((socket) => {
      process.stdout.write('came ');
      socket.on('error', () => {}).resume();
    }).listen(${agent.port}, () => process.stdout.write('ready '))`;
    const silent = machines.stranger.start(process.execPath, '-e', swallow);
    await until('it listens', () => silent.printed().includes('ready'));
    await kill();
    await announce();
    await until('it is dialled', () => silent.printed().includes('came'));
    expect(await back()).toBeLessThan(RIGHT_WITHIN_MS);
    await pause(1500);
    expect(keptAddress()).toBe(machines.panel.address);
    await silent.kill();
  });

  it('is right again soon while that machine is a panel of the same id', async () => {
    const data = join(folder, 'other');
    const how = `run --profile simulated --renderer none --port ${agent.port} --data`.split(' ');
    const other = machines.stranger.start(process.execPath, bundle, ...how, data);
    const call = callerOn(machines.stranger, besides('caller.mjs'), agent.port, '127.0.0.1');
    await until('the other listens', async () => (await call('/health')).status === 200);
    await kill();
    expect((await call('/api/v1/config', { panel_id: panel.id, entity_surface: 'native' })).status).toBe(200);
    await until('it was dialled', async () => {
      const { companion } = JSON.parse((await call('/api/v1/status')).text) as StatusDocument;
      return (companion?.refused_connections ?? 0) > 0;
    });
    expect(await back()).toBeLessThan(RIGHT_WITHIN_MS);
    await pause(1500);
    expect(keptAddress()).toBe(machines.panel.address);
    await other.kill();
  });
});
