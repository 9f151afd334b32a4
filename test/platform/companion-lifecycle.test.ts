import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unseenBrowser } from '#test/browser/program.ts';
import { amount } from '#test/fakes/amount.ts';
import { inAll } from '#test/fakes/in-all.ts';
import type { EntityState, HomeClient } from './home-assistant/client.ts';
import { Home } from './home-assistant/home.ts';
import { unpackIntegration } from './home-assistant/integration.ts';
import { Agent } from './kit/agent.ts';
import { Cable } from './kit/cable.ts';
import { drawn } from './kit/outages.ts';
import { addPanel } from './kit/paired.ts';
import { panelCalled } from './kit/panel.ts';
import { until } from './kit/until.ts';

const panel = panelCalled('lasting_hall', 'Lasting hall');
const { volume } = panel.entity;
const button = `event.${panel.id}_button`;
/** Once both ends are there, in milliseconds. */
const RIGHT_WITHIN_MS = 2000;
const seed = Number(process.env['SCONCE_OUTAGE_SEED'] ?? amount(39, Math.floor(Math.random() * 2 ** 31)));

const kinds = ['cut', 'cut', 'cut', 'cut', 'panel killed', 'panel killed', 'panel killed', 'panel frozen'] as const;
type Kind = (typeof kinds)[number] | 'home killed' | 'home frozen';

/** Tens of outages, whose order and measures follow from the seed; one in ten ends Home Assistant. */
function outages(of: number) {
  const draw = drawn(of);
  const between = (low: number, high: number): number => low + Math.floor(draw() * (high - low + 1));
  return Array.from({ length: amount(1, 10) }, () => [...kinds, 'home killed', 'home frozen'] as readonly Kind[])
    .flatMap((ten) => ten.map((kind) => ({ kind, place: draw() })).toSorted((a, b) => a.place - b.place))
    .map(({ kind }, at) => ({
      number: at + 1,
      kind,
      awayMs: between(0, 1500),
      value: between(1, 95),
      // Never the one before: two presses of one button within 400 ms are a double press.
      button: (at % 4) + 1,
    }));
}

let home: Home;
let agent: Agent;
let cable: Cable;
let client: HomeClient;
let states: ReadonlyMap<string, EntityState>;
let entry: string;
/** The life of Home Assistant, as the panel said it since the start. */
const words: string[] = [];
const watch = new AbortController();

/** Notes each change of the tokens of the health line. */
async function watchHealth(): Promise<void> {
  while (!watch.signal.aborted) {
    const line = await agent.text('/health').catch(() => '');
    const [, life, source] = / ha=(\S+)(?: ha_src=(\S+))?/.exec(line) ?? [];
    const word = life === undefined ? '' : [life, source].join(' ').trim();
    if (word !== '' && word !== words.at(-1)) words.push(word);
    await pause(20);
  }
}

/** What the entity of the buttons told, each time once. */
const told: string[] = [];
const seen = new Set<string>();
/** How long it took after each outage, in milliseconds. */
const took: (readonly [string, number])[] = [];

const since = (from: number): readonly string[] => words.slice(from).filter((word) => !word.startsWith('normal'));
const lately = (from: number, wanted: readonly string[], withinMs?: number): Promise<unknown> =>
  until('the words', () => since(from).join() === wanted.join(), withinMs).catch(() =>
    expect(since(from)).toEqual(wanted),
  );
const isAvailable = (): boolean => ![undefined, 'unavailable'].includes(states.get(volume)?.state);
/** Home Assistant's clients end with it. */
async function look(): Promise<void> {
  client = await home.client();
  states = await client.states();
  await client.subscribe('state_changed', (data) => {
    // The shape is Home Assistant's.
    const { entity_id: of, new_state: now } = data as { entity_id: string; new_state: EntityState | null };
    if (of !== button || now === null || Number.isNaN(Date.parse(now.state))) return;
    const what = `${String(now.attributes['event_type'])} ${String(now.attributes['button'])}`;
    // Two that were held up have the same millisecond; the same one is told again when its entity is back.
    if (seen.has(`${now.state} ${what}`)) return;
    seen.add(`${now.state} ${what}`);
    told.push(what);
  });
}
/** True if the panel holds no connection of its own, and the lifecycle needs none. */
const holdsNone = async (): Promise<unknown> => (await agent.status()).home_assistant?.connection;

beforeAll(async () => {
  [home, agent] = await Promise.all([Home.start(null, { holds: true }, unpackIntegration), Agent.start()]);
  cable = await Cable.to(agent.port);
  await agent.configure({
    panel_id: panel.id,
    friendly_name: panel.name,
    entity_surface: 'native',
    ha_url: home.url,
  });
  await look();
  ({ entry_id: entry } = await addPanel(client, agent, cable.port));
  await until('it is there', isAvailable);
  void watchHealth();
});

afterAll(async () => {
  watch.abort();
  console.log(`seed ${seed}: ${took.map(([kind, ms]) => `${kind} ${ms} ms`).join(', ')}`);
  await cable?.end();
  await Promise.all([agent?.stop(), home?.stop()]);
});

