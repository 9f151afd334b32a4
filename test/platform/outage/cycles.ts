import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EntityState, HomeClient } from '../home-assistant/client.ts';
import type { Home } from '../home-assistant/home.ts';
import { Agent } from '../kit/agent.ts';
import { amount } from '#test/fakes/amount.ts';
import type { Broker } from '../kit/broker.ts';
import { type Cycle, outages } from '../kit/outages.ts';
import { agree, join, panelCalled } from '../kit/panel.ts';
import { until } from '../kit/until.ts';
import { own } from './own.ts';
import { asleep, type Sleeper } from './sleeper.ts';

/** How soon everything has to be right once both ends are connected, in milliseconds. */
const rightWithinMs = 5_000;

const panel = panelCalled('hall', 'Hall panel');
const { id: panelId, entity } = panel;

let broker: Broker;
let home: Home;
let client: HomeClient;
let agent: Agent;
let sleeper: Sleeper;
let states: ReadonlyMap<string, EntityState>;

beforeAll(async () => {
  ({ broker, home } = await own());
  client = await home.client();
  states = await client.states();
  agent = await Agent.start();
  await join(agent, panel, broker.port);
  await agree(states, agent, panel);
  // Home Assistant writes some 10 s later where its devices are.
  sleeper = await asleep(home, broker, client);
});

afterAll(async () => {
  // A test that failed may have left them frozen.
  broker?.thaw();
  home?.thaw();
  await agent?.stop();
  await sleeper?.stop();
});

/** When both ends were connected again after `since`: Home Assistant itself redials only every 10 s. */
const bothConnected = (since: number): Promise<number> =>
  until(
    'both ends are connected',
    () => {
      const agentAt = broker.connectedAt('panel', since);
      const homeAt = broker.connectedAt('home', since);
      return agentAt !== undefined && homeAt !== undefined && Math.max(agentAt, homeAt);
    },
    30_000,
  );

/** Waits until panel and platform agree, at most 5 s after `connected`, and then still do. */
async function rightAgain(connected: number): Promise<void> {
  await agree(states, agent, panel, Math.max(1, connected + rightWithinMs - performance.now()));
  const tookMs = Math.round(performance.now() - connected);
  expect(tookMs).toBeLessThanOrEqual(rightWithinMs);
  console.log(`right again ${tookMs} ms after both ends were connected`);
}

async function worksAgain(value: number): Promise<void> {
  await client.act('number.set_value', entity.volume, { value });
  await until('the command arrives', async () => (await agent.hardware()).volume.percent === value).catch(
    async (error: unknown) => {
      const [{ mqtt }, shown] = [await agent.status(), states.get(entity.volume)?.state];
      throw new Error(`${String(error)}: shown as ${shown}, the link is ${JSON.stringify(mqtt)}`, { cause: error });
    },
  );
  await until('and is reported', () => Number(states.get(entity.volume)?.state) === value);
}

async function homeReturns(): Promise<number> {
  const since = performance.now();
  await home.startAgain();
  client = await home.client();
  states = await client.states();
  return until('Home Assistant is connected to the broker', () => broker.connectedAt('home', since), 60_000);
}

describe('killed with SIGKILL', () => {
  it('the agent: shown as away, and right again when it returns', async () => {
    await agent.act('volume', 71);
    await agree(states, agent, panel);
    await agent.kill();
    await until('the panel is shown as away', () => states.get(entity.screen)?.state === 'unavailable', 5_000);
    const since = performance.now();
    await agent.startAgain();
    const connected = await until('the panel is connected', () => broker.connectedAt('panel', since));
    await rightAgain(connected);
    await worksAgain(22);
  });

  it('the broker: everything that it forgot is published again', async () => {
    await broker.kill();
    await agent.link('unreachable', 5_000);
    expect((await fetch(`http://127.0.0.1:${agent.port}/health`)).status).toBe(200);
    await agent.act('brightness', 99);
    await agent.act('volume', 44);
    const since = performance.now();
    await broker.startAgain();
    await rightAgain(await bothConnected(since));
    expect(states.get(entity.screen)?.attributes['brightness']).toBe(99);
    await worksAgain(23);
  });
});

