import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, it } from 'vitest';
import type { EntityState, HomeClient } from '#test/platform/home-assistant/client.ts';
import { Home } from '#test/platform/home-assistant/home.ts';
import { unpackIntegration } from '#test/platform/home-assistant/integration.ts';
import { Agent } from '#test/platform/kit/agent.ts';
import { Broker } from '#test/platform/kit/broker.ts';
import { addPanel } from '#test/platform/kit/paired.ts';
import { join, panelCalled } from '#test/platform/kit/panel.ts';
import { until } from '#test/platform/kit/until.ts';

/** Calls of each panel, in turns, after some that warm up. */
const CALLS = Number(process.env['SCONCE_BENCH_CALLS'] ?? 800);
const WARM = 20;
const STARTS = 5;
/** How long a session rests before memory is read, and how often it is read, a second apart. */
const REST_MS = 30_000;
const READINGS = 5;
const WAYS = ['native', 'mqtt'] as const;
type Way = (typeof WAYS)[number];

const panels = { native: panelCalled('by_link', 'By link'), mqtt: panelCalled('by_broker', 'By broker') };
const agents = new Map<Way, Agent>();
/** Like the native one, and never paired. */
let alone: Agent;
let broker: Broker;
let home: Home;

interface Times {
  readonly call: number[];
  readonly state: number[];
  readonly start: number[];
}
const times: Readonly<Record<Way, Times>> = {
  native: { call: [], state: [], start: [] },
  mqtt: { call: [], state: [], start: [] },
};

const memory: { readonly native: number[]; readonly alone: number[] } = { native: [], alone: [] };

function agentOf(way: Way): Agent {
  const agent = agents.get(way);
  if (agent === undefined) throw new Error(`there is no panel on ${way}`);
  return agent;
}

/** Waits for a state of an entity, as it comes. */
function watcher() {
  let wanted: { readonly id: string; readonly is: (state: EntityState) => boolean; readonly done: () => void } | null =
    null;
  return {
    take: (data: unknown): void => {
      // The shape is Home Assistant's.
      const { entity_id: id, new_state: now } = data as { entity_id: string; new_state: EntityState | null };
      if (wanted !== null && wanted.id === id && now !== null && wanted.is(now)) wanted.done();
    },
    next: (id: string, is: (state: EntityState) => boolean): Promise<number> =>
      new Promise((resolve) => {
        wanted = {
          id,
          is,
          done: () => {
            wanted = null;
            resolve(performance.now());
          },
        };
      }),
  };
}

beforeAll(async () => {
  // Otherwise it holds small packets back for 40 ms.
  broker = await Broker.start(['set_tcp_nodelay true']);
  home = await Home.start(broker.port, {}, unpackIntegration);
  for (const way of WAYS)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    agents.set(way, await Agent.start());
  alone = await Agent.start();
  await join(agentOf('mqtt'), panels.mqtt, broker.port);
  const { id, name } = panels.native;
  for (const agent of [agentOf('native'), alone])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await agent.configure({ panel_id: id, friendly_name: name, entity_surface: 'native' });
  await addPanel(await home.client(), agentOf('native'));
});

afterAll(async () => {
  await Promise.all([...agents.values(), alone].map((agent) => agent.stop()));
  await home?.stop();
  await broker?.stop();
});

async function areThere(client: HomeClient): Promise<ReadonlyMap<string, EntityState>> {
  const states = await client.states();
  await until('both are there', () =>
    WAYS.every((way) => ![undefined, 'unavailable', 'unknown'].includes(states.get(panels[way].entity.screen)?.state)),
  );
  return states;
}

/** Resident memory of an agent, in MB (Linux). */
const residentMb = ({ pid }: Agent): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it('measures the memory of an idle session', async () => {
  await areThere(await home.client());
  await pause(REST_MS);
  for (let turn = 0; turn < READINGS; turn += 1) {
    memory.native.push(residentMb(agentOf('native')));
    memory.alone.push(residentMb(alone));
    // oxlint-disable-next-line no-await-in-loop -- readings are apart
    await pause(1000);
  }
});

it('measures calls and states', async () => {
  const client = await home.client();
  await areThere(client);
  const { take, next } = watcher();
  await client.subscribe('state_changed', take);
  for (let turn = 0; turn < WARM + CALLS; turn += 1)
    for (const way of turn % 2 === 0 ? WAYS : WAYS.toReversed()) {
      const { screen } = panels[way].entity;
      const brightness = turn % 2 === 0 ? 100 : 200;
      const shown = next(screen, ({ attributes }) => attributes['brightness'] === brightness);
      const from = performance.now();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await client.act('light.turn_on', screen, { brightness });
      const called = performance.now() - from;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const state = (await shown) - from;
      if (turn < WARM) continue;
      times[way].call.push(called);
      times[way].state.push(state);
    }
});

it('measures starts', async () => {
  for (let turn = 0; turn < STARTS; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await home.terminate();
    const from = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await home.startAgain();
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const client = await home.client();
    const found = new Map<Way, number>();
    const note = (way: Way, state: string | undefined): void => {
      if (state === 'on' && !found.has(way)) found.set(way, performance.now() - from);
    };
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await client.subscribe('state_changed', (data) => {
      const { entity_id: id, new_state: now } = data as { entity_id: string; new_state: EntityState | null };
      for (const way of WAYS) if (panels[way].entity.screen === id) note(way, now?.state);
    });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const states = await client.states();
    for (const way of WAYS) note(way, states.get(panels[way].entity.screen)?.state);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await until('both are there', () => found.size === WAYS.length);
    for (const way of WAYS) times[way].start.push(found.get(way) ?? Number.NaN);
  }
});

afterAll(() => {
  const file = process.env['SCONCE_BENCH_FILE'];
  if (file !== undefined) writeFileSync(file, JSON.stringify({ ...times, memory }));
});