describe('what the panel says of Home Assistant, without a dashboard of its own', () => {
  it('is at first that it runs', async () => {
    await until('it is known', () => words.at(-1) === 'normal');
    expect(await holdsNone()).toBe('closed');
  });

  it('is nothing while the integration is reloaded', async () => {
    const from = words.length;
    await client.post(`/api/config/config_entries/entry/${entry}/reload`, {});
    await until('it is back', isAvailable);
    await until('for the panel too', async () => (await agent.status()).companion?.sessions === 1);
    expect(since(from)).toEqual([]);
  });

  it('is a loss once the cable is cut, and a return', async () => {
    const from = words.length;
    cable.cut();
    await lately(from, ['connection_lost']);
    await until('its entities are unavailable', () => !isAvailable());
    cable.join();
    await until('it is back', isAvailable);
    await lately(from, ['connection_lost', 'back_online native']);
  });

  it('is what Home Assistant says at a restart', async () => {
    const from = words.length;
    await home.restart();
    await lately(from, ['shutting_down native']);
    home.hold();
    await home.startAgain();
    await lately(from, ['shutting_down native', 'starting native'], 60_000);
    home.release();
    await lately(from, ['shutting_down native', 'starting native', 'back_online native'], 60_000);
    await look();
    await until('its entities are back', isAvailable);
    expect(await holdsNone()).toBe('closed');
  }, 120_000);

  inAll(
    'is a shutdown at a stop',
    async () => {
      const from = words.length;
      await home.terminate();
      await lately(from, ['shutting_down native']);
      await home.startAgain();
      await lately(from, ['shutting_down native', 'starting native', 'back_online native'], 60_000);
      await look();
      await until('its entities are back', isAvailable);
    },
    120_000,
  );

  inAll(
    'is a loss once nothing gets through for 25 s',
    async () => {
      const from = words.length;
      const at = performance.now();
      cable.silence();
      await lately(from, ['connection_lost'], 30_000);
      await until('its entities are unavailable', () => !isAvailable(), 30_000);
      expect(performance.now() - at).toBeLessThan(27_000);
      cable.join();
      await until('it is back', isAvailable);
      await lately(from, ['connection_lost', 'back_online native']);
    },
    120_000,
  );

  inAll(
    'is the same beside a dashboard, which is back with it',
    async () => {
      const shown = await Agent.start({ args: ['--renderer', 'headless'], env: unseenBrowser() });
      try {
        const of = { panel_id: 'shown_hall', friendly_name: 'Shown hall', entity_surface: 'native' };
        await shown.configure({ ...of, ha_url: home.url, ha_token: home.token });
        await addPanel(client, shown);
        const says = async (): Promise<string | undefined> => / ha=(\S+)/.exec(await shown.text('/health'))?.[1];
        const isShown = async (): Promise<boolean> => (await shown.status()).renderer?.rendered === true;
        const isClosed = async (): Promise<boolean> => (await shown.status()).home_assistant?.connection === 'closed';
        await until('the dashboard', isShown);
        await until('it is known', async () => (await says()) === 'normal');
        expect(await isClosed()).toBe(true);
        await home.restart();
        expect(await says()).toBe('shutting_down');
        await home.startAgain();
        await until('it is back', async () => (await says()) === 'back_online', 60_000);
        await until('the dashboard is back', isShown);
        // What the dashboard asked is answered; nothing else holds a connection.
        await until('no connection is held', isClosed);
        await look();
      } finally {
        await shown.stop();
      }
    },
    120_000,
  );

  it('is nothing more once the integration is disabled', async () => {
    const setDisabled = (by: 'user' | null): Promise<unknown> =>
      client.call('config_entries/disable', { entry_id: entry, disabled_by: by });
    await setDisabled('user');
    await until('nothing is known', async () => !(await agent.text('/health')).includes(' ha='));
    await setDisabled(null);
    await until('it is back', isAvailable);
    await until('it is known', async () => (await agent.text('/health')).includes(' ha='));
  });
});

describe.each(outages(seed))('$number: $kind', ({ kind, awayMs, value, button: pressed }) => {
  /** Ends one of them, or what is between them; returns what brings it back, once both are there. */
  const begin = async (): Promise<() => Promise<void>> => {
    switch (kind) {
      case 'cut':
        cable.cut();
        return async () => cable.join();
      case 'panel killed':
        await agent.kill();
        return () => agent.startAgain();
      case 'panel frozen':
        process.kill(agent.pid, 'SIGSTOP');
        return async () => void process.kill(agent.pid, 'SIGCONT');
      case 'home frozen':
        home.freeze();
        return async () => home.thaw();
      case 'home killed':
        await home.kill();
        return async () => {
          await home.startAgain();
          await look();
          // Where the machine is busy, its pages answer seconds before its integrations are there.
          await until(
            'it runs',
            async () => (await client.call<{ readonly state: string }>('get_config')).state === 'RUNNING',
          );
        };
    }
  };

  it('is right again soon, repeats no command, and tells nothing twice', async () => {
    const word = words.length;
    const early = value === 99 ? 98 : value + 1;
    const call = client.act('number.set_value', volume, { value: early }).catch(() => undefined);
    // A frozen end would get it late, which is no repetition.
    if (kind.endsWith('frozen')) await call;
    const back = await begin();
    await pause(awayMs);
    if (kind === 'cut' || kind.startsWith('home')) await agent.act('volume', value);
    await back();
    const from = performance.now();
    if (kind.startsWith('panel')) await agent.act('volume', value);
    const right = (): boolean => Number(states.get(volume)?.state) === value;
    await until('it is right', right, 10_000).catch(() => expect(states.get(volume)?.state).toBe(String(value)));
    const tookMs = performance.now() - from;
    took.push([kind, Math.round(tookMs)]);
    expect(tookMs).toBeLessThan(RIGHT_WITHIN_MS);
    if (kind === 'home killed') await lately(word, ['connection_lost', 'starting native', 'back_online native']);
    await call;
    told.splice(0);
    await agent.touch({ hold: pressed, down: true });
    await agent.touch({ hold: pressed, down: false });
    await until('both were told', () => told.length >= 2);
    // Its answer comes after all that was sent before.
    await client.act('number.set_value', panel.entity.volume, { value: value + 1 });
    expect(told).toEqual([`press button_${pressed}`, `release button_${pressed}`]);
    expect((await agent.hardware()).volume.percent).toBe(value + 1);
  }, 60_000);
});
