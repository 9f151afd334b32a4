import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unseenBrowser } from '#test/browser/program.ts';
import { amount, few } from '#test/fakes/amount.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { Home } from './home-assistant/home.ts';
import { resident, tokenOf } from './home-assistant/onboard.ts';
import { Agent } from './kit/agent.ts';
import { Broker, brokerUrl, passwords } from './kit/broker.ts';
import {
  type LifecyclePanels,
  type PanelName,
  panelNames,
  perPanel,
  type PanelView,
  type Watched,
  watchLifecycle,
} from './kit/lifecycle-panels.ts';
import { lastStates, lifecycleTable, statesSince, type Views } from './kit/lifecycle-table.ts';
import { freePort } from './kit/ports.ts';
import { until } from './kit/until.ts';

/** The agent's own pause between two pings in a full run; in a plain one what is counted is there sooner. */
const pingMs = amount(2_000, 10_000);
/** Frozen for so long, Home Assistant has missed two pings, and the broker has not yet given it up. */
const freezeMs = amount(7_500, 40_000);
/** Longer than the window of the verdict, and than the broker waits. */
const longFreezeMs = 7 * 60_000;

let broker: Broker;
let home: Home;
let watched: Watched;
let panels: LifecyclePanels;
const table = lifecycleTable();

beforeAll(async () => {
  broker = await Broker.start();
  home = await Home.start(broker.port, { holds: true });
  watched = {
    url: home.url,
    tokens: { owner: home.token, resident: await tokenOf(home.url, resident) },
    brokerUrl: brokerUrl(broker.port),
    brokerUser: { username: 'observer', password: passwords.observer },
    pingMs,
  };
  panels = watchLifecycle(watched);
});

afterAll(async () => {
  table.print();
  panels?.stop();
  await home?.stop();
  await broker?.stop();
});

type States = Readonly<Record<PanelName, string>>;

/** The same for every panel, but for those that are named. */
const states = (all: string, but: Partial<States> = {}): States => ({ ...perPanel(() => all), ...but });

/** Waits until every panel is pinging a Home Assistant that runs. */
async function measured(): Promise<Views> {
  await until(
    'all panels ping',
    () =>
      panelNames.every((name) => {
        const { words, verdict, probes } = panels.view()[name];
        // To a resident the broker may say that it is back before a ping is answered.
        return probes > 1 && verdict !== 'severe' && /^(?:normal|back_online)/.test(words.at(-1) ?? '');
      }),
    60_000,
  );
  return panels.view();
}
async function reached(before: Views, wanted: States, withinMs = 30_000): Promise<Views> {
  await until(
    `the panels say ${JSON.stringify(wanted)}`,
    () => JSON.stringify(lastStates(panels.view(), before)) === JSON.stringify(wanted),
    withinMs,
  ).catch(() => expect(lastStates(panels.view(), before)).toEqual(wanted));
  return panels.view();
}
/** Starts Home Assistant again; it says that it is starting until every panel says so, too. */
async function startedAgain(during: Views): Promise<Views> {
  home.hold();
  await home.startAgain();
  await reached(during, states('starting'), 60_000);
  home.release();
  await until('it is back', () =>
    panelNames.every((name) => panels.view()[name].words.at(-1)?.startsWith('back_online') === true),
  );
  return measured();
}
/** An administrator is told by an event; a resident is told by the broker, or asks. */
function expectStart(after: Views, during: Views): void {
  for (const name of panelNames) {
    const [first, ...rest] = statesSince(after[name], during[name]);
    expect([name, first]).toEqual([name, 'starting']);
    if (name.startsWith('administrator')) expect(rest).toEqual(['starting socket', 'back_online socket']);
    else expect(rest.join()).toMatch(name.endsWith('MQTT') ? /^back_online( mqtt)?$/ : /^back_online$/);
  }
}
function expectCounts(views: Views, wanted: Partial<PanelView>): void {
  for (const name of panelNames) expect([name, views[name]]).toMatchObject([name, wanted]);
}

describe('the log of Home Assistant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-quiet-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(few(['resident', 'owner'] as const))(
    'has no line more by a panel of the %s that connects twice',
    async (user) => {
      const file = join(folder, 'token');
      writeFileSync(file, watched.tokens[user], { mode: 0o600 });
      const before = home.log;
      const agent = await Agent.start({
        args: ['--ha-url', home.url, '--ha-token-file', file, '--renderer', 'headless'],
        env: unseenBrowser(),
      });
      try {
        for (const start of ['first', 'again']) {
          if (start === 'again') {
            await agent.kill();
            await agent.startAgain();
          }
          await until('it is connected', async () => (await agent.status()).home_assistant?.connection === 'live');
          await until('it knows the account', async () => (await agent.status()).sign_in?.administrator !== null);
          await until('the lifecycle is watched', async () => (await agent.text('/health')).includes(' ha=normal'));
        }
      } finally {
        await agent.stop();
      }
      expect(home.log.slice(before.length).split('\n').filter(Boolean)).toEqual([]);
    },
  );
});