describe('Home Assistant killed with SIGKILL', () => {
  let connected: number;
  let wasLit = false;

  beforeAll(async () => {
    await sleeper.announce();
    await agent.configure({ ha_expose_diag_cpu: true });
    await until('it is shown', () => states.has(entity.cpu) && states.get(entity.cpu)?.state !== 'unavailable');
    await home.kill();
    await agent.act('brightness', 33);
    await agent.act('volume', 66);
    await agent.configure({ ha_expose_diag_cpu: false });
    await until('the sleeping panel has lost its sensor', async () => (await sleeper.decision()).phase === 'inhibited');
    let isBack = false;
    const looked = until(
      'it is over',
      async () => {
        wasLit ||= await sleeper.isLit();
        return isBack;
      },
      120_000,
    );
    connected = await homeReturns();
    isBack = true;
    await looked;
  });

  it('finds the panel as it is now', async () => {
    await rightAgain(connected);
    expect(Number(states.get(entity.volume)?.state)).toBe(66);
    await worksAgain(24);
  });

  it('leaves a sleeping screen dark, and has it lit within a second once a person comes', async () => {
    let decision = await sleeper.decision();
    await until(
      'its sensor is back',
      async () => (decision = await sleeper.decision()).reason === 'lease_expired',
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(decision)}`, { cause: error });
    });
    expect([wasLit, await sleeper.isLit()]).toEqual([false, false]);
    const { by, tookMs } = await sleeper.wake();
    console.log(`lit ${tookMs} ms after the sensor`);
    expect(by).toBe('presence');
    expect(tookMs).toBeLessThanOrEqual(1000);
  });

  it('has no orphaned entity of a capability that was dropped meanwhile', async () => {
    // Home Assistant says that it is there some seconds after its start; what has to be swept again is swept then.
    await until('the panel has seen it return', async () => (await agent.status()).platform?.seen === true, 30_000);
    await until(
      'no orphaned entity is left',
      async () => !(await client.mqttEntities()).some((entry) => entry.entity_id === entity.cpu),
    );
    await until('nor a state', () => !states.has(entity.cpu));
    await until('and the panel knows it', async () => (await agent.status()).platform?.ghosts === 0);
    await agree(states, agent, panel);
  });
});

/** Freezes, beside the three kills above; in `bin/test all` 200, of which 20 end Home Assistant. */
const cycles = amount(3, 200);
const seed = Number(process.env['SCONCE_OUTAGE_SEED'] ?? Date.now() % 1_000_000);
/** Longest freeze, in milliseconds: in `bin/test all` some outlast the keepalive of 15 s. */
const longestMs = amount(800, 25_000);
/** Most that the agent may grow over all of them, in MiB. */
const growthMib = 30;

const memoryMib = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${agent.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Lets it happen, sets the panel meanwhile, ends it, and says when that was. */
async function endured({ outage, frozenMs, volume, brightness }: Cycle): Promise<number> {
  const set = async (): Promise<void> => {
    await agent.act('volume', volume);
    await agent.act('brightness', brightness);
  };
  const [who, how] = outage.split(' ');
  const one = who === 'home' ? home : broker;
  if (how === 'frozen') {
    one.freeze();
    await set();
    await pause(frozenMs);
    const held = (await agent.status()).mqtt?.phase === 'connected';
    const [since, thawed] = [performance.now(), Date.now()];
    one.thaw();
    if (held) return since;
    // What it had sent before it gave the connection up is heard first, and then that it has left.
    await until('the panel is connected anew', async () => {
      const { mqtt } = await agent.status();
      return mqtt?.phase === 'connected' && (mqtt.connected_at ?? 0) >= thawed;
    });
    return performance.now();
  }
  await (outage === 'home restarted' ? home.restart() : one.kill());
  await set();
  const since = performance.now();
  if (who === 'home') await homeReturns();
  else await broker.startAgain();
  return since;
}

describe('outages by a seeded script', () => {
  let grown: readonly number[] = [];
  let took: readonly number[] = [];

  it(
    `are over within 5 s of both ends being connected, ${cycles} times with seed ${seed}`,
    async () => {
      for (const [at, cycle] of outages(cycles, seed, longestMs).entries()) {
        const since = await endured(cycle);
        await agree(states, agent, panel, 60_000);
        const last = ['panel', 'home'] as const;
        const connected = Math.max(since, ...last.map((user) => broker.connectedAt(user, since) ?? 0));
        const tookMs = Math.round(performance.now() - connected);
        expect([at, cycle.outage, tookMs <= rightWithinMs ? 'in time' : tookMs]).toEqual([at, cycle.outage, 'in time']);
        await worksAgain((at % 100) + 1).catch((error: unknown) => {
          throw new Error(`after ${at} ${JSON.stringify(cycle)}: ${String(error)}`, { cause: error });
        });
        took = [...took, tookMs];
        grown = [...grown, memoryMib()];
      }
      const sorted = took.toSorted((a, b) => a - b);
      const sizes = grown.map(Math.round).join(' ');
      console.log(`right again after ms p50 ${sorted[sorted.length >> 1]} max ${sorted.at(-1)}, memory MiB ${sizes}`);
    },
    amount(180_000, 5_400_000),
  );

  it('leave the memory of the agent as it was', () => {
    const early = Math.max(...grown.slice(0, Math.ceil(grown.length / 10)));
    expect((grown.at(-1) ?? Number.NaN) - early).toBeLessThan(growthMib);
  });
});

describe('a retained reboot press', () => {
  it('does nothing, neither to a returning panel nor to one that is there', async () => {
    await agent.kill();
    broker.publish(`sconce/${panelId}/reboot/set`, 'PRESS', { retain: true });
    await agent.startAgain();
    await agent.publishing('live');
    // Home Assistant sends nothing to a panel that it still takes for away.
    await agree(states, agent, panel);
    await worksAgain(25);
    expect((await agent.hardware()).reboots).toBe(0);
    expect((await agent.status()).power?.last_reboot).toBeNull();
  });

  it('while a real press is heard', async () => {
    await until('the button can be pressed', () => states.get(entity.reboot)?.state !== 'unavailable');
    await client.act('button.press', entity.reboot);
    await until('it was pressed', async () => (await agent.hardware()).reboots === 1);
  });
});

describe('afterwards', () => {
  it('Home Assistant has logged nothing about the discovery', async () => {
    const about = (await client.mqttLog()).filter((entry) => !/connect|disconnect/i.test(entry.message.join(' ')));
    expect(about).toEqual([]);
  });
});