describe('what panels of both accounts, with the broker and without, say of Home Assistant', () => {
  it('that is stopped by SIGTERM: a shutdown where the broker tells it, and else a loss', async () => {
    const before = await measured();
    await home.terminate();
    const during = await reached(
      before,
      states('connection_lost', {
        'administrator + MQTT': 'shutting_down mqtt',
        'resident + MQTT': 'shutting_down mqtt',
      }),
    );
    // Nothing is called lost before the notice had its time.
    for (const name of panelNames) expect(statesSince(during[name], before[name])).toHaveLength(1);
    expectCounts(during, { verdict: 'healthy', misses: 0 });
    const after = await startedAgain(during);
    table.note('stop by SIGTERM', before, during, after);
    expectStart(after, during);
    expectCounts(after, { verdict: 'healthy', misses: 0 });
  }, 150_000);

  inAll(
    'that is restarted by its service: a shutdown to administrators, by its own word',
    async () => {
      const before = await measured();
      await home.restart();
      const during = await reached(
        before,
        states('shutting_down socket', { resident: 'connection_lost', 'resident + MQTT': 'shutting_down mqtt' }),
      );
      for (const name of panelNames) expect(statesSince(during[name], before[name])).toHaveLength(1);
      expectCounts(during, { verdict: 'healthy', misses: 0 });
      const after = await startedAgain(during);
      table.note('restart by service', before, during, after);
      expectStart(after, during);
      expectCounts(after, { verdict: 'healthy', misses: 0 });
    },
    150_000,
  );

  inAll(
    'that is killed: a loss, though a resident has only the will at the broker; and one that was never reached',
    async () => {
      const before = await measured();
      await home.kill();
      const during = await reached(before, states('connection_lost', { 'resident + MQTT': 'shutting_down mqtt' }));
      expectCounts(during, { verdict: 'healthy', misses: 0 });
      const strangers = watchLifecycle({ ...watched, url: `http://127.0.0.1:${await freePort()}` });
      try {
        const unborn = strangers.view();
        broker.publish('homeassistant/status', 'offline', { retain: false });
        const after = await startedAgain(during);
        table.note('kill -9', before, during, after);
        expectStart(after, during);
        expectCounts(after, { verdict: 'healthy', misses: 0 });
        const never = strangers.view();
        table.note('never reached', unborn, never, never);
        expectCounts(never, { words: ['-'], verdict: null, probes: 0, misses: 0, unprobed: false });
      } finally {
        strangers.stop();
      }
    },
    150_000,
  );

  const frozen = async (event: string, ms: number, away: States, during: Partial<PanelView>, after: object) => {
    const before = await measured();
    home.freeze();
    const thaws = performance.now() + ms;
    try {
      await pause(Math.max(0, thaws - performance.now()));
      const views = panels.view();
      home.thaw();
      await until('it is back', () =>
        panelNames.every((name) => panels.view()[name].words.at(-1)?.startsWith('back_online') === true),
      );
      const back = await measured();
      table.note(event, before, views, back);
      expect(lastStates(views, before)).toEqual(away);
      expectCounts(views, during);
      for (const name of panelNames)
        expect([name, statesSince(back[name], views[name]).join()]).toEqual([
          name,
          expect.stringMatching(
            // A birth message of its start may still come.
            name === 'resident + MQTT' ? /^back_online( mqtt)?$/ : /^back_online$/,
          ),
        ]);
      expectCounts(back, after);
    } finally {
      home.thaw();
    }
  };

  it('that is frozen for a while: two lost pings, and no attempt to connect among them', async () => {
    await frozen(
      `SIGSTOP of ${freezeMs / 1000} s`,
      freezeMs,
      states('connection_lost'),
      { verdict: 'severe', misses: 2, unprobed: false },
      { verdict: expect.stringMatching(/^(?:warning|healthy)$/), misses: 2 },
    );
  }, 180_000);

  it.for(amount<readonly number[]>([], [longFreezeMs]))(
    'that is frozen for %i ms, longer than the verdict looks back: nothing is known of the network',
    { timeout: longFreezeMs + 180_000 },
    async (ms) => {
      await frozen(
        'SIGSTOP of 7 min',
        ms,
        // The broker has given it up, and published its will.
        states('connection_lost', { 'resident + MQTT': 'shutting_down mqtt' }),
        { verdict: 'healthy', probes: 0, misses: 0, unprobed: true },
        { verdict: 'healthy', misses: 0, unprobed: false },
      );
    },
  );
});
